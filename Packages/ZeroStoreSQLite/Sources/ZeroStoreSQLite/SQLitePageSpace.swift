/// Which bytes of a page belong to something.
struct SQLitePageSpace: ~Copyable {
  /// A bit for each byte.
  private let words: UnsafeMutablePointer<UInt64>
  private let wordCount: Int
  private(set) var markedBytes = 0

  init(pageBytes: Int) {
    wordCount = (pageBytes + 63) / 64
    words = .allocate(capacity: wordCount)
    words.initialize(repeating: 0, count: wordCount)
  }

  deinit { words.deallocate() }

  mutating func clear() {
    words.update(repeating: 0, count: wordCount)
    markedBytes = 0
  }

  /// Marks some bytes. False if one of them is marked already.
  /// - Precondition: there is at least one, and all lie in the page.
  @inline(__always)
  mutating func mark(_ start: Int, _ count: Int) -> Bool {
    let end = start &+ count &- 1
    var word = words + start &>> 6
    let last = words + end &>> 6
    var mask = UInt64.max &<< UInt64(truncatingIfNeeded: start)
    var taken: UInt64 = 0
    while word < last {
      taken |= word.pointee & mask
      word.pointee |= mask
      mask = .max
      word += 1
    }
    mask &= .max &>> UInt64(truncatingIfNeeded: 63 &- end & 63)
    taken |= last.pointee & mask
    last.pointee |= mask
    markedBytes &+= count
    return taken == 0
  }
}
