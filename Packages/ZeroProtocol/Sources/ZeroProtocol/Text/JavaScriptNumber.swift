/// Conversion of text to a number as JavaScript's `Number(text)` does it.
enum JavaScriptNumber {
  /// White space at the ends is ignored, nothing at all is 0, `0x`, `0o`, `0b` and `Infinity` are
  /// understood; what is no number gives NaN.
  static func parse(_ text: some StringProtocol) -> Double {
    var scalars = Substring(text).unicodeScalars
    while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
    while let last = scalars.last, isSpace(last) { scalars.removeLast() }
    let bytes = Array(String(String.UnicodeScalarView(scalars)).utf8)
    if bytes.isEmpty { return 0 }
    if bytes.count > 2, bytes[0] == UInt8(ascii: "0"), let radix = radix(bytes[1]) {
      return integer(bytes[2...], radix: radix)
    }
    return decimal(bytes)
  }

  // MARK: -

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09...0x0D, 0x20, 0xA0, 0xFEFF, 0x2028, 0x2029: true
    default: scalar.properties.generalCategory == .spaceSeparator
    }
  }

  private static func radix(_ letter: UInt8) -> Int? {
    switch letter {
    case UInt8(ascii: "x"), UInt8(ascii: "X"): 16
    case UInt8(ascii: "o"), UInt8(ascii: "O"): 8
    case UInt8(ascii: "b"), UInt8(ascii: "B"): 2
    default: nil
    }
  }

  private static func integer(_ digits: ArraySlice<UInt8>, radix: Int) -> Double {
    var value: Double = 0
    for digit in digits {
      guard let number = Character(Unicode.Scalar(digit)).hexDigitValue, number < radix else {
        return .nan
      }
      value = value * Double(radix) + Double(number)
    }
    return value
  }

  private static func decimal(_ bytes: [UInt8]) -> Double {
    var place = 0
    let sign = bytes[0]
    if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { place = 1 }
    if bytes[place...].elementsEqual("Infinity".utf8) {
      return sign == UInt8(ascii: "-") ? -.infinity : .infinity
    }
    func digits() -> Int {
      let start = place
      while place < bytes.count, bytes[place] >= 0x30, bytes[place] <= 0x39 { place += 1 }
      return place - start
    }
    let whole = digits()
    var fraction = 0
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      fraction = digits()
    }
    guard whole + fraction > 0 else { return .nan }
    var mantissa = String(decoding: bytes[..<place], as: UTF8.self)
    if fraction == 0, mantissa.utf8.last == UInt8(ascii: ".") { mantissa.removeLast() }
    var exponent = ""
    if place < bytes.count, bytes[place] | 0x20 == UInt8(ascii: "e") {
      let start = place
      place += 1
      if place < bytes.count, bytes[place] == 0x2B || bytes[place] == 0x2D { place += 1 }
      guard digits() > 0 else { return .nan }
      exponent = String(decoding: bytes[start..<place], as: UTF8.self)
    }
    guard place == bytes.count else { return .nan }
    return Double(mantissa + exponent) ?? .nan
  }
}
