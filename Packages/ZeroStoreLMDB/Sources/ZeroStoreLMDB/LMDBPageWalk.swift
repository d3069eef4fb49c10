import ZeroStoreCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The walk of an ``LMDBFileCheck`` over the bytes of a file.
struct LMDBPageWalk {
  /// What is wrong with the file.
  struct Damage: Error {
    let what: String
  }

  /// The state to walk: each commit leaves the pages of the one before it as they are.
  enum State {
    case newest, previous
  }

  /// What there is in a sound file.
  struct Findings {
    /// The number of the state's commit.
    var commit: UInt64 = 0
    var digest = StateDigest()
    /// nil if commits carry none.
    var seal: CommitSeal?

    /// Whether all of a sealed commit is there; false also if it is not sealed.
    var isSealed: Bool { seal == CommitSeal(commit: commit, digest: digest) }
  }

  /// A tree as its parent describes it.
  private struct Tree {
    var flags: UInt16
    var depth: Int
    var branchPages: UInt64
    var leafPages: UInt64
    var overflowPages: UInt64
    var entries: UInt64
    var root: UInt64
  }

  /// What a tree holds. Only the list of tables holds trees, which bounds how deep the walk can go.
  private enum TreeKind: Equatable {
    case freePages, listOfTables, notes, foreign
    case records(factor: UInt64)

    /// What the table of this name holds.
    init(table name: UnsafeRawBufferPointer) {
      if name.starts(with: "t_".utf8) {
        self = .records(factor: StateDigest.factor(name))
      } else {
        self = name.elementsEqual(LMDBLayout.notes.utf8) ? .notes : .foreign
      }
    }
  }

  /// Between which keys those of a page lie: from `lower`, unless nil, to below `upper`, unless nil.
  private struct Bounds {
    var lower: UnsafeRawBufferPointer?
    var upper: UnsafeRawBufferPointer?
  }

  /// A node that lies within its page.
  private struct Node {
    let start: Int
    let key: UnsafeRawBufferPointer
  }

  /// What a meta page says.
  private struct Meta {
    /// Number of the commit that wrote it.
    var commit: UInt64
    var lastPage: UInt64
    var free: Tree
    var main: Tree
  }

  private struct Counts {
    var branchPages: UInt64 = 0
    var leafPages: UInt64 = 0
    var overflowPages: UInt64 = 0
    var entries: UInt64 = 0
  }

  private let file: UnsafeRawBufferPointer
  private let state: State
  private let comparesChecksums: Bool
  private var findings = Findings()
  private var pageSize = 4096
  private var pageCount: UInt64 = 0
  private var lastPage: UInt64 = 0
  private var reached: [Bool] = []
  /// The last commit that freed pages which are still free.
  private var lastFreeing: UInt64 = 0

  private static let headerBytes = 16
  private static let nodeBytes = 8
  private static let treeBytes = 48
  private static let noPage = UInt64.max
  private static let magic: UInt32 = 0xBEEF_C0DE

  // Kinds of pages and of nodes.
  private static let branch: UInt16 = 0x01
  private static let leaf: UInt16 = 0x02
  private static let overflow: UInt16 = 0x04
  private static let meta: UInt16 = 0x08
  private static let bigData: UInt16 = 0x01
  private static let subTree: UInt16 = 0x02

  // Flags of trees, and of the file.
  private static let integerKeys: UInt16 = 0x08
  private static let noFolder: UInt16 = 0x4000

  /// - Parameter comparesChecksums: whether each record is compared with its checksum.
  init(
    file: UnsafeRawBufferPointer, state: State = .newest, comparesChecksums: Bool = false
  ) {
    self.file = file
    self.state = state
    self.comparesChecksums = comparesChecksums
  }

