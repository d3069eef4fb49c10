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

  /// Reads the header of a file of which nothing else is read.
  /// - Throws: what the library would stumble over, or take for another database than was written.
  init(_ file: UnsafeRawBufferPointer) throws(SQLitePageWalk.Damage) {
    guard file.count >= 512, file.prefix(16).elementsEqual(Self.magic) else {
      throw SQLitePageWalk.Damage(what: "it is not an SQLite file")
    }
    func number(_ offset: Int) -> Int {
      Int(UInt32(bigEndian: file.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
    applicationID = number(68)
    userVersion = Int(Int32(truncatingIfNeeded: number(60)))
    let size = Int(file[16]) << 8 | Int(file[17])
    pageBytes = size == 1 ? 65536 : size
    guard pageBytes >= 512, pageBytes & (pageBytes - 1) == 0 else {
      throw SQLitePageWalk.Damage(what: "its page size is impossible")
    }
    usableBytes = pageBytes - Int(file[20])
    // Both 1 with a rollback journal and both 2 with a write-ahead log.
    guard file[18] == file[19], file[18] == 1 || file[18] == 2 else {
      throw SQLitePageWalk.Damage(what: "its format's version is impossible")
    }
    guard usableBytes >= 480, file[21] == 64, file[22] == 32, file[23] == 32 else {
      throw SQLitePageWalk.Damage(what: "its pages are laid out impossibly")
    }
    let pagesInFile = file.count / pageBytes
    // Without a second copy of the change counter the count is not valid, and the library goes by the
    // file's length.
    let pages = number(24) == number(92) ? number(28) : 0
    guard pages <= pagesInFile, pagesInFile > 0 else {
      throw SQLitePageWalk.Damage(what: "it has \(pagesInFile) pages and should have \(pages)")
    }
    pageCount = pages == 0 ? pagesInFile : pages
    guard number(44) <= 4 else {
      throw SQLitePageWalk.Damage(what: "its schema's format is unknown")
    }
    guard number(56) == 1 else { throw SQLitePageWalk.Damage(what: "its texts are not in UTF-8") }
    isAutoVacuum = number(52) != 0
    firstFreeList = number(32)
    freePageCount = number(36)
    if isAutoVacuum {
      unusual = "it vacuums itself"
    } else if number(64) != 0 || file[72..<92].contains(where: { $0 != 0 }) {
      unusual = "its header has values of no known use"
    } else {
      unusual = nil
    }
  }
}
