import CZeroLMDB
import Synchronization
import ZeroProtocol
import ZeroStoreCore

/// What the transactions of one store share.
final class LMDBContext: Sendable {
  let claim: DatabaseClaim
  let gate: StoreGate
  let environment: LMDBEnvironment
  let handles: [MDB_dbi]
  /// The table of what is not a record.
  let notes: MDB_dbi
  let tables: TableNames
  let limits: RecordLimits
  /// What each table's records count with in the digest.
  let digestFactors: [UInt64]

  private let lastDigest: Mutex<StateDigest?>
  private let synchronizationFailure = Mutex<StoreError?>(nil)
  private let patience: LockPatience
  private let place: DataFilePlace
  /// The largest size the file had when it was looked at.
  private let fileBytes: Atomic<Int>

  init(
    _ claim: DatabaseClaim, _ environment: LMDBEnvironment, handles: [MDB_dbi], notes: MDB_dbi,
    tables: TableNames, digest: StateDigest?, patience: LockPatience
  ) {
    self.claim = claim
    self.environment = environment
    self.handles = handles
    self.notes = notes
    self.tables = tables
    self.patience = patience
    lastDigest = Mutex(digest)
    digestFactors = tables.names.map { StateDigest.factor("t_\($0)".utf8) }
    gate = StoreGate(database: claim.name)
    place = DataFilePlace(claim)
    fileBytes = Atomic(environment.fileBytes)
    limits = RecordLimits(
      maxKeyBytes: environment.maxKeyBytes, maxValueBytes: 256 << 20, database: claim.name)
  }

  /// What the records come to after the last commit; nil if commits are not sealed. The one writer sets it.
  var digest: StateDigest? {
    get { lastDigest.withLock { $0 } }
    set { lastDigest.withLock { $0 = newValue } }
  }

  /// Checks that nobody has cut the file off. The library never makes it shorter, and touching what is
  /// missing of the map ends the process.
  /// - Throws: `corrupt` if it is shorter than at an earlier look.
  func checkLength() throws(StoreError) {
    // Read before the file is looked at: another thread's later look may find more.
    let known = fileBytes.load(ordering: .acquiring)
    let byteCount = environment.fileBytes
    guard byteCount >= known else {
      claim.markSuspect()
      throw StoreError(
        .corrupt, database: claim.name,
        message: "\(claim.dataPath) was cut off to \(byteCount) bytes while it was open; "
          + "close the store and open the database again, which checks it")
    }
    if byteCount > known { fileBytes.max(byteCount, ordering: .releasing) }
  }

  /// Checks that the file is still the one at its path.
  /// - Throws: `vanished`.
  func checkPlace() throws(StoreError) {
    if place.isKept() { return }
    throw StoreError(
      .vanished, database: claim.name,
      message: "\(claim.dataPath) was deleted or replaced while it was open; "
        + "close the store and open the database again")
  }

  /// Checks that the last commit is on stable storage.
  /// - Throws: what its synchronization threw.
  func checkSynchronized() throws(StoreError) {
    if let failure = synchronizationFailure.withLock({ $0 }) { throw failure }
  }

  /// Puts the last commit on stable storage. After a failure nobody knows what is there, and a later
  /// synchronization would not tell: nothing more can be written.
  func synchronize() throws(StoreError) {
    do { try environment.synchronize() } catch {
      claim.markSuspect()
      synchronizationFailure.withLock { $0 = error }
      throw error
    }
  }

  /// Makes the map larger inside a write; nobody else is inside the store while it happens. Returns
  /// false if that cannot be.
  func grow() throws(StoreError) -> Bool {
    try grow(patience: patience)
  }

  /// Makes the map larger if nobody reads: done early, it saves waiting later.
  func growEarly() throws(StoreError) {
    _ = try grow(patience: LockPatience(limit: .zero))
  }

  // MARK: -

  private func grow(patience: LockPatience) throws(StoreError) -> Bool {
    try gate.withoutReaders(patience: patience) { () throws(StoreError) in
      try environment.grow()
    }
  }
}
