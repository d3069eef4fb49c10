/// An element of a ``BTree``, with something to compare it by.
protocol BTreeElement {
  /// What searches compare: valid while the element is in the tree, taken without counting a
  /// reference.
  var key: UnsafeRawPointer { get }

  /// Most elements of a node. Wide nodes are searched with fewer cache misses, narrow ones are copied
  /// with fewer: copying a node counts a reference for each thing in it.
  static var nodeWidth: Int { get }

  /// The key of an element in memory.
  static func key(at place: UnsafePointer<Self>) -> UnsafeRawPointer
}

/// A node of a ``BTree``.
enum BTreeNode<Element: BTreeElement> {
  case leaf(ContiguousArray<Element>)
  case inner(ContiguousArray<BTreeChild<Element>>)

  /// Most elements of a leaf and children of an inner node.
  static var maximum: Int { Element.nodeWidth }
  /// Fewest, save in the root.
  static var minimum: Int { Element.nodeWidth / 4 }

  /// `count` things cut into nodes of nearly equal size, none over the maximum.
  static func evenRanges(_ count: Int) -> [Range<Int>] {
    let pieces = (count + maximum - 1) / maximum
    return (0..<pieces).map { count * $0 / pieces..<count * ($0 + 1) / pieces }
  }

  /// Number of children or elements.
  var width: Int {
    switch self {
    case .leaf(let items): items.count
    case .inner(let children): children.count
    }
  }

  /// Number of elements below.
  var count: Int {
    switch self {
    case .leaf(let items): items.count
    case .inner(let children): children.reduce(0) { $0 + $1.count }
    }
  }

  /// The key of the first element; the node has one.
  var firstKey: UnsafeRawPointer {
    switch self {
    case .leaf(let items): items[0].key
    case .inner(let children): children[0].firstKey
    }
  }

  /// Whether both are the same node in memory, not only equal ones.
  func isIdentical(to other: BTreeNode) -> Bool {
    switch (self, other) {
    case (.leaf(let a), .leaf(let b)): a.address == b.address
    case (.inner(let a), .inner(let b)): a.address == b.address
    default: false
    }
  }

  /// Where the node's elements are, which tells nodes apart while both are alive.
  var address: UnsafeRawPointer? {
    switch self {
    case .leaf(let items): items.address
    case .inner(let children): children.address
    }
  }

  func element(at rank: Int) -> Element {
    switch self {
    case .leaf(let items): return items[rank]
    case .inner(let children):
      let (place, offset) = children.place(of: rank)
      return children[place].node.element(at: offset)
    }
  }
}

/// A node with what its parent knows of it.
///
/// The key of the first element is that of an element below the node, which keeps it valid. Copying an
/// inner node so counts one reference per child and touches no element.
struct BTreeChild<Element: BTreeElement> {
  var firstKey: UnsafeRawPointer
  var count: Int
  var node: BTreeNode<Element>

  init(_ node: BTreeNode<Element>) {
    firstKey = node.firstKey
    count = node.count
    self.node = node
  }

  init(_ children: ContiguousArray<BTreeChild<Element>>) { self.init(.inner(children)) }
}

extension ContiguousArray {
  /// The first place whose element does not fulfil `isBefore`, given that those that do come first.
  @inline(__always)
  func partitionPoint(_ isBefore: (UnsafeRawPointer) -> Bool) -> Int where Element: BTreeElement {
    withUnsafeBufferPointer { items in
      guard let base = items.baseAddress else { return 0 }
      return Self.partitionPoint(items.count) { isBefore(Element.key(at: base + $0)) }
    }
  }

  /// The same by the first elements of children.
  @inline(__always)
  func childPoint<T>(_ isBefore: (UnsafeRawPointer) -> Bool) -> Int
  where Element == BTreeChild<T> {
    withUnsafeBufferPointer { items in
      guard let base = items.baseAddress else { return 0 }
      return Self.partitionPoint(items.count) { isBefore((base + $0).pointee.firstKey) }
    }
  }

  /// The place of the element that `order` takes for equal, or where it would be.
  @inline(__always)
  func position(_ order: (UnsafeRawPointer) -> Int) -> (place: Int, isFound: Bool)
  where Element: BTreeElement {
    withUnsafeBufferPointer { items in
      guard let base = items.baseAddress else { return (0, false) }
      var (low, high) = (0, items.count)
      while low < high {
        let middle = (low &+ high) &>> 1
        let found = order(Element.key(at: base + middle))
        if found == 0 { return (middle, true) }
        if found < 0 { low = middle &+ 1 } else { high = middle }
      }
      return (low, false)
    }
  }

  @inline(__always)
  private static func partitionPoint(_ count: Int, _ isBefore: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if isBefore(middle) { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  fileprivate var address: UnsafeRawPointer? {
    withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
  }

  /// The child that has the element at `rank`, and that element's place in it. The place after the
  /// last element belongs to the last child.
  func place<T>(of rank: Int) -> (Int, Int) where Element == BTreeChild<T> {
    var (place, offset) = (0, rank)
    while offset >= self[place].count, place + 1 < count {
      offset -= self[place].count
      place += 1
    }
    return (place, offset)
  }
}
