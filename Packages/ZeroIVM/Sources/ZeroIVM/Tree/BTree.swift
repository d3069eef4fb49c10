/// A sorted sequence as a B+ tree with counted subtrees, as a value.
///
/// Elements are in the leaves; an inner node knows of every child the key and prefix of its first element
/// and how many elements it has, so that the tree is searched by order and addressed by place. Copies
/// share all nodes; a change copies the nodes on one path unless nobody else has them. The order is the
/// caller's: targets of searches and prefixes of elements are those of one order.
///
/// Invariants: all leaves are equally deep; a node that is not the root has at least
/// `minimum` elements; an inner root has at least two children.
struct BTree<Element: BTreeElement> {
  typealias Node = BTreeNode<Element>

  /// Nil for a tree that never had an element.
  private(set) var root: Node?
  private(set) var count = 0

  init() {}

  /// Builds the tree of elements that are in order already.
  /// - Parameter prefix: the prefix of an element with some key in the order of the tree.
  /// - Complexity: O(n)
  init(sorted elements: ContiguousArray<Element>, prefix: (UnsafeRawPointer) -> OrderPrefix) {
    self = elements.withUnsafeBufferPointer { elements in
      BTree(count: elements.count) { range, leaf in leaf.append(elements[range], prefix) }
    }
  }

  /// Builds the tree of `count` elements that are in order already.
  /// - Parameter fill: gives an empty leaf the elements at some places, for which it has room.
  /// - Complexity: O(n)
  init(count: Int, fill: (_ places: Range<Int>, _ leaf: BTreeSlots<Element>) -> Void) {
    self.count = count
    guard count > 0 else { return }
    func leaf(_ places: Range<Int>) -> Node {
      let node = Node.make(height: 0, capacity: places.count)
      withExtendedLifetime(node) { fill(places, node.slots) }
      return node
    }
    // Most trees are the related rows of one row, and made without lists of nodes.
    if count <= Node.maximum {
      root = leaf(0..<count)
      return
    }
    var level = ContiguousArray(Node.evenRanges(count).map { Node.Child(leaf($0)) })
    var height = 1
    while level.count > 1 {
      level = ContiguousArray(
        Node.evenRanges(level.count).map { range in
          let node = Node.make(height: height, capacity: range.count)
          for child in level[range] { node.slots.insert(child, at: node.slots.width) }
          return Node.Child(node)
        })
      height += 1
    }
    root = level[0].node
  }

  var isEmpty: Bool { count == 0 }

  /// Whether both are the same tree in memory, not only equal ones.
  func isIdentical(to other: BTree) -> Bool {
    count == other.count && (isEmpty || root === other.root)
  }

  /// The element at a place.
  /// - Complexity: O(log n)
  subscript(rank: Int) -> Element { self[path(to: rank)] }

  /// The element that a path leads to.
  /// - Complexity: O(log n)
  subscript(path: BTreePath) -> Element {
    withSlots { slots in
      guard var slots else { preconditionFailure("a path of another tree") }
      for depth in 0..<path.count - 1 { slots = slots.child(path[depth]) }
      precondition(path[path.count - 1] < slots.width, "a path to no element")
      return slots.elements[path[path.count - 1]]
    }
  }

  /// The path to the element at a place.
  /// - Complexity: O(log n)
  func path(to rank: Int) -> BTreePath {
    precondition(rank >= 0 && rank < count, "place out of range")
    return withSlots { slots in
      var (path, rank) = (BTreePath(), rank)
      var node = slots
      while let slots = node, !slots.isLeaf {
        let (place, rest) = slots.childPlace(of: rank)
        path.append(place)
        rank = rest
        node = slots.child(place)
      }
      path.append(rank)
      return path
    }
  }

  /// Where the element at a target is or would be.
  /// - Complexity: O(log n)
  @inline(__always)
  func search(_ target: some BTreeTarget) -> (path: BTreePath, isFound: Bool) {
    withSlots { slots in
      var path = BTreePath()
      guard var slots else {
        path.append(0)
        return (path, false)
      }
      while !slots.isLeaf {
        let place = slots.childPlace(of: target, withEqual: true)
        path.append(place)
        slots = slots.child(place)
      }
      let (place, isFound) = slots.place(of: target)
      path.append(place)
      return (path, isFound)
    }
  }

