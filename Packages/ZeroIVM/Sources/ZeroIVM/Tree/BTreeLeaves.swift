/// Walks over a range of places of a ``BTree``, leaf by leaf.
struct BTreeLeaves<Element: BTreeElement> {
  /// Keeps alive what the rest points into.
  private let tree: BTree<Element>
  private var place: UnsafePointer<Element>?
  /// Where in the leaf to stop, and the places behind it.
  private var end: UnsafePointer<Element>?
  private var rest: Range<Int>
  /// The leaf's parent, so that the next one is mostly found without a walk down the tree, and which of
  /// its children is next.
  private var parent: BTreeSlots<Element>?
  private var sibling = 0

  /// - Parameter range: places of the tree.
  init(_ tree: BTree<Element>, _ range: Range<Int>) {
    self.tree = tree
    rest = range
  }

  @inline(__always)
  mutating func next() -> Element? {
    if place == end, !moveToNextLeaf() { return nil }
    defer { place = place.map { $0 + 1 } }
    return withExtendedLifetime(tree.root) { place?.pointee }
  }

  // MARK: -

  /// Returns false behind the last element.
  @inline(never)
  private mutating func moveToNextLeaf() -> Bool {
    guard !rest.isEmpty, var leaf = tree.root?.slots else { return false }
    var first = 0
    if let parent, sibling < parent.width {
      leaf = parent.child(sibling)
    } else {
      first = rest.lowerBound
      while !leaf.isLeaf {
        parent = leaf
        (sibling, first) = leaf.childPlace(of: first)
        leaf = leaf.child(sibling)
      }
    }
    sibling += 1
    let taken = Swift.min(leaf.width - first, rest.count)
    place = UnsafePointer(leaf.elements + first)
    end = place.map { $0 + taken }
    rest = rest.lowerBound + taken..<rest.upperBound
    return true
  }
}
