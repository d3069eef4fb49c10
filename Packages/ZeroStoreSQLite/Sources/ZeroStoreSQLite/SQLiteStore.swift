import CZeroSQLite
import ZeroProtocol
import ZeroStoreCore

/// A database in an SQLite file in WAL mode: one writing connection and a pool of reading ones.
final class SQLiteStore: Store {
  let durability: StoreDurability
  var maxKeyBytes: Int { limits.maxKeyBytes }

  private let claim: DatabaseClaim
  private let gate: StoreGate
  private let connections: SQLiteConnections
  private let tables: TableNames
  private let limits: RecordLimits

  /// Keeps its row until it is reset, and with it the read transaction.
  private static let snapshotSQL = "SELECT 1 FROM zero_meta LIMIT 1"

  init(
    claim: DatabaseClaim, connections: SQLiteConnections, tables: TableNames,
    durability: StoreDurability
  ) {
    self.claim = claim
    self.connections = connections
    self.tables = tables
    self.durability = durability
    gate = StoreGate(database: claim.name)
    limits = RecordLimits(maxKeyBytes: 8192, maxValueBytes: 256 << 20, database: claim.name)
  }

  deinit { close() }

  func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result {
    try gate.beginRead()
    defer { gate.endRead() }
    let connection = try connections.takeReader()
    defer { connections.giveBack(connection) }
    let statement = try connection.kept(Self.snapshotSQL)
    defer { sqlite3_reset(statement) }
    let code = sqlite3_step(statement)
    guard code == SQLITE_ROW else { throw noted(connection.error(code, doing: "read")) }
    let snapshot = transaction(on: connection, isWritable: false)
    defer { snapshot.end() }
    return try body(snapshot)
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try gate.beginWrite()
    defer { gate.endWrite() }
    let connection = try connections.writer()
    guard !connection.hasMoved else {
      throw StoreError(
        .vanished, database: claim.name,
        message: "\(claim.dataPath) was deleted or replaced while it was open; "
          + "close the store and open the database again")
    }
    try noting { () throws(StoreError) in try connection.begin() }
    let transaction = transaction(on: connection, isWritable: true)
    defer { transaction.end() }
    do {
      let result = try body(transaction)
      if let failure = transaction.failure { throw failure }
      try noting { () throws(StoreError) in try connection.run("COMMIT") }
      return result
    } catch {
      if connection.isInTransaction { try? connection.run("ROLLBACK") }
      throw error
    }
  }

  func sync() throws(StoreError) {
    try gate.beginRead()
    defer { gate.endRead() }
    // What is not in the log any more was put on stable storage by the checkpoint that moved it.
    try claim.flush(["-wal"])
  }

  func close() {
    gate.close { [claim, connections] in
      connections.close()
      claim.markClean()
      claim.release()
    }
  }

  // MARK: -

  private func transaction(on connection: SQLiteConnection, isWritable: Bool) -> SQLiteTransaction {
    SQLiteTransaction(
      connection, tables: tables, limits: limits, database: claim.name, isWritable: isWritable,
      noted: { [claim] error in Self.noted(error, claim) })
  }

  private func noting(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    do { try body() } catch { throw noted(error) }
  }

  private func noted(_ error: StoreError) -> StoreError { Self.noted(error, claim) }

  /// Remembers damage for the next open, and names a lack of space.
  private static func noted(_ error: StoreError, _ claim: DatabaseClaim) -> StoreError {
    if error.code == .corrupt { claim.markSuspect() }
    return claim.explained(error)
  }
}
