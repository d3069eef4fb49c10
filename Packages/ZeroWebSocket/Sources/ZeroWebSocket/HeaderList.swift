/// Comma-separated header values with parameters, as in `Sec-WebSocket-Extensions`.
enum HeaderList {
  typealias Element = (name: String, parameters: [(name: String, value: String?)])

  /// Names come in lower case, values without quotes.
  static func parse(_ header: String) -> [Element] {
    header.split(separator: ",").compactMap { item -> Element? in
      let parts = item.split(separator: ";", omittingEmptySubsequences: false).map(trim)
      guard let name = parts.first, !name.isEmpty else { return nil }
      let parameters = parts.dropFirst().map { part -> (name: String, value: String?) in
        guard let equals = part.firstIndex(of: "=") else { return (part.lowercased(), nil) }
        var value = trim(part[part.index(after: equals)...])
        if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
          value = String(value.dropFirst().dropLast())
        }
        return (trim(part[..<equals]).lowercased(), value)
      }
      return (name.lowercased(), parameters)
    }
  }

  /// Whether the list of tokens holds `token`, in any case.
  static func contains(_ token: String, in header: String) -> Bool {
    header.split(separator: ",").contains { trim($0).lowercased() == token }
  }

  static func trim(_ text: some StringProtocol) -> String {
    let isSpace = { (character: Character) in character == " " || character == "\t" }
    guard let start = text.firstIndex(where: { !isSpace($0) }),
      let end = text.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(text[start...end])
  }
}
