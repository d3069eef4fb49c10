/// A LIKE or ILIKE pattern, made ready to be matched against many texts.
///
/// `%` stands for any number of UTF-16 code units, `_` for one, and `\` makes the unit behind it
/// stand for itself. ILIKE has two rules: a pattern without any of these three compares the
/// lower-case forms of the whole texts; any other compares unit by unit after mapping each to upper
/// case.
public struct LikePattern: Sendable {
  private let matcher: Matcher

  /// - Throws: ``LikePatternError`` if the pattern ends with the escape character.
  public init(_ pattern: String, ignoringCase: Bool) throws(LikePatternError) {
    let hasWildcards = pattern.utf8.contains { $0 == 0x25 || $0 == 0x5F || $0 == 0x5C }
    switch (hasWildcards, ignoringCase) {
    case (false, false): matcher = .exact(Array(pattern.utf8))
    case (false, true): matcher = .lowercased(Array(lowercasedText(pattern).utf8))
    case (true, _): matcher = try .wildcards(WildcardPattern(pattern, ignoringCase: ignoringCase))
    }
  }

  /// Whether the whole text, given as valid UTF-8, matches.
  /// - Complexity: O(n·m); linear for patterns with one `%`.
  public func matches(utf8 text: UnsafeRawBufferPointer) -> Bool {
    switch matcher {
    case .exact(let pattern): return pattern.elementsEqual(text)
    case .lowercased(let pattern):
      if isASCII(text) {
        return pattern.count == text.count
          && zip(pattern, text).allSatisfy { $0 == asciiLowercased($1) }
      }
      return pattern.elementsEqual(lowercasedText(String(decoding: text, as: UTF8.self)).utf8)
    case .wildcards(let pattern): return pattern.matches(text)
    }
  }

  /// Whether the whole text matches.
  public func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Puts the escape character before `%` and `_`, so that they stand for themselves. An escape
  /// character in the text stays as it is, as in the reference.
  public static func escape(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar == "%" || scalar == "_" { escaped.append("\\") }
      escaped.append(scalar)
    }
    return String(escaped)
  }

  private enum Matcher: Sendable {
    case exact([UInt8])
    case lowercased([UInt8])
    case wildcards(WildcardPattern)
  }
}

/// A LIKE pattern ends with the escape character, which then escapes nothing.
public struct LikePatternError: Error, Sendable, CustomStringConvertible {
  /// The pattern as it was given.
  public let pattern: String

  public var description: String {
    "the LIKE pattern \"\(excerpt(pattern))\" ends with the escape character; put a character behind it or "
      + "double it"
  }
}
