#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The first 100 bytes of an SQLite file.
struct SQLiteFileHeader {
  static let byteCount = 100

  let applicationID: Int
  let userVersion: Int
  /// Bytes of a page, and those of them that the library uses.
  let pageBytes: Int
  let usableBytes: Int
  /// Pages of the database. The file may be longer.
  let pageCount: Int
  let isAutoVacuum: Bool
  let firstFreeList: Int
  let freePageCount: Int
  /// What is unusual here but no sign of damage by itself.
  let unusual: String?

  private static let magic = Array("SQLite format 3\0".utf8)

  /// Reads the header of an open file that has `fileBytes` bytes.
  /// - Throws: what the library would stumble over, or take for another database than was written.
  init(descriptor: Int32, fileBytes: Int) throws(SQLitePageWalk.Damage) {
    var bytes = [UInt8](repeating: 0, count: Self.byteCount)
    let count = pread(descriptor, &bytes, Self.byteCount, 0)
    guard count >= 0 else {
      throw SQLitePageWalk.Damage(what: "the header cannot be read", errno: errno)
    }
    guard count == Self.byteCount, bytes.starts(with: Self.magic) else {
      throw SQLitePageWalk.Damage(what: "it is not an SQLite file")
    }
    func number(_ offset: Int) -> Int {
      bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    applicationID = number(68)
    userVersion = Int(Int32(truncatingIfNeeded: number(60)))
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageBytes = size == 1 ? 65536 : size
    guard pageBytes >= 512, pageBytes & (pageBytes - 1) == 0 else {
      throw SQLitePageWalk.Damage(what: "its page size is impossible")
    }
    usableBytes = pageBytes - Int(bytes[20])
    // Both 1 with a rollback journal and both 2 with a write-ahead log.
    guard bytes[18] == bytes[19], bytes[18] == 1 || bytes[18] == 2 else {
      throw SQLitePageWalk.Damage(what: "its format's version is impossible")
    }
    guard usableBytes >= 480, bytes[21] == 64, bytes[22] == 32, bytes[23] == 32 else {
      throw SQLitePageWalk.Damage(what: "its pages are laid out impossibly")
    }
    let pagesInFile = fileBytes / pageBytes
    // Without a second copy of the change counter the count is not valid, and the library goes by the
    // file's length.
    let pages = number(24) == number(92) ? number(28) : 0
    guard pages >= 0, pages <= pagesInFile, pagesInFile > 0 else {
      throw SQLitePageWalk.Damage(what: "it has \(pagesInFile) pages and should have \(pages)")
    }
    pageCount = pages == 0 ? pagesInFile : pages
    guard 0...4 ~= number(44) else {
      throw SQLitePageWalk.Damage(what: "its schema's format is unknown")
    }
    guard number(56) == 1 else { throw SQLitePageWalk.Damage(what: "its texts are not in UTF-8") }
    isAutoVacuum = number(52) != 0
    firstFreeList = number(32)
    freePageCount = number(36)
    if isAutoVacuum {
      unusual = "it vacuums itself"
    } else if number(64) != 0 || bytes[72..<92].contains(where: { $0 != 0 }) {
      unusual = "its header has values of no known use"
    } else {
      unusual = nil
    }
  }
}
