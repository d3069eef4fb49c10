import CZeroSQLite
import ZeroProtocol
import ZeroStoreCore

/// Keeps the log longer than it is used, for a store that waits for the disk in every commit.
///
/// A commit at the end of a file makes the file longer, and synchronizing it writes the new length and the
/// place of the new blocks as well as the bytes. A commit into zeros that lie on disk already waits for its
/// own bytes alone, which takes about half as long. The library reads the zeros as the end of the log. It
/// starts the log from the front after each checkpoint, so that only the first round needs them.
///
/// Used by one closure at a time, as the connection it belongs to.
final class LogReserve {
  private let claim: DatabaseClaim
  private let frameBytes: Int
  /// Frames in use after the last commit.
  private var frameCount = 0
  private var reservedBytes = 0

  /// When the log is moved into the data file, as the library does it by itself.
  private static let checkpointFrames = 1000
  private static let headerBytes = 32
  private static let frameHeaderBytes = 24
  /// What the largest usual transaction needs.
  private static let spareFrames = 16
  /// Written at once: little enough not to be felt in the commit that pays for it.
  private static let stepBytes = 256 << 10

  init(_ claim: DatabaseClaim, pageBytes: Int) {
    self.claim = claim
    frameBytes = pageBytes + Self.frameHeaderBytes
  }

  /// Follows the log of `handle`, which keeps no reference: it must be closed first. Takes the place of
  /// the library's own hook, which starts checkpoints.
  func follow(_ handle: OpaquePointer) {
    sqlite3_wal_hook(
      handle,
      { context, handle, name, frameCount in
        guard let context else { return SQLITE_OK }
        let reserve = Unmanaged<LogReserve>.fromOpaque(context).takeUnretainedValue()
        reserve.frameCount = Int(frameCount)
        if frameCount >= LogReserve.checkpointFrames {
          // The commit is done whatever comes of it; the next one tries again.
          sqlite3_wal_checkpoint_v2(handle, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Makes room for the transaction that has just begun: nobody else can be writing to the log, and
  /// nothing of the transaction is in it yet.
  func prepare() {
    let end = Self.headerBytes + (frameCount + Self.spareFrames) * frameBytes
    guard end > reservedBytes else { return }
    let limit = (Self.checkpointFrames + Self.spareFrames) * frameBytes
    guard reservedBytes < limit else { return }
    reservedBytes = max(reservedBytes, end) + Self.stepBytes
    // Without space for zeros the commit itself finds out whether there is enough for it.
    if (try? claim.reserve("-wal", byteCount: reservedBytes)) == nil { reservedBytes = limit }
  }
}
