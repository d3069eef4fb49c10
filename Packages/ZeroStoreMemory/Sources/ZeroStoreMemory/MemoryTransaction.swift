@_spi(Engine) import ZeroProtocol
import ZeroStoreCore

/// What a closure of a memory store gets: trees of its own, which share all that is unchanged with the
/// committed ones.
final class MemoryTransaction: RowKeeping {
  private(set) var trees: [ByteTree]
  private let tables: TableNames
  private let limits: RecordLimits
  private let database: String
  private let isWritable: Bool
  private var isOpen = true
  private var lending = 0

  init(
    _ trees: [ByteTree], tables: TableNames, limits: RecordLimits, database: String,
    isWritable: Bool
  ) {
    self.trees = trees
    self.tables = tables
    self.limits = limits
    self.database = database
    self.isWritable = isWritable
  }

  /// Makes every later use throw `closed`.
  func end() {
    isOpen = false
    trees = []
  }

  func get<Result>(
    _ table: StoreTable, _ key: RawSpan, _ body: (RawSpan?) throws -> Result
  ) throws -> Result {
    let tree = trees[try enter(table)]
    lending += 1
    defer { lending -= 1 }
    return try tree.get(key, body)
  }

  func scan(
    _ table: StoreTable, prefix: RawSpan, after: RawSpan?,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    let tree = trees[try enter(table)]
    let range = KeyRange(prefix: prefix, after: after)
    lending += 1
    defer { lending -= 1 }
    try tree.scan(from: range.lower, to: range.upper, body)
  }

  func put(_ table: StoreTable, _ key: RawSpan, _ value: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    try limits.check(keyBytes: key.byteCount, valueBytes: value.byteCount)
    trees[ordinal].put(key, value)
  }

  func put(
    _ table: StoreTable, _ key: RowRecordKey, format: UInt8, _ row: Row
  ) throws(StoreError) {
    let ordinal = try enterChange(table)
    let textCount = key.column.map { row.withPackedBytes(of: $0) { $0.count } } ?? 0
    try limits.check(
      keyBytes: key.head.count + textCount, valueBytes: 1 + row.withPackedBytes { $0.count })
    trees[ordinal].put(Record(key: key, format: format, row: row))
  }

  func rows(_ table: StoreTable, prefix: [UInt8]) throws -> ContiguousArray<Row>? {
    let tree = trees[try enter(table)]
    let range = KeyRange(prefix: prefix.span.bytes)
    return tree.rows(from: range.lower, to: range.upper)
  }

  func delete(_ table: StoreTable, _ key: RawSpan) throws(StoreError) {
    trees[try enterChange(table)].delete(key)
  }

  func deletePrefix(_ table: StoreTable, _ prefix: RawSpan) throws(StoreError) {
    let range = KeyRange(prefix: prefix)
    trees[try enterChange(table)].delete(from: range.lower, to: range.upper)
  }

  // MARK: -

  private func enter(_ table: StoreTable) throws(StoreError) -> Int {
    guard isOpen else {
      throw StoreError(
        .closed, database: database,
        message: "a snapshot was used after its closure ended; use it inside only")
    }
    return try tables.ordinal(table)
  }

  private func enterChange(_ table: StoreTable) throws(StoreError) -> Int {
    let ordinal = try enter(table)
    guard isWritable, lending == 0 else {
      throw StoreError(
        .misuse, database: database,
        message: isWritable
          ? "a change was made while bytes were on loan; finish the scan first"
          : "a change was made in a read; use a write")
    }
    return ordinal
  }
}
