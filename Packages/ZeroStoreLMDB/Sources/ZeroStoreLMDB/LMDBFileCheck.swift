import ZeroProtocol
import ZeroStoreCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Walks all pages of an LMDB file without the library, which follows page numbers and offsets as they
/// are and would crash on damaged ones.
///
/// Checks that both meta pages are sound and have the numbers of the commits that wrote them, that every
/// page reached lies in the file, is reached once and has the right kind, that nodes fill their pages with
/// keys in order and within what the pages above say, that every tree has the kind, the depth and the
/// numbers of pages and entries it claims, and that no free page is in use. So no single bit that is wrong
/// leads to other records, nor the library astray. Reads 64-bit files of data version 1 in the byte order
/// of this machine.
struct LMDBFileCheck {
  let path: String
  let database: String

  /// Checks the file as the last commit left it.
  /// - Parameter canRollBack: whether the last commit may have been under way when the process ended.
  ///   Then every record is compared with its checksum, and if the commit did not reach the disk whole and
  ///   the one before it did, with its seal, that becomes the last one.
  /// - Throws: `corrupt` with what is wrong, `io`, `permission`.
  func run(canRollBack: Bool) throws(StoreError) -> LMDBPageWalk.Findings {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError(errno: errno, database: database, doing: "read \(path) to check it")
    }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else {
      throw StoreError(errno: errno, database: database, doing: "look at \(path) to check it")
    }
    let size = Int(info.st_size)
    guard size >= 2 * 512 else { throw corrupt("it has only \(size) bytes") }
    guard let map = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), map != MAP_FAILED else {
      throw StoreError(errno: errno, database: database, doing: "map \(path) to check it")
    }
    defer { munmap(map, size) }
    let file = UnsafeRawBufferPointer(start: map, count: size)
    let newest = Result { () throws(LMDBPageWalk.Damage) in
      try walk(file, .newest, comparesChecksums: canRollBack)
    }
    let isWhole = (try? newest.get().isSealed) ?? false
    if canRollBack, !isWhole, let previous = try? walk(file, .previous, comparesChecksums: true),
      previous.isSealed
    {
      // Without a seal it may be whole and the first after a change of the mode, which has no records.
      try rollBack(file, to: previous.commit)
      return previous
    }
    do { return try newest.get() } catch { throw corrupt(error.what) }
  }

  // MARK: -

  private func walk(
    _ file: UnsafeRawBufferPointer, _ state: LMDBPageWalk.State, comparesChecksums: Bool
  ) throws(LMDBPageWalk.Damage) -> LMDBPageWalk.Findings {
    var walk = LMDBPageWalk(file: file, state: state, comparesChecksums: comparesChecksums)
    let findings = try walk.run()
    guard findings.seal == nil || findings.isSealed else {
      throw LMDBPageWalk.Damage(what: "a part of its last commit is missing")
    }
    return findings
  }

  /// Puts an empty state older than `commit` in the place of the newer one. It need not be on stable
  /// storage: what a power loss brings back leads here again.
  private func rollBack(_ file: UnsafeRawBufferPointer, to commit: UInt64) throws(StoreError) {
    let page = LMDBPageWalk.emptyMetaPage(of: file, before: commit)
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    guard descriptor >= 0,
      pwrite(descriptor, page.bytes, page.bytes.count, off_t(page.offset)) == page.bytes.count
    else {
      throw StoreError(
        errno: errno, database: database, doing: "return to the last whole commit in \(path)")
    }
  }

  private func corrupt(_ what: String) -> StoreError {
    StoreError(.corrupt, database: database, message: what)
  }
}
