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
  /// - Complexity: O(length of the shorter), without allocation.
  public static func utf16(_ a: String, _ b: String) -> Int {
    var a = a
    var b = b
    return a.withUTF8 { a in
      b.withUTF8 { b in
        let common = min(a.count, b.count)
        var i = 0
        while i < common, a[i] == b[i] { i += 1 }
        guard i < common else { return a.count == b.count ? 0 : a.count < b.count ? -1 : 1 }
        // The orders of bytes and of units differ only between a supplementary character, whose
        // lead byte is 0xF0 or more and whose first unit is a surrogate, and U+E000 to U+FFFF,
        // whose lead byte is 0xEE or 0xEF.
        if (a[i] >= 0xF0) != (b[i] >= 0xF0), min(a[i], b[i]) >= 0xEE {
          return a[i] < b[i] ? 1 : -1
        }
        return a[i] < b[i] ? -1 : 1
      }
    }
  }
}
