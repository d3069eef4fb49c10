#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads pages of a file, more and more at once while each lies a little behind the last.
///
/// It does not map the file: what a medium cannot read is an error of a read, and would end the process
/// that looks at a map. Reading in large pieces takes less time as well.
struct SQLitePageReader: ~Copyable {
  private let descriptor: Int32
  private let pageBytes: Int
  /// Pages that were read, beginning with number `first`.
  private let window: UnsafeMutableRawPointer
  private var first = 0
  private var count = 0
  /// The page that was asked for last.
  private var last = 0
  /// How many pages to read when the next one is near.
  private var ahead = 1

  /// As much as the largest page has, and little enough to stay in the processor's cache.
  private static let windowBytes = 64 << 10

  init(descriptor: Int32, pageBytes: Int) {
    self.descriptor = descriptor
    self.pageBytes = pageBytes
    window = .allocate(byteCount: Self.windowBytes, alignment: 4096)
  }

  deinit { window.deallocate() }

  /// Copies a page to `target`.
  /// - Throws: with the system's code if the page cannot be read, and if the file ends before it.
  mutating func read(
    _ number: Int, to target: UnsafeMutableRawPointer
  ) throws(SQLitePageWalk.Damage) {
    if number < first || number >= first + count { try fill(from: number) }
    last = number
    target.copyMemory(from: window + (number - first) * pageBytes, byteCount: pageBytes)
  }

  // MARK: -

  private mutating func fill(from number: Int) throws(SQLitePageWalk.Damage) {
    let most = Self.windowBytes / pageBytes
    let isNear = number > last && number - last <= most
    ahead = isNear ? min(2 * ahead, most) : 1
    (first, count) = (number, 0)
    var byteCount = 0
    while byteCount < ahead * pageBytes {
      let result = pread(
        descriptor, window + byteCount, ahead * pageBytes - byteCount,
        off_t((number - 1) * pageBytes + byteCount))
      if result < 0, errno == EINTR { continue }
      guard result >= 0 else {
        // Of the pages ahead one may be unreadable that belongs to nothing.
        if ahead > 1, errno == EIO {
          ahead = 1
          continue
        }
        throw SQLitePageWalk.Damage(what: "page \(number) cannot be read", errno: errno)
      }
      if result == 0 { break }
      byteCount += result
    }
    count = byteCount / pageBytes
    guard count > 0 else { throw SQLitePageWalk.Damage(what: "page \(number) is missing") }
  }
}
