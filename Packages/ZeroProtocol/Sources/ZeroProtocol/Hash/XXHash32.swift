/// The 32-bit xxHash of bytes.
///
/// - Complexity: O(n), without allocation.
public func xxHash32(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
  let count = bytes.count
  var place = 0
  var hash: UInt32

  if count >= 16 {
    var a = seed &+ Prime.first &+ Prime.second
    var b = seed &+ Prime.second
    var c = seed
    var d = seed &- Prime.first
    while place <= count - 16 {
      a = stirred(a, word(bytes, place))
      b = stirred(b, word(bytes, place + 4))
      c = stirred(c, word(bytes, place + 8))
      d = stirred(d, word(bytes, place + 12))
      place += 16
    }
    hash = rotated(a, 1) &+ rotated(b, 7) &+ rotated(c, 12) &+ rotated(d, 18)
  } else {
    hash = seed &+ Prime.fifth
  }
  hash = hash &+ UInt32(truncatingIfNeeded: count)

  while place <= count - 4 {
    hash = rotated(hash &+ word(bytes, place) &* Prime.third, 17) &* Prime.fourth
    place += 4
  }
  while place < count {
    hash = rotated(hash &+ UInt32(bytes[place]) &* Prime.fifth, 11) &* Prime.first
    place += 1
  }

  hash = (hash ^ hash >> 15) &* Prime.second
  hash = (hash ^ hash >> 13) &* Prime.third
  return hash ^ hash >> 16
}

private enum Prime {
  static let first: UInt32 = 0x9E37_79B1
  static let second: UInt32 = 0x85EB_CA77
  static let third: UInt32 = 0xC2B2_AE3D
  static let fourth: UInt32 = 0x27D4_EB2F
  static let fifth: UInt32 = 0x1656_67B1
}

@inline(__always)
private func rotated(_ value: UInt32, _ count: UInt32) -> UInt32 {
  value &<< count | value &>> (32 &- count)
}

@inline(__always)
private func stirred(_ lane: UInt32, _ word: UInt32) -> UInt32 {
  rotated(lane &+ word &* Prime.second, 13) &* Prime.first
}

@inline(__always)
private func word(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> UInt32 {
  UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self))
}
