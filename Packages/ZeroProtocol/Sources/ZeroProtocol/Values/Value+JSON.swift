extension Value {
  /// A JSON value as a column holds it: arrays and objects as `json`, scalars as themselves.
  public init(_ json: JSONValue) {
    switch json {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let value): self = .number(value)
    case .string(let value): self = .string(value)
    case .array, .object: self = .json(json)
    }
  }

  /// The value as JSON. Absent becomes null.
  public var jsonValue: JSONValue {
    switch self {
    case .absent, .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): .number(value)
    case .string(let value): .string(value)
    case .json(let value): value
    }
  }

  /// The text that JavaScript's `String(value)` gives.
  public var javaScriptText: String {
    if self == .absent { "undefined" } else { jsonValue.javaScriptText }
  }
}
