/// Names of queries and mutators made of a path of nested definitions.
public enum DefinitionName {
  /// Joins `parts` with `separator`.
  /// - Throws: ``DefinitionNameError`` if a part contains the separator.
  public static func join(
    _ parts: [String], separator: Character
  ) throws(DefinitionNameError) -> String {
    for part in parts where part.unicodeScalars.contains(where: separator.unicodeScalars.contains) {
      throw DefinitionNameError(part: part, separator: separator)
    }
    return parts.joined(separator: String(separator))
  }
}

/// A part of a definition's name contains the character that separates parts.
public struct DefinitionNameError: Error, Sendable, CustomStringConvertible {
  /// The part with the separator in it.
  public let part: String
  /// What separates parts.
  public let separator: Character

  public var description: String {
    "the name \"\(part)\" must not contain \"\(separator)\", which separates the parts of a name"
  }
}
