/// Versions of a client's snapshot as the server names them.
///
/// To a client a cookie is opaque text; only a server reads its parts.
public enum Cookie {
  /// Orders two cookies: nil first, then by UTF-16 code units.
  public static func compare(_ a: String?, _ b: String?) -> Int {
    switch (a, b) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let a?, let b?): TextOrder.utf16(a, b)
    }
  }

  /// Orders two cookies of the forms that the reference's storage knows beyond text: numbers, and
  /// objects with an `order` that is either. Null comes first, numbers compare as such, anything else
  /// by its text.
  public static func compare(_ a: JSONValue, _ b: JSONValue) -> Int {
    switch (order(of: a), order(of: b)) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    case (.number(let x), .number(let y)): x == y ? 0 : x < y ? -1 : 1
    case (let x, let y): TextOrder.utf16(x.javaScriptText, y.javaScriptText)
    }
  }

  /// A number that sorts as text: one base-36 digit with the length less one, then base 36.
  public static func lexi(_ number: UInt64) -> String {
    let digits = String(number, radix: 36)
    return String(digits.utf8.count - 1, radix: 36) + digits
  }

  /// The number that ``lexi(_:)`` printed; nil if the text is not of that form.
  public static func number(ofLexi text: some StringProtocol) -> UInt64? {
    guard let first = text.utf8.first, let length = digit(first),
      text.utf8.count == length + 2, text.utf8.dropFirst().allSatisfy({ digit($0) != nil }),
      let number = UInt64(text.dropFirst(), radix: 36), lexi(number) == text
    else { return nil }
    return number
  }

  private static func order(of cookie: JSONValue) -> JSONValue {
    guard case .object(let object) = cookie else { return cookie }
    return object["order"] ?? .null
  }

  private static func digit(_ byte: UInt8) -> Int? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a")) + 10
    default: nil
    }
  }
}
