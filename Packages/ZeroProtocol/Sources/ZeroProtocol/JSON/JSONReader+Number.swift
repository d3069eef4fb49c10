extension JSONReader {
  /// The number that comes next, rounded to the nearest double as JavaScript does.
  /// - Throws: `wrongType`, `invalidNumber`, `unexpectedEnd`.
  public mutating func readNumber() throws(JSONError) -> Double {
    let number = try scanNumber()
    return number.value ?? decimalValue(bytes(of: number))
  }

  /// The text of a number that was just read.
  func bytes(of number: ScannedNumber) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: number.start, count: cursor - number.start)
  }

  /// Digits and exponent of a number that has been read.
  struct ScannedNumber {
    var start: UnsafePointer<UInt8>
    var isNegative: Bool
    /// The digits as an integer, if there are at most nineteen.
    var mantissa: UInt64
    /// Power of ten of the last digit.
    var exponent: Int
    var isMantissaWhole: Bool

    /// The value, unless it takes more than 128 bits to find it.
    @inline(__always)
    var value: Double? {
      guard isMantissaWhole else { return nil }
      guard mantissa <= 1 << 53, exponent >= -22, exponent <= 22 else { return wideValue }
      // One correctly rounded operation on exact doubles.
      var value = Double(mantissa)
      if exponent > 0 {
        value *= powersOfTen[exponent]
      } else if exponent < 0 {
        value /= powersOfTen[-exponent]
      }
      return isNegative ? -value : value
    }

    /// The integer, if it is one of 32 bits and not minus zero.
    @inline(__always)
    var int32: Int32? {
      guard exponent == 0, isMantissaWhole, mantissa <= UInt64(Int32.max) else { return nil }
      let value = Int32(truncatingIfNeeded: mantissa)
      return isNegative ? (value == 0 ? nil : -value) : value
    }

    @inline(never)
    private var wideValue: Double? {
      guard mantissa != 0 else { return isNegative ? -0.0 : 0 }
      return roundedDecimal(mantissa, exponent).map { isNegative ? -$0 : $0 }
    }
  }

  /// Reads the number that comes next without rounding it.
  @inline(__always)
  mutating func scanNumber() throws(JSONError) -> ScannedNumber {
    let first = peek()
    let start = cursor
    var place = cursor
    let isNegative = first == UInt8(ascii: "-")
    if isNegative { place += 1 }
    guard place < end, let digit = decimalDigit(place.pointee) else {
      if isNegative { throw error(.invalidNumber, "a digit must follow the minus sign") }
      throw try mismatch("a number")
    }
    var mantissa = UInt64(digit)
    var digits = 1
    var exponent = 0
    place += 1
    if digit == 0 {
      if place < end, decimalDigit(place.pointee) != nil {
        throw error(.invalidNumber, "a number must not begin with a superfluous zero")
      }
      digits = 0
    } else {
      while place < end, let digit = decimalDigit(place.pointee) {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        digits += 1
        place += 1
      }
    }
    if place < end, place.pointee == UInt8(ascii: ".") {
      place += 1
      let fraction = place
      while place < end, let digit = decimalDigit(place.pointee) {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        // Zeros ahead of the first other digit do not use up the nineteen.
        if digits > 0 || digit != 0 { digits += 1 }
        place += 1
      }
      exponent = fraction - place
      guard exponent != 0 else {
        throw error(.invalidNumber, "a digit must follow the decimal point")
      }
    }
    if place < end, place.pointee | 0x20 == UInt8(ascii: "e") {
      exponent += try scanExponent(&place)
    }
    cursor = place
    return ScannedNumber(
      start: start, isNegative: isNegative, mantissa: mantissa, exponent: exponent,
      isMantissaWhole: digits <= 19)
  }

  /// Reads from the letter e on. Exponents beyond a million count as a million.
  private func scanExponent(_ place: inout UnsafePointer<UInt8>) throws(JSONError) -> Int {
    place += 1
    var isNegative = false
    if place < end, place.pointee == UInt8(ascii: "-") || place.pointee == UInt8(ascii: "+") {
      isNegative = place.pointee == UInt8(ascii: "-")
      place += 1
    }
    guard place < end, decimalDigit(place.pointee) != nil else {
      throw error(.invalidNumber, "a digit must follow the exponent sign")
    }
    var exponent = 0
    while place < end, let digit = decimalDigit(place.pointee) {
      if exponent < 1_000_000 { exponent = exponent * 10 + Int(digit) }
      place += 1
    }
    return isNegative ? -exponent : exponent
  }

  @inline(__always)
  private func decimalDigit(_ byte: UInt8) -> UInt8? {
    let digit = byte &- UInt8(ascii: "0")
    return digit < 10 ? digit : nil
  }
}

/// Ten to the powers of 0 to 22, which are exact in a double.
private let powersOfTen: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
  1e18, 1e19, 1e20, 1e21, 1e22,
]
