import CZeroLMDB
import ZeroProtocol
import ZeroStoreCore

/// A database in an LMDB file.
final class LMDBStore: Store {
  let durability: StoreDurability
  var maxKeyBytes: Int { context.limits.maxKeyBytes }

  private let context: LMDBContext

  /// With less room than this in the map a transaction keeps a log of its changes.
  private static let ampleRoom = 1 << 30

  init(_ context: LMDBContext, durability: StoreDurability) {
    self.context = context
    self.durability = durability
  }

  deinit { close() }

  func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result {
    try context.gate.beginRead()
    defer { context.gate.endRead() }
    try context.checkLength()
    let snapshot = LMDBTransaction(
      try context.environment.beginRead(), context, isWritable: false)
    defer { if let transaction = snapshot.end() { context.environment.endRead(transaction) } }
    return try body(snapshot)
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try context.gate.beginWrite()
    defer { context.gate.endWrite() }
    try context.checkLength()
    try context.checkPlace()
    try context.checkSynchronized()
    var room = context.environment.room()
    if room.free < room.used {
      try context.growEarly()
      room = context.environment.room()
    }
    let transaction = LMDBTransaction(
      try context.environment.beginWrite(), context, isWritable: true,
      log: room.free >= Self.ampleRoom ? nil : ChangeLog())
    defer { _ = transaction.end() }
    do {
      let result = try body(transaction)
      try transaction.commit()
      return result
    } catch {
      transaction.abort()
      throw error
    }
  }

  func sync() throws(StoreError) {
    try context.gate.beginRead()
    defer { context.gate.endRead() }
    try context.synchronize()
  }

  func close() {
    context.gate.close { [context] in
      context.environment.close()
      context.claim.markClean()
      context.claim.release()
    }
  }
}
