#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The walk of an ``SQLiteFileCheck`` over the bytes of a file.
struct SQLitePageWalk: ~Copyable {
  /// What is wrong with the file.
  struct Damage: Error {
    let what: String
    /// The system's code if the file could not be read.
    var errno: Int32 = 0
  }

  /// What a tree holds.
  private enum TreeKind {
    case schema, names, records, another
  }

  /// A page whose cells and children are being visited.
  private struct Level {
    let page: SQLiteTreePage
    /// The next child.
    var step = 0
  }

  /// The last key that was met in a tree.
  private struct LastKey {
    /// The beginning of a key in an index.
    var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    var byteCount = 0
    var rowID: Int64?
  }

  private let header: SQLiteFileHeader
  private var reader: SQLitePageReader
  /// Room for a page of each level, for a page that is in no tree, and for the last key of a leaf.
  private let pages: UnsafeMutableRawPointer
  /// A bit for each page.
  private var reached: [UInt64]
  private var reachedCount = 0
  private var space: SQLitePageSpace
  private var schema: [SQLiteSchemaEntry] = []

  /// More levels than the library follows.
  private static let maxLevels = 20
  /// Where the library's locks lie; the page has no content.
  private static let lockOffset = 0x4000_0000

  init(descriptor: Int32, header: SQLiteFileHeader) {
    self.header = header
    reader = SQLitePageReader(descriptor: descriptor, pageBytes: header.pageBytes)
    pages = .allocate(byteCount: (Self.maxLevels + 2) * header.pageBytes, alignment: 4096)
    reached = [UInt64](repeating: 0, count: header.pageCount / 64 + 1)
    space = SQLitePageSpace(pageBytes: header.pageBytes)
  }

  deinit { pages.deallocate() }

  /// - Returns: what is in the file besides the store's own things, which the library's own check has to
  ///   look at; nil if there is nothing.
  mutating func run() throws(Damage) -> String? {
    var unusual = header.unusual
    let lockPage = Self.lockOffset / header.pageBytes + 1
    if lockPage <= header.pageCount { try mark(lockPage) }
    if header.isAutoVacuum { try markPointerMaps(lockPage) }
    try walk(root: 1, .schema)
    for entry in schema {
      let kind: TreeKind =
        switch entry.owner {
        case .names: .names
        case .records: .records
        case .another: .another
        }
      if kind == .another { unusual = unusual ?? "another program has added \"\(entry.name)\"" }
      if let root = entry.root { try walk(root: root, kind) }
    }
    try walkFreePages()
    guard reachedCount == header.pageCount else {
      let lost = (1...header.pageCount).first { reached[$0 / 64] & 1 << UInt64($0 % 64) == 0 }
      throw Damage(what: "page \(lost ?? 0) belongs to nothing")
    }
    return unusual
  }

  // MARK: -

  /// Visits all cells of a tree in the order of their keys.
  private mutating func walk(root: Int, _ kind: TreeKind) throws(Damage) {
    var levels = [Level(page: try enter(root, level: 0))]
    let isIndex = levels[0].page.kind.isIndex
    guard kind == .another || isIndex == (kind != .schema) else {
      throw Damage(what: "page \(root) is of another kind than its place needs")
    }
    var leafLevel: Int?
    var last = LastKey()
    while let level = levels.last {
      let page = level.page
      guard !page.kind.isLeaf else {
        guard levels.count == leafLevel ?? levels.count else {
          throw Damage(what: "page \(page.number) is deeper than others of its tree")
        }
        leafLevel = levels.count
        for index in 0..<page.cellCount { try visit(index, of: page, kind, &last) }
        keep(&last)
        levels.removeLast()
        continue
      }
      if level.step > 0, level.step <= page.cellCount {
        try visit(level.step - 1, of: page, kind, &last)
      }
      guard level.step <= page.cellCount else {
        levels.removeLast()
        continue
      }
      levels[levels.count - 1].step += 1
      guard levels.count < Self.maxLevels else { throw Damage(what: "a tree is too deep") }
      let number =
        level.step == page.cellCount ? page.lastChild : try page.cell(level.step).child
      let child = try enter(number, level: levels.count)
      guard child.kind.isIndex == isIndex else {
        throw Damage(what: "page \(number) is of another kind than its place needs")
      }
      levels.append(Level(page: child))
    }
  }

  /// Reaches a page and checks that its cells fill it.
  private mutating func enter(_ number: Int, level: Int) throws(Damage) -> SQLiteTreePage {
    let page = try SQLiteTreePage(
      number: number, start: try load(number, place: level), usable: header.usableBytes)
    space.clear()
    for index in 0..<page.cellCount {
      let cell = try page.cell(index)
      guard space.mark(cell.offset, cell.byteCount) else {
        throw Damage(what: "two cells of page \(number) are in one place")
      }
    }
    try page.account(&space)
    return page
  }

