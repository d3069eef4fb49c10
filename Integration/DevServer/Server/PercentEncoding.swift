/// Percent-encoding as far as a server has to undo it.
enum PercentEncoding {
  /// Decodes a form-encoded name or value: `+` is a space, a stray `%` stays.
  static func decode(form text: some StringProtocol) -> String {
    String(decoding: bytes(text, plusIsSpace: true, isStrict: false) ?? [], as: UTF8.self)
  }

  /// Decodes a URI component; nil if a `%` is not followed by two hexadecimal digits.
  static func decode(strict text: some StringProtocol) -> String? {
    bytes(text, plusIsSpace: false, isStrict: true).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func bytes(
    _ text: some StringProtocol, plusIsSpace: Bool, isStrict: Bool
  ) -> [UInt8]? {
    var decoded: [UInt8] = []
    let bytes = Array(text.utf8)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "%") {
        if place + 1 < bytes.count, let high = digit(bytes[place]),
          let low = digit(bytes[place + 1])
        {
          decoded.append(high << 4 | low)
          place += 2
          continue
        }
        if isStrict { return nil }
      }
      decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
    }
    return decoded
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
