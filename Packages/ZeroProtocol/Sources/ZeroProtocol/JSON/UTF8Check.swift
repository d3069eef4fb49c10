/// The offset of the first byte at which `bytes` stops being valid UTF-8; nil if all is valid.
/// - Complexity: O(n); eight bytes at a time where they are ASCII.
@_spi(Engine) public func firstInvalidUTF8(_ bytes: UnsafeRawBufferPointer) -> Int? {
  guard let base = bytes.baseAddress else { return nil }
  let count = bytes.count
  let highs: UInt64 = 0x8080_8080_8080_8080
  var i = 0
  while i < count {
    if count - i >= 8, base.loadUnaligned(fromByteOffset: i, as: UInt64.self) & highs == 0 {
      i += 8
      continue
    }
    let first = base.load(fromByteOffset: i, as: UInt8.self)
    if first < 0x80 {
      i += 1
      continue
    }
    // The second byte's range excludes long forms, surrogates and what lies beyond U+10FFFF.
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0:
      length = 3
      low = 0xA0
    case 0xED:
      length = 3
      high = 0x9F
    case 0xE1...0xEF: length = 3
    case 0xF0:
      length = 4
      low = 0x90
    case 0xF4:
      length = 4
      high = 0x8F
    case 0xF1...0xF3: length = 4
    default: return i
    }
    guard count - i >= length else { return i }
    let second = base.load(fromByteOffset: i + 1, as: UInt8.self)
    guard second >= low, second <= high else { return i }
    for k in 2..<max(length, 2) {
      guard base.load(fromByteOffset: i + k, as: UInt8.self) & 0xC0 == 0x80 else { return i }
    }
    i += length
  }
  return nil
}
