/// Turns an `Encodable` value into JSON as the arguments of queries and mutators need it: members in
/// the order in which they are encoded, which for synthesized conformances is that of declaration;
/// nil properties left out; dictionaries with their keys sorted by UTF-8 bytes, sets sorted by the JSON
/// text of their elements.
///
/// Hashes of queries depend on this order, so two runs of a program must agree on it.
public struct JSONValueEncoder {
  public init() {}

  /// - Throws: ``JSONEncodingError`` for a number that JSON or a double cannot hold, or for a value
  ///   that encodes nothing; and whatever a custom `encode(to:)` throws.
  public func encode(_ value: some Encodable) throws -> JSONValue {
    let node = JSONEncodingNode()
    try node.encode(value, path: [])
    guard let json = node.value else {
      throw JSONEncodingError(path: "", reason: "the value encodes nothing")
    }
    return json
  }
}

/// A value cannot be written as JSON.
public struct JSONEncodingError: Error, Sendable, CustomStringConvertible {
  /// Where in the value, as `a.0.b`; empty for the value itself.
  public let path: String
  /// Why it cannot.
  public let reason: String

  public var description: String {
    path.isEmpty
      ? "not encodable as JSON: \(reason)" : "not encodable as JSON at \(path): \(reason)"
  }

  init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  init(path: [any CodingKey], reason: String) {
    self.init(path: path.map(\.stringValue).joined(separator: "."), reason: reason)
  }
}
