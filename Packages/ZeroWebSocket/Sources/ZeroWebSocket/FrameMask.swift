/// The XOR that clients apply to what they send.
///
/// A key is the number whose least significant byte is the first byte on the wire.
public enum FrameMask {
  /// Masks or unmasks `bytes` in place.
  /// - Parameter offset: position of the first byte in its frame's payload.
  /// - Complexity: O(n), a machine word or more at a time.
  public static func apply(
    _ key: UInt32, offset: Int = 0, to bytes: UnsafeMutableRawBufferPointer
  ) {
    guard let base = bytes.baseAddress else { return }
    copy(UnsafeRawBufferPointer(bytes), to: base, key, offset: offset)
  }

  /// Writes the masked form of `source` to `target`, which may be where `source` is.
  static func copy(
    _ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawPointer, _ key: UInt32,
    offset: Int
  ) {
    guard let from = source.baseAddress else { return }
    let key = rotated(key, by: offset)
    let word = (UInt64(key) << 32 | UInt64(key)).littleEndian
    let count = source.count
    var index = 0
    while index &+ 32 <= count {
      let a = from.loadUnaligned(fromByteOffset: index, as: UInt64.self) ^ word
      let b = from.loadUnaligned(fromByteOffset: index &+ 8, as: UInt64.self) ^ word
      let c = from.loadUnaligned(fromByteOffset: index &+ 16, as: UInt64.self) ^ word
      let d = from.loadUnaligned(fromByteOffset: index &+ 24, as: UInt64.self) ^ word
      target.storeBytes(of: a, toByteOffset: index, as: UInt64.self)
      target.storeBytes(of: b, toByteOffset: index &+ 8, as: UInt64.self)
      target.storeBytes(of: c, toByteOffset: index &+ 16, as: UInt64.self)
      target.storeBytes(of: d, toByteOffset: index &+ 24, as: UInt64.self)
      index &+= 32
    }
    while index < count {
      let byte = UInt8(truncatingIfNeeded: key >> UInt32(8 * (index & 3)))
      target.storeBytes(
        of: from.load(fromByteOffset: index, as: UInt8.self) ^ byte, toByteOffset: index,
        as: UInt8.self)
      index &+= 1
    }
  }

  // MARK: -

  private static func rotated(_ key: UInt32, by offset: Int) -> UInt32 {
    let shift = UInt32(truncatingIfNeeded: offset & 3) * 8
    return shift == 0 ? key : key >> shift | key << (32 - shift)
  }
}
