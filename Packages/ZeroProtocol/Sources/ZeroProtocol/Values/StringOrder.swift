/// The order of two strings by their UTF-8 bytes, which is that of their code points: -1, 0 or 1.
/// Values, rows and storage keys are in this order.
/// - Complexity: O(length of the shorter)
public func compareUTF8(_ a: String, _ b: String) -> Int {
  var a = a
  var b = b
  return a.withUTF8 { a in
    b.withUTF8 { b in compareBytes(UnsafeRawBufferPointer(a), UnsafeRawBufferPointer(b)) }
  }
}

/// The order of two strings by their UTF-16 code units, which is that of JavaScript's `<`: -1, 0
/// or 1. Cookies and the names in a client schema are in this order.
/// - Complexity: O(length of the shorter)
public func compareUTF16(_ a: String, _ b: String) -> Int {
  var a = a
  var b = b
  return a.withUTF8 { a in
    b.withUTF8 { b in
      let common = min(a.count, b.count)
      var i = 0
      while i < common, a[i] == b[i] { i += 1 }
      guard i < common else { return a.count == b.count ? 0 : a.count < b.count ? -1 : 1 }
      // The first difference decides, and it lies in the lead byte or inside one sequence. Only
      // supplementary characters, which begin with 0xF0 to 0xF4 and whose first unit is a
      // surrogate, come out of order: they belong ahead of U+E000 to U+FFFF (0xEE and 0xEF).
      let isHighA = a[i] >= 0xF0
      let isHighB = b[i] >= 0xF0
      if isHighA != isHighB {
        if isHighA, b[i] >= 0xEE { return -1 }
        if isHighB, a[i] >= 0xEE { return 1 }
      }
      return a[i] < b[i] ? -1 : 1
    }
  }
}
