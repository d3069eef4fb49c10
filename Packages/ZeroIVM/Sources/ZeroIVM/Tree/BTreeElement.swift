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