  mutating func run() throws(Damage) -> Findings {
    let (newer, older) = try readMeta()
    let meta = state == .newest ? newer : older
    findings.commit = meta.commit
    lastPage = meta.lastPage
    guard lastPage < UInt64(Int.max / pageSize) else {
      throw Damage(what: "its number of pages is impossible")
    }
    reached = [Bool](repeating: false, count: Int(pageCount))
    reached[0] = true
    reached[1] = true
    var freePages: [UInt64] = []
    _ = try walk(tree: meta.free, kind: .freePages, freePages: &freePages)
    try checkCommits(meta, before: state == .newest ? older : nil)
    _ = try walk(tree: meta.main, kind: .listOfTables, freePages: &freePages)
    for page in freePages where page < pageCount {
      guard !reached[Int(page)] else { throw Damage(what: "page \(page) is free and in use") }
      reached[Int(page)] = true
    }
    // Pages at the end that were never written are free.
    let unwritten = freePages.filter { $0 >= pageCount }.sorted()
    guard unwritten.elementsEqual(pageCount..<max(pageCount, lastPage + 1)) else {
      throw Damage(what: "pages are missing at its end")
    }
    return findings
  }

  /// A meta page that takes the place of the one after `commit`, and the place: that of a state with no
  /// tables, one commit older.
  static func emptyMetaPage(
    of file: UnsafeRawBufferPointer, before commit: UInt64
  ) -> (bytes: [UInt8], offset: Int) {
    let pageSize = Int(file.loadUnaligned(fromByteOffset: headerBytes + 24, as: UInt32.self))
    let index = 1 - Int(commit % 2)
    var bytes = [UInt8](file[(1 - index) * pageSize..<(2 - index) * pageSize])
    func store(_ value: UInt64, at offset: Int) {
      withUnsafeBytes(of: value) { bytes.replaceSubrange(offset..<offset + 8, with: $0) }
    }
    store(UInt64(index), at: 0)
    for tree in [24, 24 + treeBytes] {
      bytes[headerBytes + tree + 6] = 0
      bytes[headerBytes + tree + 7] = 0
      for count in stride(from: 8, to: 40, by: 8) { store(0, at: headerBytes + tree + count) }
      store(noPage, at: headerBytes + tree + 40)
    }
    store(1, at: headerBytes + 120)
    store(commit - 1, at: headerBytes + 128)
    return (bytes, index * pageSize)
  }

  // MARK: -

  /// Reads both meta pages.
  private mutating func readMeta() throws(Damage) -> (newer: Meta, older: Meta) {
    pageSize = Int(try load(UInt32.self, at: Self.headerBytes + 24))
    guard [512, 1024, 2048, 4096, 8192, 16384, 32768].contains(pageSize) else {
      throw Damage(what: "its first page is not one of LMDB's")
    }
    pageCount = UInt64(file.count / pageSize)
    guard pageCount >= 2 else { throw Damage(what: "it has only \(file.count) bytes") }
    let (first, second) = (try meta(0), try meta(1))
    // Commits write the two in turn.
    let (newer, older) = second.commit > first.commit ? (second, first) : (first, second)
    let follow =
      first.commit % 2 == 0 && second.commit % 2 == 1 && newer.commit - older.commit == 1
    guard follow || newer.commit == 0 else {
      throw Damage(what: "its meta pages are not of two commits in a row")
    }
    return (newer, older)
  }

  private func meta(_ index: Int) throws(Damage) -> Meta {
    let page = index * pageSize
    let start = page + Self.headerBytes
    guard try load(UInt64.self, at: page) == UInt64(index),
      try load(UInt16.self, at: page + 10) == Self.meta,
      try load(UInt32.self, at: start) == Self.magic,
      try load(UInt32.self, at: start + 4) == 1,
      try load(UInt32.self, at: start + 24) == UInt32(pageSize)
    else { throw Damage(what: "meta page \(index) is damaged") }
    var free = try tree(at: start + 24)
    // Of this tree's flags one is of the file: that it has no folder of its own.
    free.flags &= ~Self.noFolder
    return Meta(
      commit: try load(UInt64.self, at: start + 128),
      lastPage: try load(UInt64.self, at: start + 120),
      free: free, main: try tree(at: start + 24 + Self.treeBytes))
  }

