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

  /// Tells the library to copy what is bound; a macro with a cast, which is not imported.
  static let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  let handle: OpaquePointer
  private let path: String
  private let database: String
  private let tables: [String]
  private let busyWait: BusyWait
  /// Idle statements by operation and table. A scan inside a scan takes a second one.
  private var idle: [[OpaquePointer]]
  private var single: [String: OpaquePointer] = [:]
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
    idle = Array(repeating: [], count: tables.count * Operation.allCases.count)
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      defer { sqlite3_close_v2(opened) }
      throw StoreError(
        sqlite: code, of: opened, database: database, doing: "open the file \(path)")
    }
    handle = opened
    sqlite3_busy_handler(
      handle,
      { context, count in
        guard let context else { return 0 }
        let wait = Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue()
        return wait.patience.pause(before: Int(count) + 1) ? 1 : 0
      }, Unmanaged.passUnretained(busyWait).toOpaque())
  }

  deinit {
    for statement in idle.joined() { sqlite3_finalize(statement) }
    for statement in single.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
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
    try run("BEGIN IMMEDIATE")
    logReserve?.prepare()
  }

  /// A statement for `operation` on the table at `ordinal`, the caller's until it is given back.
  @inline(__always)
  func take(_ operation: Operation, _ ordinal: Int) throws(StoreError) -> OpaquePointer {
    if let statement = idle[slot(operation, ordinal)].popLast() { return statement }
    return try prepare(sql(operation, tables[ordinal]))
  }

  /// Resets a statement and keeps it for the next use.
  @inline(__always)
  func giveBack(_ statement: OpaquePointer, _ operation: Operation, _ ordinal: Int) {
    sqlite3_reset(statement)
    idle[slot(operation, ordinal)].append(statement)
  }

  /// Runs a statement that is kept under its text, and ignores its rows.
  func run(_ sql: String) throws(StoreError) {
    let statement = try kept(sql)
    defer { sqlite3_reset(statement) }
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW { code = sqlite3_step(statement) }
    guard code == SQLITE_DONE else { throw error(code, doing: sql) }
  }

  /// The statement kept under its text, reset.
  func kept(_ sql: String) throws(StoreError) -> OpaquePointer {
    if let statement = single[sql] { return statement }
    let statement = try prepare(sql)
    single[sql] = statement
    return statement
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
      rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether the file at the path is no longer the one that is open.
  var hasMoved: Bool {
    var moved: Int32 = 0
    let code = sqlite3_file_control(handle, nil, SQLITE_FCNTL_HAS_MOVED, &moved)
    return code == SQLITE_OK && moved != 0
  }

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
  private func slot(_ operation: Operation, _ ordinal: Int) -> Int {
    ordinal * Operation.allCases.count + operation.rawValue
  }

  private func prepare(_ sql: String) throws(StoreError) -> OpaquePointer {
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
