import ZeroProtocol
import ZeroStoreCore

/// What the transactions of one store share.
final class SQLiteContext: Sendable {
  let claim: DatabaseClaim
  let tables: TableNames
  let limits: RecordLimits

  var database: String { claim.name }

  init(_ claim: DatabaseClaim, tables: TableNames) {
    self.claim = claim
    self.tables = tables
    limits = RecordLimits(maxKeyBytes: 8192, maxValueBytes: 256 << 20, database: claim.name)
  }

  /// Remembers damage for the next open, and names a lack of space.
  func noted(_ error: StoreError) -> StoreError {
    if error.code == .corrupt { claim.markSuspect() }
    return claim.explained(error)
  }
}
