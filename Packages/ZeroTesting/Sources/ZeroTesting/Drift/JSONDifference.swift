import ZeroProtocol

/// Where two JSON values differ.
enum JSONDifference {
  /// The path to the first difference, members in the order of `a`; nil if there is none.
  static func first(_ a: JSONValue, _ b: JSONValue) -> String? {
    guard a != b else { return nil }
    return path(a, b, []).map { $0.isEmpty ? "the top" : $0.joined(separator: ".") }
  }

  // MARK: -

  private static func path(_ a: JSONValue, _ b: JSONValue, _ path: [String]) -> [String]? {
    switch (a, b) {
    case (.array(let a), .array(let b)):
      for place in 0..<max(a.count, b.count) {
        let below = path + ["\(place)"]
        guard a.indices.contains(place), b.indices.contains(place) else { return below }
        if let found = self.path(a[place], b[place], below) { return found }
      }
      return nil
    case (.object(let a), .object(let b)):
      for (key, _) in a.members + b.members {
        let below = path + [key]
        guard let left = a[key], let right = b[key] else { return below }
        if let found = self.path(left, right, below) { return found }
      }
      return nil
    default: return a == b ? nil : path
    }
  }
}

extension JSONValue {
  /// The text with two spaces for each level, as drift files have it.
  var indented: String { indented(by: "") }

  private func indented(by indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .array(let elements) where !elements.isEmpty:
      let lines = elements.map { inner + $0.indented(by: inner) }
      return "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let object) where !object.isEmpty:
      let lines = object.members.map { key, value in
        "\(inner)\(JSONValue.string(key).jsonString): \(value.indented(by: inner))"
      }
      return "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    default: return jsonString
    }
  }
}
