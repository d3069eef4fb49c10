/// The double nearest to `digits` × 10^`exponent`, ties to even; nil if the exponent is too large to
/// find it in 128 bits.
///
/// - Parameter digits: not zero.
func roundedDecimal(_ digits: UInt64, _ exponent: Int) -> Double? {
  guard exponent >= -19, exponent <= 19 else { return nil }
  let power = integerPowerOfTen(exponent.magnitude)
  if exponent >= 0 {
    let product = UInt128(digits) * UInt128(power)
    return roundedBinary(product, isMore: false, exponent: 0)
  }
  // With the digits at the top of 128 bits the quotient has at least 64, more than enough to round;
  // what the division leaves only matters if it is nothing at all.
  let shift = digits.leadingZeroBitCount
  let dividend = digits << UInt64(shift)
  let (high, rest) = dividend.quotientAndRemainder(dividingBy: power)
  let (low, remainder) = power.dividingFullWidth((rest, 0))
  let quotient = UInt128(high) << 64 | UInt128(low)
  return roundedBinary(quotient, isMore: remainder != 0, exponent: -64 - shift)
}

/// The double nearest to `integer` × 2^`exponent`, or to a little more; ties to even.
///
/// - Parameter integer: not zero, and such that the result is a normal number.
private func roundedBinary(_ integer: UInt128, isMore: Bool, exponent: Int) -> Double {
  let width = 128 - integer.leadingZeroBitCount
  guard width > 53 else {
    return Double(sign: .plus, exponent: exponent, significand: Double(UInt64(integer)))
  }
  let excess = width - 53
  var significand = UInt64(truncatingIfNeeded: integer >> UInt128(excess))
  let rest = integer & ((1 << UInt128(excess)) - 1)
  let half = UInt128(1) << UInt128(excess - 1)
  if rest > half || (rest == half && (isMore || significand & 1 == 1)) { significand += 1 }
  return Double(sign: .plus, exponent: exponent + excess, significand: Double(significand))
}

/// The double nearest to a decimal number of JSON's grammar, however long.
@inline(never)
func decimalValue(_ text: UnsafeRawBufferPointer) -> Double {
  Double(String(decoding: text, as: UTF8.self)) ?? .nan
}

/// Ten to the power of `exponent`, at most 19.
@inline(__always)
private func integerPowerOfTen(_ exponent: UInt) -> UInt64 {
  var power: UInt64 = 1
  for _ in 0..<exponent { power &*= 10 }
  return power
}