  /// The element at a target.
  /// - Complexity: O(log n)
  @inline(__always)
  func find(_ target: some BTreeTarget) -> Element? {
    withSlots { slots in
      guard var slots else { return nil }
      while !slots.isLeaf { slots = slots.child(slots.childPlace(of: target, withEqual: true)) }
      let (place, isFound) = slots.place(of: target)
      return isFound ? slots.elements[place] : nil
    }
  }

  /// Visits the places in memory of elements at and behind a target upwards, until `body` returns false.
  /// Returns whether it never did.
  /// - Complexity: O(log n + visited)
  func ascend(from target: some BTreeTarget, _ body: (UnsafePointer<Element>) -> Bool) -> Bool {
    withSlots { $0?.ascend(from: target, body) ?? true }
  }

  /// Visits the places in memory of elements at and before a target downwards, until `body` returns
  /// false. Returns whether it never did.
  /// - Complexity: O(log n + visited)
  func descend(from target: some BTreeTarget, _ body: (UnsafePointer<Element>) -> Bool) -> Bool {
    withSlots { $0?.descend(from: target, body) ?? true }
  }

  /// Visits the places of all elements upwards until `body` returns false. Returns whether it never did.
  func ascend(_ body: (UnsafePointer<Element>) -> Bool) -> Bool {
    withSlots { $0?.ascend(body) ?? true }
  }

  /// Visits the places of all elements downwards until `body` returns false. Returns whether it never
  /// did.
  func descend(_ body: (UnsafePointer<Element>) -> Bool) -> Bool {
    withSlots { $0?.descend(body) ?? true }
  }

  /// Inserts an element before the one that a path leads to, or behind the last of a leaf.
  /// - Parameter prefix: the element's in the order of the tree.
  /// - Complexity: O(log n)
  mutating func insert(_ element: Element, _ prefix: OrderPrefix, at path: BTreePath) {
    count += 1
    guard var node = root.take() else {
      let leaf = Node.make(height: 0, capacity: 1)
      leaf.slots.insert(element, prefix, at: 0)
      root = leaf
      return
    }
    if let right = Node.insert(element, prefix, path, 0, into: &node) {
      let left = node
      node = Node.make(height: left.slots.height + 1, capacity: 2)
      node.slots.insert(Node.Child(left), at: 0)
      node.slots.insert(right, at: 1)
    }
    root = node
  }

  /// - Complexity: O(log n)
  @discardableResult
  mutating func remove(at path: BTreePath) -> Element {
    guard var node = root.take() else { preconditionFailure("a path of another tree") }
    let element = Node.remove(path, 0, from: &node)
    count -= 1
    root = withExtendedLifetime(node) {
      let slots = node.slots
      return slots.isLeaf || slots.width > 1 ? node : slots.children[0].node
    }
    return element
  }

  /// Changes the element that a path leads to; it has to keep its position in the order.
  /// - Complexity: O(log n)
  @inline(__always)
  mutating func update(at path: BTreePath, _ body: (inout Element) -> Void) {
    guard var node = root.take() else { preconditionFailure("a path of another tree") }
    body(&Node.own(path, in: &node).pointee)
    Node.refreshFirsts(path, 0, node.slots)
    root = node
  }

  // MARK: -

  /// Calls `body` with the slots of the root, nil for none. The tree keeps every node below alive
  /// meanwhile: who changes a copy of it copies the nodes.
  @inline(__always)
  private func withSlots<Result>(_ body: (BTreeSlots<Element>?) -> Result) -> Result {
    let root = root
    return withExtendedLifetime(root) { body(root?.slots) }
  }
}

extension Optional where Wrapped: AnyObject {
  /// The object, leaving nil, so that the one reference moves.
  @inline(__always)
  fileprivate mutating func take() -> Wrapped? {
    defer { self = nil }
    return self
  }
}
