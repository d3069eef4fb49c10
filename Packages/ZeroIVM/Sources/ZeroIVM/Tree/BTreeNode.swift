/// A node of a ``BTree``.
enum BTreeNode<Element> {
  case leaf(ContiguousArray<Element>)
  case inner(ContiguousArray<BTreeChild<Element>>)

  /// Most elements of a leaf and children of an inner node.
  static var maximum: Int { 64 }
  /// Fewest, save in the root.
  static var minimum: Int { 16 }

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

  /// The first element; the node has one.
  var first: Element {
    switch self {
    case .leaf(let items): items[0]
    case .inner(let children): children[0].first
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
struct BTreeChild<Element> {
  var first: Element
  var count: Int
  var node: BTreeNode<Element>

  init(first: Element, count: Int, node: BTreeNode<Element>) {
    self.first = first
    self.count = count
    self.node = node
  }

  init(_ node: BTreeNode<Element>) {
    self.init(first: node.first, count: node.count, node: node)
  }

  init(_ children: ContiguousArray<BTreeChild<Element>>) { self.init(.inner(children)) }
}

extension ContiguousArray {
  /// The first place whose element does not fulfil `isBefore`, given that those that do come first.
  ///
  /// Elements are shown where they lie, so that looking at them counts no references.
  @inline(__always)
  func partitionPoint(_ isBefore: (UnsafePointer<Element>) -> Bool) -> Int {
    withUnsafeBufferPointer { items in
      guard let base = items.baseAddress else { return 0 }
      return Self.partitionPoint(base, items.count, isBefore)
    }
  }

  /// The same in the order of children's first elements.
  @inline(__always)
  func partitionPoint<T>(_ isBefore: (UnsafePointer<T>) -> Bool) -> Int
  where Element == BTreeChild<T> {
    withUnsafeBufferPointer { items in
      guard let base = items.baseAddress else { return 0 }
      return Self.partitionPoint(base, items.count) { child in
        // The first element is the first thing in a child's memory.
        isBefore(UnsafeRawPointer(child).assumingMemoryBound(to: T.self))
      }
    }
  }

  /// The place of the element that `order` takes for equal, or where it would be.
  @inline(__always)
  func position(_ order: (UnsafePointer<Element>) -> Int) -> (place: Int, isFound: Bool) {
    withUnsafeBufferPointer { items in
      guard let base = items.baseAddress else { return (0, false) }
      var (low, high) = (0, items.count)
      while low < high {
        let middle = (low &+ high) &>> 1
        let found = order(base + middle)
        if found == 0 { return (middle, true) }
        if found < 0 { low = middle &+ 1 } else { high = middle }
      }
      return (low, false)
    }
  }

  @inline(__always)
  private static func partitionPoint(
    _ base: UnsafePointer<Element>, _ count: Int, _ isBefore: (UnsafePointer<Element>) -> Bool
  ) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low &+ high) &>> 1
      if isBefore(base + middle) { low = middle &+ 1 } else { high = middle }
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
