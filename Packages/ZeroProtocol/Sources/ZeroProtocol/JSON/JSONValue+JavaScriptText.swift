extension JSONValue {
  /// The text that JavaScript's `String(value)` gives: an array as its elements joined by commas,
  /// null in it as nothing, an object as a fixed text.
  public var javaScriptText: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): value.javaScriptText
    case .string(let value): value
    case .array(let elements):
      elements.map { $0 == .null ? "" : $0.javaScriptText }.joined(separator: ",")
    case .object: "[object Object]"
    }
  }
}
