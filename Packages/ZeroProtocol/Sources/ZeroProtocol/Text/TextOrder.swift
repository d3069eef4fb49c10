#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#else
  public import Darwin
#endif

/// The orders of text that the protocol uses. `String` itself has another one, of canonical forms.
public enum TextOrder {
  /// Order by UTF-8 bytes, the same as by code points: rows, keys, conditions. −1, 0 or 1.
  public static func utf8(_ a: String, _ b: String) -> Int {
    var a = a
    var b = b
    return a.withUTF8 { a in
      b.withUTF8 { b in bytes(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
    }
  }

  /// Order of text given as UTF-8. −1, 0 or 1.
  @inlinable public static func bytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer)
    -> Int
  {
    if let first = a.baseAddress, let second = b.baseAddress {
      let order = memcmp(first, second, min(a.count, b.count))
      if order != 0 { return order < 0 ? -1 : 1 }
    }
    return a.count == b.count ? 0 : a.count < b.count ? -1 : 1
  }

  /// Order by UTF-16 code units, as JavaScript compares strings: cookies and names in a client
  /// schema. −1, 0 or 1.
  public static func utf16(_ a: String, _ b: String) -> Int {
    var left = a.utf16.makeIterator()
    var right = b.utf16.makeIterator()
    while true {
      switch (left.next(), right.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let x?, let y?) where x != y: return x < y ? -1 : 1
      default: continue
      }
    }
  }
}
