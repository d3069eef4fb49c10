@_spi(Engine) import ZeroProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A key and its value: bytes in one block of memory, or a row that the client holds as well.
struct Record {
  /// The key, then the value. Of a row: the key, or what is in front of the text that ends it; rows of
  /// one table share it.
  private let bytes: [UInt8]
  /// The row that is the value, behind a byte that says so.
  let row: Row?
  private let keyCount: UInt32
  /// Of a row: the column whose text ends the key.
  private let column: UInt16
  private let format: UInt8

  private static let noColumn = UInt16.max

  init(key: RawSpan, value: RawSpan) {
    let count = key.byteCount + value.byteCount
    bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(buffer)
      key.withUnsafeBytes { target.copyMemory(from: $0) }
      value.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: target[key.byteCount...]).copyMemory(from: $0)
      }
      initialized = count
    }
    keyCount = UInt32(key.byteCount)
    row = nil
    column = Self.noColumn
    format = 0
  }

  init(key: RowRecordKey, format: UInt8, row: Row) {
    bytes = key.head
    keyCount = UInt32(key.head.count)
    self.row = row
    column = key.column.map { UInt16($0) } ?? Self.noColumn
    self.format = format
  }

  /// Calls `body` with the bytes of the key.
  @inline(__always)
  func withKey<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      let head = UnsafeRawBufferPointer(rebasing: bytes[..<Int(keyCount)])
      guard let row, column != Self.noColumn else { return body(head) }
      return row.withPackedBytes(of: Int(column)) { text in
        let count = head.count + text.count
        return withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { key in
          key.copyMemory(from: head)
          UnsafeMutableRawBufferPointer(rebasing: key[head.count...]).copyMemory(from: text)
          return body(UnsafeRawBufferPointer(key))
        }
      }
    }
  }

  /// Calls `body` with the bytes of key and value.
  /// - Parameter scratch: where those of a row are put together.
  func withPair<Result>(
    _ scratch: inout [UInt8], _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Result
  ) rethrows -> Result {
    guard let row else {
      let bytes = bytes.span.bytes
      return try body(
        bytes.extracting(first: Int(keyCount)), bytes.extracting(droppingFirst: Int(keyCount)))
    }
    scratch.removeAll(keepingCapacity: true)
    scratch.append(contentsOf: bytes)
    if column != Self.noColumn {
      row.withPackedBytes(of: Int(column)) { scratch.append(contentsOf: $0) }
    }
    let keyCount = scratch.count
    scratch.append(format)
    row.withPackedBytes { scratch.append(contentsOf: $0) }
    let pair = scratch.span.bytes
    return try body(pair.extracting(first: keyCount), pair.extracting(droppingFirst: keyCount))
  }

  /// Less than, equal to or greater than zero, as this key is below, at or above `other`.
  @inline(__always)
  func compareKey(to other: UnsafeRawBufferPointer) -> Int {
    bytes.withUnsafeBytes { bytes in
      let head = UnsafeRawBufferPointer(rebasing: bytes[..<Int(keyCount)])
      guard let row, column != Self.noColumn else { return compareBytes(head, other) }
      return row.withPackedBytes(of: Int(column)) { text in
        let middle = min(head.count, other.count)
        let order = compareBytes(head, UnsafeRawBufferPointer(rebasing: other[..<middle]))
        if order != 0 { return order }
        return compareBytes(text, UnsafeRawBufferPointer(rebasing: other[middle...]))
      }
    }
  }

  /// A copy of the key.
  var keyBytes: [UInt8] { withKey { Array($0) } }
}

/// Orders byte strings by unsigned bytes, a prefix before what it begins.
@inline(__always)
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  if let leftStart = left.baseAddress, let rightStart = right.baseAddress {
    let order = memcmp(leftStart, rightStart, min(left.count, right.count))
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
}
