import CZeroSQLite
import ZeroProtocol
import ZeroStoreCore

/// What a closure of an SQLite store gets: a snapshot on a reading connection, or the one transaction
/// on the writing connection.
final class SQLiteTransaction: StoreTransaction {
  private let connection: SQLiteConnection
  private let tables: TableNames
  private let limits: RecordLimits
  private let database: String
  private let isWritable: Bool
  private let noted: (StoreError) -> StoreError
  private var isOpen = true
  /// Running closures that have bytes on loan.
  private var lending = 0
  /// Room for a value with its checksum. A buffer of a large value is not kept for small ones.
  private var sealed = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private static let keptBytes = 1 << 20
  /// The error after which nothing more may be written.
  private(set) var failure: StoreError?

  init(
    _ connection: SQLiteConnection, tables: TableNames, limits: RecordLimits, database: String,
    isWritable: Bool, noted: @escaping (StoreError) -> StoreError
  ) {
    self.connection = connection
    self.tables = tables
    self.limits = limits
    self.database = database
    self.isWritable = isWritable
    self.noted = noted
  }

  deinit { sealed.deallocate() }

  /// Makes every later use throw `closed`.
  func end() { isOpen = false }

  func get<Result>(
    _ table: StoreTable, _ key: RawSpan, _ body: (RawSpan?) throws -> Result
  ) throws -> Result {
    let ordinal = try enter(table)
    let statement = try connection.take(.get, ordinal)
    lending += 1
    defer {
      lending -= 1
      connection.giveBack(statement, .get, ordinal)
    }
    return try key.withUnsafeBytes { keyBytes in
      try bind(statement, 1, keyBytes)
      let code = sqlite3_step(statement)
      switch code {
      case SQLITE_ROW:
        let value = RecordChecksum.value(in: Self.blob(statement, 0), key: keyBytes)
        guard let value else { throw damaged() }
        return try body(value.bytes)
      case SQLITE_DONE: return try body(nil)
      default: throw fail(code, "read")
      }
    }
  }

  func scan(
    _ table: StoreTable, prefix: RawSpan, after: RawSpan?,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    let ordinal = try enter(table)
    let range = KeyRange(prefix: prefix, after: after)
    let operation: SQLiteConnection.Operation = range.upper == nil ? .scanFrom : .scanRange
    let statement = try connection.take(operation, ordinal)
    lending += 1
    defer {
      lending -= 1
      connection.giveBack(statement, operation, ordinal)
    }
    try bind(range, to: statement)
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        if code == SQLITE_DONE { return }
        throw fail(code, "scan")
      }
      let key = Self.blob(statement, 0)
      let value = RecordChecksum.value(in: Self.blob(statement, 1), key: key)
      guard let value else { throw damaged() }
      guard try body(key.bytes, value.bytes) else { return }
    }
  }

  func put(_ table: StoreTable, _ key: RawSpan, _ value: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    try limits.check(keyBytes: key.byteCount, valueBytes: value.byteCount)
    let statement = try connection.take(.put, ordinal)
    defer { connection.giveBack(statement, .put, ordinal) }
    try key.withUnsafeBytes { key throws(StoreError) in
      let count = value.withUnsafeBytes { seal($0, key: key) }
      try bind(statement, 1, key)
      try bind(statement, 2, UnsafeRawBufferPointer(start: sealed.baseAddress, count: count))
      try step(statement)
    }
  }

  func delete(_ table: StoreTable, _ key: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    let statement = try connection.take(.delete, ordinal)
    defer { connection.giveBack(statement, .delete, ordinal) }
    try key.withUnsafeBytes { keyBytes throws(StoreError) in
      try bind(statement, 1, keyBytes)
      try step(statement)
    }
  }

  func deletePrefix(_ table: StoreTable, _ prefix: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    let range = KeyRange(prefix: prefix)
    let operation: SQLiteConnection.Operation = range.upper == nil ? .deleteFrom : .deleteRange
    let statement = try connection.take(operation, ordinal)
    defer { connection.giveBack(statement, operation, ordinal) }
    try bind(range, to: statement)
    try step(statement)
  }

  /// The bytes of a column, valid until the statement is stepped or reset.
  @inline(__always)
  static func blob(_ statement: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer {
    // The pointer is asked for first: asking for the length first could convert the value.
    let start = sqlite3_column_blob(statement, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  // MARK: -

  @inline(__always)
  private func enter(_ table: StoreTable) throws(StoreError) -> Int {
    guard isOpen else {
      throw StoreError(
        .closed, database: database,
        message: "a snapshot was used after its closure ended; use it inside only")
    }
    if let failure { throw failure }
    return try tables.ordinal(table)
  }

  @inline(__always)
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

  @inline(__always)
  private func bind(
    _ statement: OpaquePointer, _ index: Int32, _ bytes: UnsafeRawBufferPointer
  ) throws(StoreError) {
    // A null pointer would bind NULL. The bytes stay in place until the statement is reset.
    let code =
      bytes.isEmpty
      ? sqlite3_bind_zeroblob(statement, index, 0)
      : sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), nil)
    guard code == SQLITE_OK else { throw fail(code, "bind a value") }
  }

  /// Binds the ends of a range. The library copies them, so they need not outlive the call.
  private func bind(_ range: KeyRange, to statement: OpaquePointer) throws(StoreError) {
    var code = sqlite3_bind_blob64(
      statement, 1, range.lower, UInt64(range.lower.count), SQLiteConnection.copies)
    if let upper = range.upper, code == SQLITE_OK {
      code = sqlite3_bind_blob64(
        statement, 2, upper, UInt64(upper.count), SQLiteConnection.copies)
    }
    guard code == SQLITE_OK else { throw fail(code, "bind a range") }
  }

  @inline(__always)
  private func step(_ statement: OpaquePointer) throws(StoreError) {
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw fail(code, "write") }
  }

  /// Puts a value and its checksum into `sealed` and returns the length of both.
  @inline(__always)
  private func seal(_ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> Int {
    let count = value.count + RecordChecksum.byteCount
    if sealed.count < count || sealed.count > max(count, Self.keptBytes) {
      sealed.deallocate()
      sealed = .allocate(byteCount: max(count, 4096), alignment: 16)
    }
    if let target = sealed.baseAddress { RecordChecksum.store(value, key: key, to: target) }
    return count
  }

  private func damaged() -> StoreError {
    noted(
      StoreError(
        .corrupt, database: database,
        message: "a record has another checksum than when it was written; "
          + "close the store and open the database again, which checks it"))
  }

  private func fail(_ code: Int32, _ doing: String) -> StoreError {
    let error = noted(connection.error(code, doing: doing))
    // The library may have rolled the transaction back: a further change would commit by itself.
    if isWritable, [.full, .io, .corrupt].contains(error.code) || !connection.isInTransaction {
      failure = error
    }
    return error
  }
}
