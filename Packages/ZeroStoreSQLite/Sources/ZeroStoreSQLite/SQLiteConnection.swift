import CZeroSQLite
import ZeroProtocol
import ZeroStoreCore

/// One connection with its prepared statements.
///
/// Safe to share: it is used by one closure at a time. The store's gate admits one user of the writing
/// connection, and a reading one is out of the pool, which a mutex guards, while it is in use.
final class SQLiteConnection: @unchecked Sendable {
  /// What a statement does; each is prepared once per table and kept.
  enum Operation: Int, CaseIterable {
    case get, scanFrom, scanRange, put, delete, deleteFrom, deleteRange
  }

  /// The statements that begin and end transactions.
  private enum Control: Int, CaseIterable {
    case begin, commit, rollBack, snapshot

    var sql: String {
      switch self {
      case .begin: "BEGIN IMMEDIATE"
      case .commit: "COMMIT"
      case .rollBack: "ROLLBACK"
      // Keeps its row until it is reset, and with it the read transaction.
      case .snapshot: "SELECT 1 FROM zero_meta LIMIT 1"
      }
    }
  }

  /// Tells the library to copy what is bound; a macro with a cast, which is not imported.
  static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  let handle: OpaquePointer
  /// Room for a value with its checksum, if it is not too long.
  let scratch: UnsafeMutableRawPointer
  static let scratchBytes = 4096
  private let path: String
  private let database: String
  private let tables: [String]
  private let busyWait: BusyWait
  /// Statements by table and operation, then those of ``Control``; nil until needed, and while taken.
  private let statements: UnsafeMutableBufferPointer<OpaquePointer?>
  /// Of the writing connection, if each commit waits for the disk.
  private var logReserve: LogReserve?

