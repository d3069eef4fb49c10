/// The bytes that do not stand for themselves in a JSON string: quotes, backslashes and control
/// characters; found eight at a time.
enum StringStops {
  static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highs: UInt64 = 0x8080_8080_8080_8080

  /// The top bit of the first such byte of a word of eight, lowest byte first, and perhaps some bits
  /// above it; 0 if there is none.
  @inline(__always)
  static func marks(_ word: UInt64) -> UInt64 {
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    return
      (((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
      | ((word &- (ones &* 0x20)) & ~word)) & highs
  }

  @inline(__always)
  static func isStop(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x5C || byte < 0x20 }
}
