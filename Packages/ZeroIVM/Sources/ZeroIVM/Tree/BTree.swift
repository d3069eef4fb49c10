/// A sorted sequence as a B+ tree with counted subtrees, as a value.
///
/// Elements are in the leaves; an inner node knows of every child the key of its first element and how
/// many elements it has, so that the tree is searched by order and addressed by place. Copies share all
/// nodes; a change copies the nodes on one path unless nobody else has them. The order is the
/// caller's: it is passed to each search and has to be the same every time.
///
/// Invariants: all leaves are equally deep; a node that is not the root has at least
/// `minimum` elements; an inner root has at least two children.
struct BTree<Element: BTreeElement> {
  typealias Node = BTreeNode<Element>

  private(set) var root: Node = .leaf([])
  private(set) var count = 0

  init() {}

  /// Builds the tree of elements that are in order already.
  /// - Complexity: O(n)
  init(sorted elements: ContiguousArray<Element>) {
    count = elements.count
    guard elements.count > Node.maximum else {
      root = .leaf(elements)
      return
    }
    var level: ContiguousArray<BTreeChild<Element>> = []
    let ranges = Node.evenRanges(elements.count)
    level.reserveCapacity(ranges.count)
    for range in ranges {
      let items = ContiguousArray(elements[range])
      level.append(BTreeChild(.leaf(items)))
    }
    while level.count > Node.maximum {
      level = ContiguousArray(
        Node.evenRanges(level.count).map { BTreeChild(ContiguousArray(level[$0])) })
    }
    root = .inner(level)
  }

  var isEmpty: Bool { count == 0 }

  /// The element at a place.
  /// - Complexity: O(log n)
  subscript(rank: Int) -> Element {
    precondition(rank >= 0 && rank < count, "place out of range")
    return root.element(at: rank)
  }

  /// Where an element is or would be, given the order of elements relative to it.
  /// - Complexity: O(log n)
  @inline(__always)
  func search(_ order: (UnsafeRawPointer) -> Int) -> (rank: Int, isFound: Bool) {
    var node = root
    var rank = 0
    while true {
      switch node {
      case .inner(let children):
        let next = children.childPoint { order($0) <= 0 }
        let place = Swift.max(next - 1, 0)
        for i in 0..<place { rank += children[i].count }
        node = children[place].node
      case .leaf(let items):
        let (place, isFound) = items.position(order)
        return (rank + place, isFound)
      }
    }
  }

  /// The element that `order` takes for equal.
  /// - Complexity: O(log n)
  @inline(__always)
  func find(_ order: (UnsafeRawPointer) -> Int) -> Element? {
    var node = root
    while true {
      switch node {
      case .inner(let children):
        node = children[Swift.max(children.childPoint { order($0) <= 0 } - 1, 0)].node
      case .leaf(let items):
        let (place, isFound) = items.position(order)
        return isFound ? items[place] : nil
      }
    }
  }

  /// Visits elements upwards from the first for which `isBefore` is false, until `body` returns
  /// false. Returns whether it never did.
  /// - Complexity: O(log n + visited)
  func ascend(
    from isBefore: (UnsafeRawPointer) -> Bool, _ body: (Element) -> Bool
  ) -> Bool {
    root.ascend(from: isBefore, body)
  }

  /// Visits elements downwards from the last for which `isBefore` is true, until `body` returns
  /// false. Returns whether it never did.
  /// - Complexity: O(log n + visited)
  func descend(
    from isBefore: (UnsafeRawPointer) -> Bool, _ body: (Element) -> Bool
  ) -> Bool {
    root.descend(from: isBefore, body)
  }

  /// Visits all elements downwards until `body` returns false. Returns whether it never did.
  func descend(_ body: (Element) -> Bool) -> Bool { root.descend(body) }

  /// Visits all elements upwards until `body` returns false. Returns whether it never did.
  func ascend(_ body: (Element) -> Bool) -> Bool { root.ascend(body) }

  /// Visits elements upwards from a place.
  func ascend(fromRank rank: Int, _ body: (Element) -> Bool) -> Bool {
    root.ascend(fromRank: rank, body)
  }

  /// - Complexity: O(log n)
  mutating func insert(_ element: Element, at rank: Int) {
    precondition(rank >= 0 && rank <= count, "place out of range")
    count += 1
    guard let right = root.insert(element, at: rank) else { return }
    let left = root
    root = .leaf([])
    root = .inner([BTreeChild(left), right])
  }

  /// - Complexity: O(log n)
  @discardableResult
  mutating func remove(at rank: Int) -> Element {
    precondition(rank >= 0 && rank < count, "place out of range")
    count -= 1
    let element = root.remove(at: rank)
    if case .inner(let children) = root, children.count == 1 { root = children[0].node }
    return element
  }

  /// Changes the element at a place; it has to keep its position in the order.
  /// - Complexity: O(log n)
  mutating func update(at rank: Int, _ body: (inout Element) -> Void) {
    precondition(rank >= 0 && rank < count, "place out of range")
    root.update(at: rank, body)
  }
}

extension BTree {
  /// The leaf with the element at a place, that element's place in it, and the children of the leaf's
  /// parent with the leaf's place among them; a root has none.
  func leaf(at rank: Int) -> (
    items: ContiguousArray<Element>, place: Int, siblings: ContiguousArray<BTreeChild<Element>>,
    sibling: Int
  ) {
    var node = root
    var offset = rank
    var siblings: ContiguousArray<BTreeChild<Element>> = []
    var sibling = 0
    while true {
      switch node {
      case .inner(let children):
        (sibling, offset) = children.place(of: offset)
        node = children[sibling].node
        siblings = children
      case .leaf(let items): return (items, offset, siblings, sibling)
      }
    }
  }
}