  /// Opens an existing file and arms the wait for locks before anything else can need one.
  init(
    path: String, database: String, tables: [String], patience: LockPatience
  ) throws(StoreError) {
    self.path = path
    self.database = database
    self.tables = tables
    busyWait = BusyWait(patience)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw StoreError(
        sqlite: code, of: opened, database: database, doing: "open the file \(path)")
    }
    handle = opened
    scratch = .allocate(byteCount: Self.scratchBytes, alignment: 16)
    statements = .allocate(
      capacity: tables.count * Operation.allCases.count + Control.allCases.count)
    statements.initialize(repeating: nil)
    sqlite3_busy_handler(
      handle,
      { context, count in
        guard let context else { return 0 }
        let wait = Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue()
        return wait.patience.pause(before: Int(count) + 1) ? 1 : 0
      }, Unmanaged.passUnretained(busyWait).toOpaque())
  }

  deinit {
    for statement in statements { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
    statements.deallocate()
    scratch.deallocate()
  }

  /// Writes zeros to the end of the log before commits need the room.
  func reserveLog(of claim: DatabaseClaim) throws(StoreError) {
    let pageBytes = try execute("PRAGMA page_size").first.flatMap { Int($0) } ?? 4096
    let reserve = LogReserve(claim, pageBytes: pageBytes)
    reserve.follow(handle)
    logReserve = reserve
  }

  /// Begins a transaction that no other program writes beside.
  func begin() throws(StoreError) {
    try run(.begin)
    logReserve?.prepare()
  }

  func commit() throws(StoreError) { try run(.commit) }

  /// Ends a transaction, if the library has not done so itself, without what was written in it.
  func rollBack() {
    if isInTransaction { try? run(.rollBack) }
  }

  /// Keeps the present state for all reads until ``endSnapshot()``.
  func beginSnapshot() throws(StoreError) {
    let statement = try control(.snapshot)
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW else {
      defer { sqlite3_reset(statement) }
      throw error(code, doing: "read")
    }
  }

  func endSnapshot() { sqlite3_reset(statements[place(of: .snapshot)]) }

  /// The statement for a change in the table at `ordinal`. It is used to its end before another.
  @inline(__always)
  func statement(_ operation: Operation, _ ordinal: Int) throws(StoreError) -> OpaquePointer {
    let place = place(of: operation, ordinal)
    if let statement = statements[place] { return statement }
    let statement = try prepare(sql(operation, tables[ordinal]))
    statements[place] = statement
    return statement
  }

  /// A statement for reading the table at `ordinal`, the caller's until it is given back: a scan inside
  /// of a scan gets another one.
  @inline(__always)
  func take(_ operation: Operation, _ ordinal: Int) throws(StoreError) -> OpaquePointer {
    let place = place(of: operation, ordinal)
    if let statement = statements[place] {
      statements[place] = nil
      return statement
    }
    return try prepare(sql(operation, tables[ordinal]))
  }

  /// Resets a statement and keeps it for the next use.
  @inline(__always)
  func giveBack(_ statement: OpaquePointer, _ operation: Operation, _ ordinal: Int) {
    let place = place(of: operation, ordinal)
    if statements[place] == nil {
      sqlite3_reset(statement)
      statements[place] = statement
    } else {
      sqlite3_finalize(statement)
    }
  }

  /// Runs a statement once and returns the first column of its rows as text.
  @discardableResult
  func execute(_ sql: String) throws(StoreError) -> [String] {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return rows }
      guard code == SQLITE_ROW else { throw error(code, doing: sql) }
      // Not up to the first NUL, which a text may have inside.
      let text = sqlite3_column_text(statement, 0)
      let bytes = UnsafeBufferPointer(
        start: text, count: Int(sqlite3_column_bytes(statement, 0)))
      rows.append(text == nil ? "" : String(decoding: bytes, as: UTF8.self))
    }
  }

  /// Moves the log into the data file as far as no other program keeps an older state. Waits for nobody.
  /// - Returns: whether all of it was moved.
  func moveLog() throws(StoreError) -> Bool {
    var (frames, moved): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(
      handle, nil, SQLITE_CHECKPOINT_PASSIVE, &frames, &moved)
    if code & 0xFF == SQLITE_BUSY { return false }
    guard code == SQLITE_OK else { throw error(code, doing: "move the log") }
    return frames == moved
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether the file can be read only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, nil) == 1 }

  /// The error for a result code of this connection.
  func error(_ code: Int32, doing: String) -> StoreError {
    StoreError(sqlite: code, of: handle, database: database, doing: "\(doing) in \(path)")
  }

  // MARK: -

  /// What the busy handler gets as its context; lives as long as the connection.
  private final class BusyWait {
    let patience: LockPatience
    init(_ patience: LockPatience) { self.patience = patience }
  }

  @inline(__always)
  private func place(of operation: Operation, _ ordinal: Int) -> Int {
    ordinal * Operation.allCases.count + operation.rawValue
  }

  private func place(of control: Control) -> Int {
    statements.count - Control.allCases.count + control.rawValue
  }

  private func control(_ control: Control) throws(StoreError) -> OpaquePointer {
    let place = place(of: control)
    if let statement = statements[place] { return statement }
    let statement = try prepare(control.sql)
    statements[place] = statement
    return statement
  }

  private func run(_ control: Control) throws(StoreError) {
    let statement = try self.control(control)
    defer { sqlite3_reset(statement) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw error(code, doing: control.sql) }
  }

  /// A new statement, the caller's.
  func prepare(_ sql: String) throws(StoreError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code, doing: sql) }
    return statement
  }

  private func sql(_ operation: Operation, _ table: String) -> String {
    let table = SQLiteLayout.table(table)
    return switch operation {
    case .get: "SELECT v FROM \(table) WHERE k = ?1"
    case .scanFrom: "SELECT k, v FROM \(table) WHERE k >= ?1 ORDER BY k"
    case .scanRange: "SELECT k, v FROM \(table) WHERE k >= ?1 AND k < ?2 ORDER BY k"
    case .put: "REPLACE INTO \(table) (k, v) VALUES (?1, ?2)"
    case .delete: "DELETE FROM \(table) WHERE k = ?1"
    case .deleteFrom: "DELETE FROM \(table) WHERE k >= ?1"
    case .deleteRange: "DELETE FROM \(table) WHERE k >= ?1 AND k < ?2"
    }
  }
}