  /// Checks the numbers of the commits, of which a wrong one makes the library take the state before the
  /// last commit for the present one.
  ///
  /// Every commit but the first frees pages, the old root of the list of tables at least, keeps a list of
  /// them under its number, and leaves those of the two commits before it alone. The list of the older page
  /// may be damaged after a power loss, but only by the third commit after its own.
  private func checkCommits(_ meta: Meta, before older: Meta?) throws(Damage) {
    let isLast = meta.commit > 1 ? lastFreeing == meta.commit : lastFreeing <= meta.commit
    guard isLast, older.flatMap({ lastKey(ofFree: $0.free) }) != meta.commit + 1 else {
      throw Damage(what: "a meta page has the number of another commit")
    }
  }

  /// The last key of a tree of free pages, nil if there is none or the tree is damaged.
  private func lastKey(ofFree tree: Tree) -> UInt64? {
    guard (1...32).contains(tree.depth) else { return nil }
    do {
      var number = tree.root
      for level in stride(from: tree.depth, through: 1, by: -1) {
        guard number >= 2, number < pageCount else { return nil }
        let page = Int(number) * pageSize
        guard try load(UInt64.self, at: page) == number else { return nil }
        let (upper, nodeCount) = try bounds(ofPage: number, at: page, isLeaf: level == 1)
        let node = try node(nodeCount - 1, of: number, at: page, upper)
        if level > 1 {
          number = try child(node)
        } else if node.key.count == 8 {
          return node.key.loadUnaligned(as: UInt64.self)
        }
      }
    } catch {}
    return nil
  }

  private func tree(at offset: Int) throws(Damage) -> Tree {
    Tree(
      flags: try load(UInt16.self, at: offset + 4),
      depth: Int(try load(UInt16.self, at: offset + 6)),
      branchPages: try load(UInt64.self, at: offset + 8),
      leafPages: try load(UInt64.self, at: offset + 16),
      overflowPages: try load(UInt64.self, at: offset + 24),
      entries: try load(UInt64.self, at: offset + 32), root: try load(UInt64.self, at: offset + 40))
  }

  private mutating func walk(
    tree: Tree, kind: TreeKind, freePages: inout [UInt64]
  ) throws(Damage) -> Counts {
    guard tree.flags == (kind == .freePages ? Self.integerKeys : 0) else {
      throw Damage(what: "a tree has an unknown kind")
    }
    var counts = Counts()
    if tree.root == Self.noPage {
      guard tree.entries == 0, tree.depth == 0 else { throw Damage(what: "a tree lost its root") }
      return counts
    }
    guard tree.depth >= 1, tree.depth <= 32 else { throw Damage(what: "a tree is too deep") }
    try walk(
      page: tree.root, level: tree.depth, kind: kind, within: Bounds(), counts: &counts,
      freePages: &freePages)
    guard counts.branchPages == tree.branchPages, counts.leafPages == tree.leafPages,
      counts.overflowPages == tree.overflowPages, counts.entries == tree.entries
    else { throw Damage(what: "a tree has other pages or entries than it should") }
    return counts
  }

  /// Visits a page; `level` is 1 at the leaves.
  private mutating func walk(
    page number: UInt64, level: Int, kind: TreeKind, within bounds: Bounds, counts: inout Counts,
    freePages: inout [UInt64]
  ) throws(Damage) {
    let page = try enter(number)
    let isLeaf = level == 1
    let (upper, nodeCount) = try self.bounds(ofPage: number, at: page, isLeaf: isLeaf)
    if isLeaf { counts.leafPages += 1 } else { counts.branchPages += 1 }
    var tiling = NodeTiling(from: upper, to: pageSize)
    var node = try node(0, of: number, at: page, upper)
    for index in 0..<nodeCount {
      let isLast = index == nodeCount - 1
      let next = isLast ? node : try self.node(index + 1, of: number, at: page, upper)
      if isLeaf {
        let isBounded =
          (index > 0 || isOrdered(bounds.lower, node.key, kind, orEqual: true))
          && isOrdered(node.key, isLast ? bounds.upper : next.key, kind)
        guard isBounded else { throw Damage(what: "keys of page \(number) are out of order") }
        counts.entries += 1
        let dataBytes = try visit(
          leafNode: node, of: number, kind: kind, counts: &counts, freePages: &freePages)
        tiling.add(node.start - page, Self.nodeBytes + node.key.count + dataBytes)
      } else {
        tiling.add(node.start - page, Self.nodeBytes + node.key.count)
        // The first key of a branch stands for everything below the second and is empty.
        let part = Bounds(
          lower: index == 0 ? bounds.lower : node.key, upper: isLast ? bounds.upper : next.key)
        try walk(
          page: try child(node), level: level - 1, kind: kind, within: part, counts: &counts,
          freePages: &freePages)
      }
      node = next
    }
    guard tiling.isWhole else { throw Damage(what: "the nodes of page \(number) do not fill it") }
  }

