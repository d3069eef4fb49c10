/// What a commit of ``LMDBStoreProvider/Options/Synchronization/full`` carries in `zero_meta`, so that the
/// next open can tell whether all of it reached the disk.
///
/// Such a commit waits for the disk once, for its pages and for the page that makes them the current
/// ones together, and a power loss in between leaves any part of them. The number ties the seal to its
/// commit: a page that did not arrive shows what was there before, which may well be a page of an earlier
/// state. The digest finds all others.
struct CommitSeal: Equatable {
  static let key = "seal"
  static let byteCount = 16

  var commit: UInt64
  var digest: UInt64

  init(commit: UInt64, digest: StateDigest) {
    self.commit = commit
    self.digest = digest.value
  }

  /// Reads what ``bytes`` made, or fails if it has another length.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.byteCount else { return nil }
    commit = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
    digest = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }

  /// Both numbers, lowest byte first.
  var bytes: [UInt8] {
    [commit, digest].flatMap { number in
      (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
  }
}
