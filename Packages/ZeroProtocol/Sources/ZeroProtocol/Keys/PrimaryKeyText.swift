/// The text of a primary key in a row's key: the value itself for a key of one column, else the
/// 128-bit hash, in decimal, of the JSON array of the values.
///
/// Numbers print as JavaScript prints them.
/// - Parameter values: one per key column, in the schema's order.
/// - Throws: ``PrimaryKeyError`` if a value is null, absent or a JSON value.
public func primaryKeyText(_ values: [Value]) throws(PrimaryKeyError) -> String {
  if values.count == 1 {
    switch values[0] {
    case .string(let text): return text
    case .number(let number): return number.javaScriptText
    case .bool(let flag): return flag ? "true" : "false"
    case .absent, .null, .json: throw PrimaryKeyError(position: 0, value: values[0])
    }
  }
  var text: [UInt8] = [UInt8(ascii: "[")]
  for (position, value) in values.enumerated() {
    if position > 0 { text.append(UInt8(ascii: ",")) }
    switch value {
    case .string(let string): text.appendJSON(string)
    case .number(let number): text.appendJSON(number)
    case .bool(let flag): text.appendJSON(flag)
    case .absent, .null, .json: throw PrimaryKeyError(position: position, value: value)
    }
  }
  text.append(UInt8(ascii: "]"))
  return text.withUnsafeBytes { "\(TextHash.h128($0))" }
}

/// A primary key has a value that cannot identify a row.
public struct PrimaryKeyError: Error, Sendable, CustomStringConvertible {
  /// Which key column, counted from 0.
  public let position: Int
  /// The value found there.
  public let value: Value

  public var description: String {
    let found =
      switch value {
      case .absent: "missing"
      case .null: "null"
      case .json: "an array or an object"
      case .bool, .number, .string: "a \(value.kind)"
      }
    return "primary-key column \(position) is \(found); it must be a string, a number or a boolean"
  }
}
