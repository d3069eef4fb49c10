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
/// Checks that both meta pages are sound, that every page reached lies in the file, is reached once and
/// has the right kind, that nodes lie within their pages with keys in order, that every tree has the
/// depth and the numbers of pages and entries it claims, and that no free page is in use. Reads 64-bit
/// files of data version 1 in the byte order of this machine.
struct LMDBFileCheck {
  let path: String
  let database: String

  /// - Throws: `corrupt` with what is wrong, `io`, `permission`.
  func run() throws(StoreError) {
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
    var walk = LMDBPageWalk(file: UnsafeRawBufferPointer(start: map, count: size))
    do { try walk.run() } catch { throw corrupt(error.what) }
  }

  private func corrupt(_ what: String) -> StoreError {
    StoreError(.corrupt, database: database, message: what)
  }
}
