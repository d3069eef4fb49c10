#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A key and its value in one block of memory.
struct Record {
  /// The key, then the value.
  let bytes: [UInt8]
  let keyCount: Int

  init(key: RawSpan, value: RawSpan) {
    keyCount = key.byteCount
    let count = keyCount + value.byteCount
    bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let target = UnsafeMutableRawBufferPointer(buffer)
      key.withUnsafeBytes { target.copyMemory(from: $0) }
      value.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: target[key.byteCount...]).copyMemory(from: $0)
      }
      initialized = count
    }
  }

  /// Calls `body` with the bytes of the key.
  @inline(__always)
  func withKey<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<keyCount])) }
  }

  /// Less than, equal to or greater than zero, as this key is below, at or above `other`.
  @inline(__always)
  func compareKey(to other: UnsafeRawBufferPointer) -> Int {
    withKey { compareBytes($0, other) }
  }

  /// A copy of the key.
  var keyBytes: [UInt8] { Array(bytes[..<keyCount]) }
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
