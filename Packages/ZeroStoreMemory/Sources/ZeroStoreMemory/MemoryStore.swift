import Synchronization
import ZeroProtocol
import ZeroStoreCore

/// An open database in memory.
final class MemoryStore: Store {
  let durability = StoreDurability.none
  let maxKeyBytes = 8192

  private let database: MemoryDatabase
  private let tables: TableNames
  private let limits: RecordLimits
  private let gate: StoreGate
  private let committed: Committed

  /// The trees that readers see; replaced as a whole by a commit.
  private final class Committed: Sendable {
    private let trees: Mutex<[ByteTree]>
    init(_ trees: [ByteTree]) { self.trees = Mutex(trees) }
    func get() -> [ByteTree] { trees.withLock { $0 } }
    func set(_ new: [ByteTree]) {
      // What the old trees alone held is freed outside the lock.
      _ = trees.withLock { trees in
        let old = trees
        trees = new
        return old
      }
    }
  }

  init(database: MemoryDatabase, tables: TableNames) {
    self.database = database
    self.tables = tables
    gate = StoreGate(database: database.name)
    limits = RecordLimits(
      maxKeyBytes: 8192, maxValueBytes: 256 << 20, database: database.name)
    committed = Committed(database.tables(tables.names))
  }

  deinit { close() }

  func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result {
    try gate.beginRead()
    defer { gate.endRead() }
    let snapshot = transaction(isWritable: false)
    defer { snapshot.end() }
    return try body(snapshot)
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try gate.beginWrite()
    defer { gate.endWrite() }
    let transaction = transaction(isWritable: true)
    defer { transaction.end() }
    let result = try body(transaction)
    committed.set(transaction.trees)
    return result
  }

  func sync() throws(StoreError) { try gate.checkOpen() }

  func close() {
    gate.close { [database, tables, committed] in
      database.keep(committed.get(), as: tables.names)
      committed.set([])
      database.release()
    }
  }

  // MARK: -

  private func transaction(isWritable: Bool) -> MemoryTransaction {
    MemoryTransaction(
      committed.get(), tables: tables, limits: limits, database: database.name,
      isWritable: isWritable)
  }
}