  /// Where the nodes of a page begin, and how many there are.
  private func bounds(
    ofPage number: UInt64, at page: Int, isLeaf: Bool
  ) throws(Damage) -> (upper: Int, nodeCount: Int) {
    guard try load(UInt16.self, at: page + 10) == (isLeaf ? Self.leaf : Self.branch) else {
      throw Damage(what: "page \(number) has another kind than its place needs")
    }
    let lower = Int(try load(UInt16.self, at: page + 12))
    let upper = Int(try load(UInt16.self, at: page + 14))
    guard lower >= Self.headerBytes, lower % 2 == 0, lower <= upper, upper <= pageSize else {
      throw Damage(what: "page \(number) has impossible bounds")
    }
    let nodeCount = (lower - Self.headerBytes) / 2
    guard nodeCount >= (isLeaf ? 1 : 2) else { throw Damage(what: "page \(number) is empty") }
    return (upper, nodeCount)
  }

  private func node(
    _ index: Int, of number: UInt64, at page: Int, _ upper: Int
  ) throws(Damage) -> Node {
    let node = Int(try load(UInt16.self, at: page + Self.headerBytes + 2 * index))
    guard node >= upper, node + Self.nodeBytes <= pageSize else {
      throw Damage(what: "a node of page \(number) lies outside of it")
    }
    let start = page + node
    let keyBytes = Int(try load(UInt16.self, at: start + 6))
    guard node + Self.nodeBytes + keyBytes <= pageSize else {
      throw Damage(what: "a key of page \(number) lies outside of it")
    }
    return Node(
      start: start, key: UnsafeRawBufferPointer(rebasing: file[start + 8..<start + 8 + keyBytes]))
  }

  /// The page a node of a branch leads to.
  private func child(_ node: Node) throws(Damage) -> UInt64 {
    let low = UInt64(try load(UInt32.self, at: node.start))
    return low | UInt64(try load(UInt16.self, at: node.start + 4)) << 32
  }

  /// Visits what a node of a leaf holds, and returns how many bytes of it are in the page.
  private mutating func visit(
    leafNode node: Node, of number: UInt64, kind: TreeKind, counts: inout Counts,
    freePages: inout [UInt64]
  ) throws(Damage) -> Int {
    let dataBytes = Int(try load(UInt32.self, at: node.start))
    let flags = try load(UInt16.self, at: node.start + 4)
    var data = node.start + Self.nodeBytes + node.key.count
    let inPage = flags & Self.bigData == 0 ? dataBytes : 8
    let end = (node.start / pageSize + 1) * pageSize
    guard inPage <= end - data else {
      throw Damage(what: "a value of page \(number) lies outside of it")
    }
    if flags & Self.bigData != 0 {
      data = try enterOverflow(try load(UInt64.self, at: data), dataBytes, &counts)
    }
    switch flags & ~Self.bigData {
    case 0:
      if kind == .freePages {
        lastFreeing = node.key.loadUnaligned(as: UInt64.self)
        // The library would take the pages of a commit 0 twice.
        guard lastFreeing > 0 else { throw Damage(what: "pages are free that no commit freed") }
        try readFreePages(at: data, dataBytes, &freePages)
      } else {
        try read(node.key, UnsafeRawBufferPointer(rebasing: file[data..<data + dataBytes]), kind)
      }
    case Self.subTree where dataBytes == Self.treeBytes && kind == .listOfTables:
      _ = try walk(
        tree: try tree(at: data), kind: TreeKind(table: node.key), freePages: &freePages)
    default: throw Damage(what: "a node of page \(number) has an unknown kind")
    }
    return inPage
  }

