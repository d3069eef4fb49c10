/// How long a query stays alive after its last user has gone.
///
/// Numbers are milliseconds; text is a number and a unit of `s`, `m`, `h`, `d` or `y` (365 days), or
/// `none` or `forever`. Odd text is taken as the reference takes it.
public struct TTL: Sendable {
  private enum Spelling: Sendable {
    case number(Double)
    case text(String)
  }
  private let spelling: Spelling

  /// Ends with its last user.
  public static let none = TTL(text: "none")
  /// Never ends.
  public static let forever = TTL(text: "forever")
  /// What views and one-time runs use: five minutes.
  public static let standard = TTL(text: "5m")
  /// The longest time that the server keeps a query: ten minutes, in milliseconds.
  public static let maximumMilliseconds: Double = 600_000

  /// Milliseconds. Negative and infinite mean forever; not a number means none.
  public static func milliseconds(_ count: Double) -> TTL { TTL(spelling: .number(count)) }
  /// Seconds; see ``milliseconds(_:)``.
  public static func seconds(_ count: Double) -> TTL { .milliseconds(count * 1000) }
  /// Minutes; see ``milliseconds(_:)``.
  public static func minutes(_ count: Double) -> TTL { .milliseconds(count * 60_000) }
  /// Hours; see ``milliseconds(_:)``.
  public static func hours(_ count: Double) -> TTL { .milliseconds(count * 3_600_000) }

  /// A time as text, as `5m`; nil if it is none.
  public init?(_ text: String) {
    self.init(text: text)
    if parsed.isNaN { return nil }
  }

  /// A time as text of any form, whose ``parsed`` value may be not a number.
  @_spi(Engine) public init(text: String) { self.init(spelling: .text(text)) }

  private init(spelling: Spelling) { self.spelling = spelling }

  /// Milliseconds, −1 for forever; not a number for text without a unit.
  public var parsed: Double {
    switch spelling {
    case .number(let number):
      return number.isNaN ? 0 : number < 0 || number.isInfinite ? -1 : number
    case .text("none"): return 0
    case .text("forever"): return -1
    case .text(let text):
      guard let last = text.unicodeScalars.last, let unit = Self.unit(last) else { return .nan }
      return JavaScriptNumber.parse(String(text.unicodeScalars.dropLast())) * unit
    }
  }

  /// Milliseconds to send to the server, at most ``maximumMilliseconds``; and whether that is less
  /// than what was asked for, which deserves a warning.
  public var clamped: (milliseconds: Double, isReduced: Bool) {
    let parsed = self.parsed
    if parsed == -1 || parsed > Self.maximumMilliseconds {
      return (Self.maximumMilliseconds, true)
    }
    return (parsed, false)
  }

  /// The shortest spelling of the same time: text, or the number in milliseconds.
  public var normalized: JSONValue {
    switch spelling {
    case .text(let text): return .string(text)
    case .number(let number):
      if number == 0 { return .string("none") }
      if number < 0 { return .string("forever") }
      var shortest = number.javaScriptText
      let plain = shortest
      for (letter, unit) in Self.units.reversed() {
        let candidate = (number / unit).javaScriptText + letter
        if candidate.utf8.count < shortest.utf8.count { shortest = candidate }
      }
      return shortest.utf8.count < plain.utf8.count ? .string(shortest) : .number(number)
    }
  }

  /// Orders two times, forever as the longest: −1, 0 or 1, nil if one is not a number.
  public static func compare(_ a: TTL, _ b: TTL) -> Int? {
    let (a, b) = (a.parsed, b.parsed)
    if a == -1 || b == -1 { return a == b ? 0 : a == -1 ? 1 : -1 }
    if a.isNaN || b.isNaN { return nil }
    return a == b ? 0 : a < b ? -1 : 1
  }

  // MARK: -

  private static let units: [(letter: String, milliseconds: Double)] = [
    ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("y", 31_536_000_000),
  ]

  private static func unit(_ letter: Unicode.Scalar) -> Double? {
    units.first { $0.letter.unicodeScalars.first == letter }?.milliseconds
  }
}

extension TTL: CustomStringConvertible {
  /// As it was given.
  public var description: String {
    switch spelling {
    case .number(let number): number.javaScriptText
    case .text(let text): text
    }
  }
}
