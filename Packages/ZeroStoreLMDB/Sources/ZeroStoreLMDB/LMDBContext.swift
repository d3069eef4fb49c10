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
  let tables: TableNames
  let limits: RecordLimits

  private let patience: LockPatience
  private let place: DataFilePlace
  /// The largest size the file had when it was looked at.
  private let fileBytes: Atomic<Int>

  init(
    _ claim: DatabaseClaim, _ environment: LMDBEnvironment, handles: [MDB_dbi], tables: TableNames,
    patience: LockPatience
  ) {
    self.claim = claim
    self.environment = environment
    self.handles = handles
    self.tables = tables
    self.patience = patience
    gate = StoreGate(database: claim.name)
    place = DataFilePlace(claim)
    fileBytes = Atomic(environment.fileBytes)
    limits = RecordLimits(
      maxKeyBytes: environment.maxKeyBytes, maxValueBytes: 256 << 20, database: claim.name)
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
