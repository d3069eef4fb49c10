extension JSONValue {
  /// The text that JavaScript's `String(value)` gives: an array as its elements joined by commas,
  /// null in it as nothing, an object as a fixed text.
  public var javaScriptText: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let value): value.javaScriptText
    case .string(let value): value
    case .array(let elements): Self.joined(elements)
    case .object: "[object Object]"
    }
  }

  /// The elements joined by commas, those of arrays inside too, without calls inside calls.
  private static func joined(_ elements: [JSONValue]) -> String {
    var text = ""
    var open: [(elements: [JSONValue], next: Int)] = [(elements, 0)]
    while let (elements, place) = open.last {
      guard place < elements.count else {
        open.removeLast()
        continue
      }
      open[open.count - 1].next += 1
      if place > 0 { text += "," }
      switch elements[place] {
      case .null: break
      case .array(let elements): open.append((elements, 0))
      case let value: text += value.javaScriptText
      }
    }
    return text
  }
}
