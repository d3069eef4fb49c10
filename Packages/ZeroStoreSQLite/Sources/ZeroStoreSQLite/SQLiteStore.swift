import CZeroSQLite
import ZeroProtocol
import ZeroStoreCore

/// A database in an SQLite file in WAL mode: one writing connection and a pool of reading ones.
final class SQLiteStore: Store {
  let durability: StoreDurability
  var maxKeyBytes: Int { context.limits.maxKeyBytes }

  private let context: SQLiteContext
  private let gate: StoreGate
  private let connections: SQLiteConnections
  private let place: DataFilePlace

  init(
    claim: DatabaseClaim, connections: SQLiteConnections, tables: TableNames,
    durability: StoreDurability
  ) {
    context = SQLiteContext(claim, tables: tables)
    self.connections = connections
    self.durability = durability
    gate = StoreGate(database: claim.name)
    place = DataFilePlace(claim)
  }

  deinit { close() }

  func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result {
    try gate.beginRead()
    defer { gate.endRead() }
    let connection = try connections.takeReader()
    defer { connections.giveBack(connection) }
    try noting { () throws(StoreError) in try connection.beginSnapshot() }
    defer { connection.endSnapshot() }
    let snapshot = SQLiteTransaction(connection, context, isWritable: false)
    defer { snapshot.end() }
    return try body(snapshot)
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try gate.beginWrite()
    defer { gate.endWrite() }
    let connection = try connections.writer()
    guard place.isKept() else { throw vanished() }
    try noting { () throws(StoreError) in try connection.begin() }
    let transaction = SQLiteTransaction(connection, context, isWritable: true)
    defer { transaction.end() }
    do {
      let result = try body(transaction)
      if let failure = transaction.failure { throw failure }
      try noting { () throws(StoreError) in try connection.commit() }
      return result
    } catch {
      connection.rollBack()
      throw error
    }
  }

  func sync() throws(StoreError) {
    try gate.beginRead()
    defer { gate.endRead() }
    // What is not in the log any more was put on stable storage by the checkpoint that moved it.
    try context.claim.flush(["-wal"])
  }

  func close() {
    gate.close { [context, connections] in
      connections.close()
      context.claim.markClean()
      context.claim.release()
    }
  }

  // MARK: -

  private func noting(_ body: () throws(StoreError) -> Void) throws(StoreError) {
    do { try body() } catch { throw context.noted(error) }
  }

  private func vanished() -> StoreError {
    StoreError(
      .vanished, database: context.database,
      message: "\(context.claim.dataPath) was deleted or replaced while it was open; "
        + "close the store and open the database again")
  }
}
