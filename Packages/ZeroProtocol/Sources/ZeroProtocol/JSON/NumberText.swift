extension Double {
  /// The text of the number as JavaScript's `String(value)` prints it: the fewest digits that read
  /// back as the same double.
  public var javaScriptText: String {
    var text: [UInt8] = []
    text.appendNumber(self)
    return String(decoding: text, as: UTF8.self)
  }
}

extension ByteSink where Self: ~Copyable {
  /// Appends a number as JavaScript prints it, `NaN` and `Infinity` included.
  mutating func appendNumber(_ value: Double) {
    if let integer = Int64(exactly: value), integer.magnitude < 1 << 53 {
      appendDecimal(integer)
      return
    }
    guard value.isFinite else {
      append(known: value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity")
      return
    }
    if value < 0 { append(UInt8(ascii: "-")) }
    var decimal = ShortestDecimal(value.magnitude)
    decimal.withDigits { digits, point in appendDigits(UnsafeRawBufferPointer(digits), point) }
  }

  /// Appends an integer in decimal.
  mutating func appendDecimal(_ value: Int64) {
    var rest = value.magnitude
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var place = 20
      repeat {
        place -= 1
        buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 { append(UInt8(ascii: "-")) }
      append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[place...]))
    }
  }

  // MARK: -

  /// Lays out `digits`, of which `point` are ahead of the decimal point.
  private mutating func appendDigits(_ digits: UnsafeRawBufferPointer, _ point: Int) {
    let zero = UInt8(ascii: "0")
    switch point {
    case digits.count...21 where digits.count <= 21:
      append(digits)
      for _ in digits.count..<point { append(zero) }
    case 1...21:
      append(UnsafeRawBufferPointer(rebasing: digits[..<point]))
      append(UInt8(ascii: "."))
      append(UnsafeRawBufferPointer(rebasing: digits[point...]))
    case -5...0:
      append(zero)
      append(UInt8(ascii: "."))
      for _ in point..<0 { append(zero) }
      append(digits)
    default:
      append(digits[0])
      if digits.count > 1 {
        append(UInt8(ascii: "."))
        append(UnsafeRawBufferPointer(rebasing: digits[1...]))
      }
      append(UInt8(ascii: "e"))
      append(UInt8(ascii: point > 0 ? "+" : "-"))
      appendDecimal(Int64((point - 1).magnitude))
    }
  }
}

/// The fewest decimal digits that identify a positive finite double. The standard library finds
/// them; its layout is taken apart here, since JavaScript's is another.
private struct ShortestDecimal {
  private var text: String

  init(_ value: Double) { text = value.description }

  /// Calls `body` with the digits, without zeros at either end, and the number of them that are
  /// ahead of the decimal point, which is negative for zeros behind it.
  mutating func withDigits(_ body: (UnsafeBufferPointer<UInt8>, Int) -> Void) {
    text.withUTF8 { text in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + 1) { digits in
        var count = 0
        var point: Int?
        var place = 0
        var leading = 0
        scan: while place < text.count {
          switch text[place] {
          case UInt8(ascii: "."): point = count + leading
          case UInt8(ascii: "e"): break scan
          case UInt8(ascii: "0") where count == 0: leading += 1
          default:
            digits[count] = text[place]
            count += 1
          }
          place += 1
        }
        var ahead = (point ?? count + leading) - leading
        if place < text.count {
          var exponent = 0
          let isNegative = text[place + 1] == UInt8(ascii: "-")
          for byte in text[(place + 1)...] where byte >= UInt8(ascii: "0") {
            exponent = exponent * 10 + Int(byte - UInt8(ascii: "0"))
          }
          ahead += isNegative ? -exponent : exponent
        }
        while count > 1, digits[count - 1] == UInt8(ascii: "0") { count -= 1 }
        body(UnsafeBufferPointer(rebasing: digits[..<count]), ahead)
      }
    }
  }
}
