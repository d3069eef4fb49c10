/// Text in which bytes stand as `%` and two hexadecimal digits.
enum PercentEncoding {
  /// Writes every byte of `text` that is not `plain` as `%XX`.
  static func encode(_ text: some Collection<UInt8>, plain: (UInt8) -> Bool) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for byte in text {
      if plain(byte) {
        result.append(byte)
      } else {
        result.append(UInt8(ascii: "%"))
        result.append(digit(byte >> 4))
        result.append(digit(byte & 15))
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes that `text` stands for. A `%` without two digits after it stands for itself; nil for
  /// one if `strictly`.
  static func decode(_ text: some Collection<UInt8>, strictly: Bool = false) -> [UInt8]? {
    let text = Array(text)
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var place = 0
    while place < text.count {
      let byte = text[place]
      place += 1
      guard byte == UInt8(ascii: "%") else {
        result.append(byte)
        continue
      }
      if place + 1 < text.count, let high = hexadecimalDigit(text[place]),
        let low = hexadecimalDigit(text[place + 1])
      {
        result.append(high << 4 | low)
        place += 2
      } else if strictly {
        return nil
      } else {
        result.append(byte)
      }
    }
    return result
  }

  /// Text as a name or value of `application/x-www-form-urlencoded` data.
  static func form(_ text: String) -> String {
    var bytes: [UInt8] = []
    for part in text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      if part.startIndex != text.utf8.startIndex { bytes.append(UInt8(ascii: "+")) }
      bytes += encode(part) { isLetterOrDigit($0) || isAny($0, of: "*-._") }.utf8
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Text as JavaScript's `encodeURIComponent` writes it.
  static func component(_ text: String) -> String {
    encode(text.utf8) { isLetterOrDigit($0) || isAny($0, of: "-_.!~*'()") }
  }

  static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }

  static func isAny(_ byte: UInt8, of letters: StaticString) -> Bool {
    UnsafeBufferPointer(start: letters.utf8Start, count: letters.utf8CodeUnitCount).contains(byte)
  }

  static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  // MARK: -

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
