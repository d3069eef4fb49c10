#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The order of two texts by their bytes: -1, 0 or 1.
func compareBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
  let common = min(a.count, b.count)
  if common > 0, let a = a.baseAddress, let b = b.baseAddress {
    let order = memcmp(a, b, common)
    if order != 0 { return order < 0 ? -1 : 1 }
  }
  return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
}

/// Whether two texts are the same bytes.
@inline(__always)
func equalBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  guard let x = a.baseAddress, let y = b.baseAddress else { return true }
  return memcmp(x, y, a.count) == 0
}
