import CZeroLMDB
import Synchronization
import ZeroProtocol
import ZeroStoreCore

/// A database in an LMDB file.
final class LMDBStore: Store {
  let durability: StoreDurability
  var maxKeyBytes: Int { limits.maxKeyBytes }

  private let claim: DatabaseClaim
  private let gate: StoreGate
  private let environment: LMDBEnvironment
  private let identity: DatabaseClaim.FileIdentity?
  /// The largest size the file had when it was looked at.
  private let fileBytes: Atomic<Int64>
  private let handles: [MDB_dbi]
  private let tables: TableNames
  private let limits: RecordLimits
  private let patience: LockPatience

  /// With less room than this in the map a transaction keeps a log of its changes.
  private static let ampleRoom = 1 << 30

  init(
    claim: DatabaseClaim, environment: LMDBEnvironment, handles: [MDB_dbi], tables: TableNames,
    durability: StoreDurability, patience: LockPatience
  ) {
    self.claim = claim
    self.environment = environment
    self.handles = handles
    self.tables = tables
    self.durability = durability
    self.patience = patience
    let file = claim.dataFile()
    identity = file?.identity
    fileBytes = Atomic(file?.byteCount ?? 0)
    gate = StoreGate(database: claim.name)
    limits = RecordLimits(
      maxKeyBytes: environment.maxKeyBytes, maxValueBytes: 256 << 20, database: claim.name)
  }

  deinit { close() }

  func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result {
    try gate.beginRead()
    defer { gate.endRead() }
    _ = try lookAtFile()
    let snapshot = LMDBTransaction(
      try environment.beginRead(), environment, handles: handles, tables: tables, limits: limits,
      onDamage: { [claim] in claim.markSuspect() })
    defer { if let transaction = snapshot.end() { environment.endRead(transaction) } }
    return try body(snapshot)
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try gate.beginWrite()
    defer { gate.endWrite() }
    guard try lookAtFile() else {
      throw StoreError(
        .vanished, database: claim.name,
        message: "\(claim.dataPath) was deleted or replaced while it was open; "
          + "close the store and open the database again")
    }
    if environment.isHalfFull {
      // Growing early, when nobody reads, saves waiting later.
      _ = try gate.withoutReaders(patience: LockPatience(limit: .zero)) { () throws(StoreError) in
        try environment.grow()
      }
    }
    let isAmple = environment.headroom >= Self.ampleRoom
    let writing = LMDBTransaction.Writing(
      grow: { [gate, environment, patience] () throws(StoreError) in
        try gate.withoutReaders(patience: patience) { () throws(StoreError) in
          try environment.grow()
        }
      },
      explain: { [claim] error in claim.explained(error) },
      log: isAmple ? nil : ChangeLog())
    let transaction = LMDBTransaction(
      try environment.beginWrite(), environment, handles: handles, tables: tables, limits: limits,
      writing: writing, onDamage: { [claim] in claim.markSuspect() })
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
    try gate.beginRead()
    defer { gate.endRead() }
    try environment.synchronize()
  }

  func close() {
    gate.close { [claim, environment] in
      environment.close()
      claim.markClean()
      claim.release()
    }
  }

  // MARK: -

  /// Whether the file at the path is still the one that is open.
  /// - Throws: `corrupt` if it is shorter than at an earlier look. The library never makes it shorter,
  ///   and touching what is missing of the map ends the process.
  private func lookAtFile() throws(StoreError) -> Bool {
    // Read before the file is looked at: another thread's later look may find more.
    let known = fileBytes.load(ordering: .acquiring)
    guard let file = claim.dataFile(), file.identity == identity else { return false }
    guard file.byteCount >= known else {
      claim.markSuspect()
      throw StoreError(
        .corrupt, database: claim.name,
        message: "\(claim.dataPath) was cut off to \(file.byteCount) bytes while it was open; "
          + "close the store and open the database again, which checks it")
    }
    fileBytes.max(file.byteCount, ordering: .releasing)
    return true
  }
}
