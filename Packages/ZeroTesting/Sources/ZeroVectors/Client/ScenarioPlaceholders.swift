import ZeroProtocol

/// The names that scenarios have for what is different in every run.
@MainActor final class ScenarioPlaceholders {
  private var values: [String: String] = [:]
  private var names: [String: String] = [:]
  private var counts: [String: Int] = [:]

  /// Gives `value` a name.
  func define(_ name: String, _ value: String) {
    values[name] = value
    names[value] = name
  }

  /// Gives a value that was not seen before the next number of its kind.
  func number(_ kind: String, _ value: String) {
    guard names[value] == nil else { return }
    let count = (counts[kind] ?? 0) + 1
    counts[kind] = count
    define("$\(kind):\(count)", value)
  }

  private static let kinds = ["$client:", "$group:", "$profile:", "$wsid:"]

  /// Puts the real values in. Other text that begins like a placeholder stands for itself.
  func resolve(_ json: JSONValue) throws -> JSONValue {
    try map(json) { text in
      guard Self.kinds.contains(where: { text.hasPrefix($0) }) else { return text }
      guard let value = values[text] else { throw VectorFailure("placeholder \(text) is unknown") }
      return value
    }
  }

  /// Puts the names in.
  func name(_ json: JSONValue) -> JSONValue {
    map(json) { names[$0] ?? $0 }
  }

  // MARK: -

  private func map(_ json: JSONValue, _ change: (String) throws -> String) rethrows -> JSONValue {
    switch json {
    case .string(let text): .string(try change(text))
    case .array(let elements): .array(try elements.map { try map($0, change) })
    case .object(let object):
      .object(
        JSONObject(
          try object.members.map { (try change($0.key), try map($0.value, change)) }))
    default: json
    }
  }
}

/// Compares what was recorded with what happened.
enum ScenarioMatch {
  /// - Parameter clientSchema: what `$clientSchema` stands for.
  static func matches(
    _ expected: JSONValue, _ actual: JSONValue, _ clientSchemas: [JSONValue]
  ) -> Bool {
    switch (expected, actual) {
    case (.string("$clientSchema"), _): return clientSchemas.contains(actual)
    case (.string("$request"), .string(let text)): return !text.isEmpty
    case (.string("$ts"), .string(let text)): return Double(text) != nil
    case (.string(let text), .string(let other)):
      let detail = "$detail"
      if text.hasSuffix(detail) { return other.hasPrefix(text.dropLast(detail.count)) }
      return text == other
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { matches($0, $1, clientSchemas) }
    case (.object(let a), .object(let b)):
      guard a.count == b.count else { return false }
      return a.members.allSatisfy { key, value in
        guard let other = b[key] else { return false }
        if key == "clientIDs" || key == "activeClients" {
          return matches(sorted(value), sorted(other), clientSchemas)
        }
        return matches(value, other, clientSchemas)
      }
    default: return expected == actual
    }
  }

  private static func sorted(_ json: JSONValue) -> JSONValue {
    guard case .array(let elements) = json else { return json }
    return .array(elements.sorted { $0.jsonString < $1.jsonString })
  }
}
