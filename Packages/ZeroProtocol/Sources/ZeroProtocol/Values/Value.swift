/// The value of one column, as it leaves a row.
///
/// Inside the engine rows are compared in place; a `Value` is made at the edge.
public enum Value: Sendable {
  /// The column has no value at all, which the engine tells from null (JavaScript's `undefined`).
  case absent
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  /// An array or an object of a JSON column. Scalars of a JSON column are the cases above.
  case json(JSONValue)
}

extension Value: Equatable {
  /// Same kind and same content. Strings are equal if their UTF-8 bytes are; NaN equals itself and
  /// minus zero equals zero.
  public static func == (a: Value, b: Value) -> Bool {
    switch (a, b) {
    case (.absent, .absent), (.null, .null): true
    case (.bool(let x), .bool(let y)): x == y
    case (.number(let x), .number(let y)): x == y || (x.isNaN && y.isNaN)
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.json(let x), .json(let y)): x == y
    default: false
    }
  }
}
