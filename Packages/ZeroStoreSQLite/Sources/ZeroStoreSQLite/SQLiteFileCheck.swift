import ZeroProtocol
import ZeroStoreCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Walks all pages of an SQLite file without the library, which takes a well-formed page for a right
/// one: with a bit of a cell count or of a page number flipped it reads other records than were written,
/// and every checksum of them is right.
///
/// Checks the file's header; that the schema has nothing of the store's other than the store makes it;
/// that every page belongs to exactly one thing; that cells, free blocks and fragments fill each page;
/// that trees have one depth, and keys are in order; that large values and the list of free pages have
/// the length they claim. Of records it checks that they are divided into a key and a value, which have
/// checksums for the rest.
struct SQLiteFileCheck {
  /// How a walk ended that found no damage.
  enum Finding {
    case sound
    /// The file may be sound, but the walk cannot tell; with the reason.
    case undecided(String)
  }

  let claim: DatabaseClaim

  /// Whether there is a log with a part of the data, so that the file alone does not say everything.
  var hasLog: Bool {
    ["-wal", "-journal"].contains { suffix in
      var info = stat()
      return stat(claim.dataPath + suffix, &info) == 0 && info.st_size > 0
    }
  }

  /// Reads the whole file. No connection of this process may have it open: closing a file takes away all
  /// locks that its process has on it.
  /// - Throws: `corrupt` with what is wrong, `incompatible` for a newer layout, `io`, `permission`.
  func run() throws(StoreError) -> Finding {
    let path = claim.dataPath
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw StoreError(errno: errno, database: claim.name, doing: "read \(path) to check it")
    }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0 else {
      throw StoreError(errno: errno, database: claim.name, doing: "look at \(path) to check it")
    }
    do {
      return try walk(descriptor, fileBytes: Int(clamping: info.st_size))
    } catch {
      var after = stat()
      guard error.code == .corrupt, fstat(descriptor, &after) == 0,
        hasLog || after.st_size != info.st_size || !Self.haveSameTime(after, info)
      else { throw error }
      return .undecided("another program changed it while it was checked")
    }
  }

  // MARK: -

  private func walk(_ descriptor: Int32, fileBytes: Int) throws(StoreError) -> Finding {
    let header: SQLiteFileHeader
    do { header = try SQLiteFileHeader(descriptor: descriptor, fileBytes: fileBytes) } catch {
      throw storeError(error)
    }
    try SQLiteLayout.check(
      applicationID: header.applicationID, version: header.userVersion, database: claim.name)
    var walk = SQLitePageWalk(descriptor: descriptor, header: header)
    do { return try walk.run().map { .undecided($0) } ?? .sound } catch {
      throw storeError(error)
    }
  }

  private func storeError(_ damage: SQLitePageWalk.Damage) -> StoreError {
    damage.errno == 0
      ? StoreError(.corrupt, database: claim.name, message: damage.what)
      : StoreError(
        errno: damage.errno, database: claim.name,
        doing: "check \(claim.dataPath), of which \(damage.what)")
  }

  private static func haveSameTime(_ left: stat, _ right: stat) -> Bool {
    #if canImport(Darwin)
      let (left, right) = (left.st_mtimespec, right.st_mtimespec)
    #else
      let (left, right) = (left.st_mtim, right.st_mtim)
    #endif
    return left.tv_sec == right.tv_sec && left.tv_nsec == right.tv_nsec
  }
}
