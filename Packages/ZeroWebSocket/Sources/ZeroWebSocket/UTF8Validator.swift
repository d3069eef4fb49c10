/// Checks UTF-8 that comes in pieces, failing at the first byte that cannot belong.
struct UTF8Validator {
  /// Continuation bytes the current character still needs.
  private var needed = 0
  /// Range of the next continuation byte; narrower than 80…BF after E0, ED, F0 and F4.
  private var lower: UInt8 = 0x80
  private var upper: UInt8 = 0xBF

  /// Whether the text may end here.
  var isComplete: Bool { needed == 0 }

  /// - Returns: whether the text is well-formed so far.
  mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    var index = 0
    while index < count {
      if needed == 0 {
        index = Self.skipASCII(bytes, from: index)
        guard index < count else { return true }
        guard begin(bytes[index]) else { return false }
      } else {
        let byte = bytes[index]
        guard byte >= lower, byte <= upper else { return false }
        lower = 0x80
        upper = 0xBF
        needed &-= 1
      }
      index &+= 1
    }
    return true
  }

  // MARK: -

  private mutating func begin(_ byte: UInt8) -> Bool {
    switch byte {
    case 0xC2...0xDF: needed = 1
    case 0xE0:
      needed = 2
      lower = 0xA0
    case 0xED:
      needed = 2
      upper = 0x9F
    case 0xE1...0xEF: needed = 2
    case 0xF0:
      needed = 3
      lower = 0x90
    case 0xF4:
      needed = 3
      upper = 0x8F
    case 0xF1...0xF3: needed = 3
    default: return false
    }
    return true
  }

  private static func skipASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let high: UInt64 = 0x8080_8080_8080_8080
    let count = bytes.count
    var index = start
    while index &+ 32 <= count {
      let a = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let b = bytes.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self)
      let c = bytes.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self)
      let d = bytes.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self)
      if (a | b | c | d) & high != 0 { break }
      index &+= 32
    }
    while index < count, bytes[index] < 0x80 { index &+= 1 }
    return index
  }
}
