import Synchronization

/// Whether the data file that a store has open is still the one at its path.
///
/// Asking the system takes as long as a third of a small transaction, and the answer is out of date as
/// soon as it is there: the file can be taken away between it and the commit. So an answer is good for as
/// long as a transaction takes.
public final class DataFilePlace: Sendable {
  private let path: String
  private let opened: FileSystem.Identity?
  private let clock: @Sendable () -> UInt64
  /// When the file was last seen at its path, in nanoseconds of `clock`.
  private let seen: Atomic<UInt64>

  /// How long it counts that the file was seen.
  private static let validNanoseconds: UInt64 = 50_000

  /// Remembers the file that is at the data path of `claim` now.
  public convenience init(_ claim: DatabaseClaim) {
    self.init(claim.dataPath) { FileSystem.monotonicNanoseconds() }
  }

  init(_ path: String, clock: @escaping @Sendable () -> UInt64) {
    self.path = path
    self.clock = clock
    opened = FileSystem.identity(path)
    seen = Atomic(clock())
  }

  /// Whether the file was at its path at most 50 microseconds ago.
  public func isKept() -> Bool {
    let now = clock()
    if now &- seen.load(ordering: .relaxed) < Self.validNanoseconds { return true }
    guard let opened, FileSystem.identity(path) == opened else { return false }
    seen.store(now, ordering: .relaxed)
    return true
  }
}