  private mutating func read(
    _ key: UnsafeRawBufferPointer, _ stored: UnsafeRawBufferPointer, _ kind: TreeKind
  ) throws(Damage) {
    switch kind {
    case .notes:
      if key.elementsEqual(CommitSeal.key.utf8) { findings.seal = CommitSeal(stored) }
    case .records(let factor):
      guard let checksum = RecordChecksum.stored(in: stored),
        !comparesChecksums || RecordChecksum.value(in: stored, key: key) != nil
      else { throw Damage(what: "a record has another checksum than when it was written") }
      findings.digest.add(checksum, factor: factor)
    case .freePages, .listOfTables, .foreign: break
    }
  }

  /// Marks the pages of a large value and returns where the value begins.
  private mutating func enterOverflow(
    _ number: UInt64, _ dataBytes: Int, _ counts: inout Counts
  ) throws(Damage) -> Int {
    let page = try enter(number)
    let pages = Int(try load(UInt32.self, at: page + 12))
    let flags = try load(UInt16.self, at: page + 10)
    // A smaller value that replaced a larger one keeps all of its pages.
    let needed = (Self.headerBytes + dataBytes + pageSize - 1) / pageSize
    guard flags == Self.overflow, pages >= needed, UInt64(pages) <= pageCount else {
      throw Damage(what: "page \(number) does not hold the large value it should")
    }
    for next in 1..<max(1, pages) { _ = try mark(number + UInt64(next)) }
    counts.overflowPages += UInt64(pages)
    return page + Self.headerBytes
  }

  private func readFreePages(
    at offset: Int, _ dataBytes: Int, _ freePages: inout [UInt64]
  ) throws(Damage) {
    let count = try load(UInt64.self, at: offset)
    guard dataBytes >= 8, count <= UInt64(dataBytes / 8 - 1) else {
      throw Damage(what: "a list of free pages is longer than its place")
    }
    var previous = lastPage + 1
    for index in 0..<Int(count) {
      let page = try load(UInt64.self, at: offset + 8 + 8 * index)
      guard page >= 2, page < previous else {
        throw Damage(what: "page \(page) is free and does not exist, or is out of order")
      }
      previous = page
      freePages.append(page)
    }
  }

  /// The offset of a page that says its own number and is reached for the first time.
  private mutating func enter(_ number: UInt64) throws(Damage) -> Int {
    let page = try mark(number)
    guard try load(UInt64.self, at: page) == number else {
      throw Damage(what: "page \(number) has another number")
    }
    return page
  }

  private mutating func mark(_ number: UInt64) throws(Damage) -> Int {
    guard number >= 2, number < pageCount, number <= lastPage else {
      throw Damage(what: "page \(number) is missing")
    }
    guard !reached[Int(number)] else { throw Damage(what: "page \(number) is in two places") }
    reached[Int(number)] = true
    return Int(number) * pageSize
  }

  /// Whether a key comes before another one of a tree; nil is before and behind all.
  private func isOrdered(
    _ left: UnsafeRawBufferPointer?, _ right: UnsafeRawBufferPointer?, _ kind: TreeKind,
    orEqual: Bool = false
  ) -> Bool {
    if kind == .freePages {
      guard left.map({ $0.count == 8 }) ?? true, right.map({ $0.count == 8 }) ?? true else {
        return false
      }
      guard let left, let right else { return true }
      let (low, high) = (
        left.loadUnaligned(as: UInt64.self), right.loadUnaligned(as: UInt64.self)
      )
      return low < high || orEqual && low == high
    }
    guard let left, let right else { return true }
    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else { return false }
    let order = memcmp(leftStart, rightStart, min(left.count, right.count))
    guard order == 0 else { return order < 0 }
    return left.count < right.count || orEqual && left.count == right.count
  }

  private func load<T: FixedWidthInteger & BitwiseCopyable>(
    _ type: T.Type, at offset: Int
  ) throws(Damage) -> T {
    guard offset >= 0, offset <= file.count - MemoryLayout<T>.size else {
      throw Damage(what: "it ends too early")
    }
    return file.loadUnaligned(fromByteOffset: offset, as: type)
  }
}
