#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// Whether two texts are the same bytes.
@inline(__always)
func equalBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  guard let x = a.baseAddress, let y = b.baseAddress else { return true }
  return memcmp(x, y, a.count) == 0
}

/// Whether a text is ASCII only.
func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
  guard let base = text.baseAddress else { return true }
  var (i, all) = (0, UInt64(0))
  while i + 8 <= text.count {
    all |= base.loadUnaligned(fromByteOffset: i, as: UInt64.self)
    i += 8
  }
  while i < text.count {
    all |= UInt64(text[i])
    i += 1
  }
  return all & 0x8080_8080_8080_8080 == 0
}
