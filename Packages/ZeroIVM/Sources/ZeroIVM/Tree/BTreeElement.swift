/// An element of a ``BTree``, with something to compare it by.
protocol BTreeElement {
  /// What searches compare: valid while the element is in the tree, taken without counting a
  /// reference.
  var key: UnsafeRawPointer { get }

  /// Most elements of a node, below 255. Wide nodes are searched with fewer cache misses, narrow ones
  /// are copied with fewer: copying a node counts a reference for each thing in it.
  static var nodeWidth: Int { get }

  /// The key of an element in memory.
  static func key(at place: UnsafePointer<Self>) -> UnsafeRawPointer
}

/// What is searched for in a ``BTree``: a position in its order.
protocol BTreeTarget {
  var prefix: OrderPrefix { get }

  /// Negative, zero or positive as an element of the tree comes before, at or after the target.
  /// Asked where prefixes decide nothing.
  func order(of key: UnsafeRawPointer) -> Int
}
