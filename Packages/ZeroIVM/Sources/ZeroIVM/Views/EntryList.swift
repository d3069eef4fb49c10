@_spi(Engine) import ZeroProtocol

/// The entries of a list in their order, as a persistent collection.
///
/// Copies share everything that did not change between them; a change of one entry of n makes
/// O(log n) new nodes. `Array(list)` copies.
public struct EntryList: RandomAccessCollection, Sendable {
  private(set) var tree: SharedTree

  /// Safe to share, in place of a lock: nodes of the tree are changed only while it alone has them.
  struct SharedTree: @unchecked Sendable {
    var entries: BTree<Entry>
  }

  /// An empty list.
  public init() { tree = SharedTree(entries: BTree()) }

  /// A list of entries in their order.
  init(_ entries: ContiguousArray<Entry>, _ order: RowOrder) {
    tree = SharedTree(entries: BTree(sorted: entries) { order.prefix($0) })
  }

  /// A list of one entry, in no order.
  init(_ entry: Entry) {
    tree = SharedTree(entries: BTree(sorted: [entry]) { _ in .none })
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { tree.entries.count }
  public var count: Int { tree.entries.count }

  /// - Complexity: O(log n)
  public subscript(position: Int) -> Entry { tree.entries[position] }

  /// - Complexity: O(log n) for the first entry and one of many leaves after it, O(1) for the others
  public func makeIterator() -> Iterator { Iterator(tree.entries, 0..<count) }

  /// - Complexity: O(1)
  public subscript(bounds: Range<Int>) -> EntrySlice { EntrySlice(self, bounds) }

  /// Whether both are the same list, not only equal ones.
  public func isIdentical(to other: EntryList) -> Bool {
    tree.entries.isIdentical(to: other.tree.entries)
  }

  public struct Iterator: IteratorProtocol {
    private var leaves: BTreeLeaves<Entry>

    init(_ entries: BTree<Entry>, _ range: Range<Int>) { leaves = BTreeLeaves(entries, range) }

    public mutating func next() -> Entry? { leaves.next() }
  }

  mutating func update<T>(_ body: (inout BTree<Entry>) -> T) -> T { body(&tree.entries) }
}

/// Part of a list, sharing it.
public struct EntrySlice: RandomAccessCollection, Sendable {
  private let list: EntryList
  private let bounds: Range<Int>

  init(_ list: EntryList, _ bounds: Range<Int>) {
    precondition(bounds.lowerBound >= 0 && bounds.upperBound <= list.count, "places out of range")
    self.list = list
    self.bounds = bounds
  }

  public var startIndex: Int { bounds.lowerBound }
  public var endIndex: Int { bounds.upperBound }

  /// - Complexity: O(log n)
  public subscript(position: Int) -> Entry { list[position] }

  public subscript(bounds: Range<Int>) -> EntrySlice { EntrySlice(list, bounds) }

  /// - Complexity: as of the list's
  public func makeIterator() -> EntryList.Iterator {
    EntryList.Iterator(list.tree.entries, bounds)
  }
}

extension BTree where Element == Entry {
  /// Where the entry of a row is or would be.
  func place(of row: Row, _ order: RowOrder) -> (path: BTreePath, isFound: Bool) {
    let target = RowTarget(row, order)
    return withExtendedLifetime((row, order)) { search(target) }
  }
}