  @inline(__always)
  private mutating func visit(
    _ index: Int, of page: SQLiteTreePage, _ kind: TreeKind, _ last: inout LastKey
  ) throws(Damage) {
    let cell = try page.cell(index)
    switch kind {
    case .names, .records:
      let payload = page.bytes(cell.payload)
      let record = SQLiteRecord(payload, byteCount: cell.payloadBytes, isText: kind == .names)
      guard let record else { throw Damage(what: "a record of page \(page.number) is damaged") }
      let key = UnsafeRawBufferPointer(
        rebasing: payload[record.key.clamped(to: 0..<payload.count)])
      guard Self.isOrdered(last, key, record.key.count) else {
        throw Damage(what: "keys of page \(page.number) are out of order")
      }
      last.bytes = key
      last.byteCount = record.key.count
    case .schema:
      // A row's number is also that of the inner cell above it.
      guard cell.rowID > last.rowID ?? .min || (!page.kind.isLeaf && cell.rowID == last.rowID)
      else {
        throw Damage(what: "rows of page \(page.number) are out of order")
      }
      last.rowID = cell.rowID
      if page.kind.isLeaf { return try addEntry(cell, of: page) }
    case .another: break
    }
    if cell.payload.count < cell.payloadBytes { try follow(cell) { _ in } }
  }

  private mutating func addEntry(
    _ cell: SQLiteTreePage.Cell, of page: SQLiteTreePage
  ) throws(Damage) {
    var record = Array(page.bytes(cell.payload))
    try follow(cell) { record += $0 }
    let entry: Result<SQLiteSchemaEntry, Damage> = record.withUnsafeBytes { bytes in
      Result { () throws(Damage) in try SQLiteSchemaEntry(bytes) }
    }
    schema.append(try entry.get())
  }

  /// Goes along the pages of what of a payload is not in the cell.
  private mutating func follow(
    _ cell: SQLiteTreePage.Cell, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(Damage) {
    var rest = cell.payloadBytes - cell.payload.count
    var next = cell.overflow
    while rest > 0 {
      let page = try load(next, place: Self.maxLevels)
      let count = min(rest, header.usableBytes - 4)
      body(UnsafeRawBufferPointer(start: page + 4, count: count))
      rest -= count
      next = SQLiteTreePage.word(page, 0)
    }
    guard next == 0 else { throw Damage(what: "a large value is longer than it should be") }
  }

  private mutating func walkFreePages() throws(Damage) {
    var count = 0
    var next = header.firstFreeList
    while next != 0 {
      let page = try load(next, place: Self.maxLevels)
      let length = SQLiteTreePage.word(page, 4)
      guard length >= 0, length <= header.usableBytes / 4 - 2 else {
        throw Damage(what: "a list of free pages is longer than its place")
      }
      for index in 0..<length { try mark(SQLiteTreePage.word(page, 8 + 4 * index)) }
      count += 1 + length
      next = SQLiteTreePage.word(page, 0)
    }
    guard count == header.freePageCount else {
      throw Damage(what: "it has \(count) free pages and should have \(header.freePageCount)")
    }
  }

  /// Reaches the pages in which a database that vacuums itself notes what each page belongs to. What is
  /// in them is left to the library's check.
  private mutating func markPointerMaps(_ lockPage: Int) throws(Damage) {
    let step = header.usableBytes / 5 + 1
    for number in stride(from: 2, through: header.pageCount, by: step) {
      let page = number == lockPage ? number + 1 : number
      if page <= header.pageCount { try mark(page) }
    }
  }

  /// Moves the last key out of a leaf's place, to which the next leaf is read.
  private func keep(_ last: inout LastKey) {
    guard let start = last.bytes.baseAddress else { return }
    let place = pages + (Self.maxLevels + 1) * header.pageBytes
    place.copyMemory(from: start, byteCount: last.bytes.count)
    last.bytes = UnsafeRawBufferPointer(start: place, count: last.bytes.count)
  }

  /// Reaches a page and reads it.
  private mutating func load(_ number: Int, place: Int) throws(Damage) -> UnsafeRawPointer {
    try mark(number)
    let target = pages + place * header.pageBytes
    try reader.read(number, to: target)
    return UnsafeRawPointer(target)
  }

  /// Reaches a page, for the first time.
  private mutating func mark(_ number: Int) throws(Damage) {
    guard number >= 1, number <= header.pageCount else {
      throw Damage(what: "page \(number) is missing")
    }
    let bit: UInt64 = 1 << UInt64(number % 64)
    guard reached[number / 64] & bit == 0 else {
      throw Damage(what: "page \(number) is in two places")
    }
    reached[number / 64] |= bit
    reachedCount += 1
  }

  /// Whether a key of `byteCount` bytes may follow another. Of a long key only the beginning is known.
  @inline(__always)
  private static func isOrdered(
    _ last: LastKey, _ key: UnsafeRawBufferPointer, _ byteCount: Int
  ) -> Bool {
    guard let left = last.bytes.baseAddress, let right = key.baseAddress else { return true }
    let order = memcmp(left, right, min(last.bytes.count, key.count))
    if order != 0 { return order < 0 }
    let isKnown = last.bytes.count == last.byteCount && key.count == byteCount
    return !isKnown || last.byteCount < byteCount
  }
}
