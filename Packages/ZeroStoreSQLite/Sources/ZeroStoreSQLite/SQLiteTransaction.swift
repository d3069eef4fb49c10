import CZeroSQLite
import ZeroProtocol
import ZeroStoreCore

/// What a closure of an SQLite store gets: a snapshot on a reading connection, or the one transaction
/// on the writing connection.
final class SQLiteTransaction: StoreTransaction {
  private let connection: SQLiteConnection
  private let context: SQLiteContext
  private let isWritable: Bool
  private var isOpen = true
  /// Running closures that have bytes on loan.
  private var lending = 0
  /// The error after which nothing more may be written.
  private(set) var failure: StoreError?

  init(_ connection: SQLiteConnection, _ context: SQLiteContext, isWritable: Bool) {
    self.connection = connection
    self.context = context
    self.isWritable = isWritable
  }

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
      var code = Self.bind(statement, 1, keyBytes)
      if code == SQLITE_OK { code = sqlite3_step(statement) }
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
    let code = Self.bind(range, to: statement)
    guard code == SQLITE_OK else { throw fail(code, "scan") }
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
    try context.limits.check(keyBytes: key.byteCount, valueBytes: value.byteCount)
    let statement = try connection.statement(.put, ordinal)
    let code = key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in put(statement, key, value) }
    }
    try finish(statement, code)
  }

  func delete(_ table: StoreTable, _ key: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    let statement = try connection.statement(.delete, ordinal)
    let code = key.withUnsafeBytes { key in
      let code = Self.bind(statement, 1, key)
      return code == SQLITE_OK ? sqlite3_step(statement) : code
    }
    try finish(statement, code)
  }

  func deletePrefix(_ table: StoreTable, _ prefix: RawSpan) throws(StoreError) {
    let ordinal = try enterChange(table)
    let range = KeyRange(prefix: prefix)
    let operation: SQLiteConnection.Operation = range.upper == nil ? .deleteFrom : .deleteRange
    let statement = try connection.statement(operation, ordinal)
    let code = Self.bind(range, to: statement)
    try finish(statement, code == SQLITE_OK ? sqlite3_step(statement) : code)
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
        .closed, database: context.database,
        message: "a snapshot was used after its closure ended; use it inside only")
    }
    if let failure { throw failure }
    return try context.tables.ordinal(table)
  }

  @inline(__always)
  private func enterChange(_ table: StoreTable) throws(StoreError) -> Int {
    let ordinal = try enter(table)
    guard isWritable, lending == 0 else {
      throw StoreError(
        .misuse, database: context.database,
        message: isWritable
          ? "a change was made while bytes were on loan; finish the scan first"
          : "a change was made in a read; use a write")
    }
    return ordinal
  }

  /// Binds bytes that stay in place until the statement is reset.
  @inline(__always)
  private static func bind(
    _ statement: OpaquePointer, _ index: Int32, _ bytes: UnsafeRawBufferPointer
  ) -> Int32 {
    // A null pointer would bind NULL.
    bytes.isEmpty
      ? sqlite3_bind_zeroblob(statement, index, 0)
      : sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), nil)
  }

  /// Binds the ends of a range. The library copies them, so they need not outlive the call.
  private static func bind(_ range: KeyRange, to statement: OpaquePointer) -> Int32 {
    let code = sqlite3_bind_blob64(
      statement, 1, range.lower, UInt64(range.lower.count), SQLiteConnection.copies)
    guard let upper = range.upper, code == SQLITE_OK else { return code }
    return sqlite3_bind_blob64(
      statement, 2, upper, UInt64(upper.count), SQLiteConnection.copies)
  }

  @inline(__always)
  private func put(
    _ statement: OpaquePointer, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> Int32 {
    let count = value.count + RecordChecksum.byteCount
    let isShort = count <= SQLiteConnection.scratchBytes
    let sealed =
      isShort ? connection.scratch : .allocate(byteCount: count, alignment: 16)
    defer { if !isShort { sealed.deallocate() } }
    RecordChecksum.store(value, key: key, to: sealed)
    var code = Self.bind(statement, 1, key)
    if code == SQLITE_OK {
      code = Self.bind(statement, 2, UnsafeRawBufferPointer(start: sealed, count: count))
    }
    return code == SQLITE_OK ? sqlite3_step(statement) : code
  }

  /// Resets the statement of a change.
  @inline(__always)
  private func finish(_ statement: OpaquePointer, _ code: Int32) throws(StoreError) {
    if code == SQLITE_DONE {
      sqlite3_reset(statement)
    } else {
      defer { sqlite3_reset(statement) }
      throw fail(code, "write")
    }
  }

  private func damaged() -> StoreError {
    context.noted(
      StoreError(
        .corrupt, database: context.database,
        message: "a record has another checksum than when it was written; "
          + "close the store and open the database again, which checks it"))
  }

  private func fail(_ code: Int32, _ doing: String) -> StoreError {
    let error = context.noted(connection.error(code, doing: doing))
    // The library may have rolled the transaction back: a further change would commit by itself.
    if isWritable, [.full, .io, .corrupt].contains(error.code) || !connection.isInTransaction {
      failure = error
    }
    return error
  }
}
