/// A record of two columns, as a table of the store has it.
struct SQLiteRecord {
  /// Where the key begins in the payload, and its length.
  let key: Range<Int>
  /// Where the value begins, right behind the key, and its length.
  let value: Range<Int>

  /// Reads the record's header, which says how the payload is divided.
  /// - Parameters:
  ///   - payload: its beginning, or all of it.
  ///   - byteCount: of all of it.
  ///   - isText: whether both columns are texts; otherwise both are bytes.
  /// - Returns: nil if the columns are of another type or do not fill the payload.
  @inline(__always)
  init?(_ payload: UnsafeRawBufferPointer, byteCount: Int, isText: Bool) {
    guard let start = payload.baseAddress, !payload.isEmpty else { return nil }
    var offset = 0
    let headerBytes = Self.varint(start, &offset, limit: payload.count)
    let keyType = Self.varint(start, &offset, limit: payload.count)
    let valueType = Self.varint(start, &offset, limit: payload.count)
    let parity: UInt64 = isText ? 1 : 0
    guard headerBytes == UInt64(offset), keyType >= 12, keyType % 2 == parity,
      valueType >= 12, valueType % 2 == parity
    else { return nil }
    let keyBytes = (keyType - 12) / 2
    let valueBytes = (valueType - 12) / 2
    guard keyBytes <= UInt64(byteCount), valueBytes <= UInt64(byteCount),
      offset + Int(keyBytes) + Int(valueBytes) == byteCount
    else { return nil }
    key = offset..<offset + Int(keyBytes)
    value = key.upperBound..<byteCount
  }

  /// Reads a number of one to nine bytes and moves `offset` behind it. What lies at `limit` or behind it
  /// is not read and counts as zero.
  @inline(__always)
  static func varint(_ start: UnsafeRawPointer, _ offset: inout Int, limit: Int) -> UInt64 {
    guard offset &+ 1 < limit else { return longVarint(start, &offset, limit: limit) }
    let first = start.load(fromByteOffset: offset, as: UInt8.self)
    if first < 0x80 {
      offset &+= 1
      return UInt64(first)
    }
    let second = start.load(fromByteOffset: offset &+ 1, as: UInt8.self)
    guard second < 0x80 else { return longVarint(start, &offset, limit: limit) }
    offset &+= 2
    return UInt64(first & 0x7F) &<< 7 | UInt64(second)
  }

  @inline(never)
  private static func longVarint(
    _ start: UnsafeRawPointer, _ offset: inout Int, limit: Int
  ) -> UInt64 {
    var value: UInt64 = 0
    for count in 1...9 where offset < limit {
      let byte = start.load(fromByteOffset: offset, as: UInt8.self)
      offset += 1
      if count == 9 { return value << 8 | UInt64(byte) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { break }
    }
    return value
  }
}
