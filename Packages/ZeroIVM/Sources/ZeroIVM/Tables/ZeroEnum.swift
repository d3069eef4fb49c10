public import ZeroProtocol

/// An enumeration of a schema: text that is one of the cases. Other text, and null, is an error
/// when a row is read.
public protocol ZeroEnum: ZeroScalar, RawRepresentable where RawValue == String {}

extension ZeroEnum {
  @inlinable public init?(zero value: Value) {
    guard case .string(let text) = value else { return nil }
    self.init(rawValue: text)
  }

  @inlinable public var zero: Value { .string(rawValue) }

  @inlinable public static var valueForNull: Self? { nil }
}

/// The type of a JSON column whose shape is known. Null, and JSON of another shape, is an error
/// when a row is read.
public protocol ZeroJSON: ZeroValue {
  /// Nil if the JSON has another shape.
  init?(json: JSONValue)

  var json: JSONValue { get }
}

extension ZeroJSON {
  public init?(zero value: Value) { self.init(json: value.jsonValue) }

  public var zero: Value { Value(json) }

  public static var valueForNull: Self? { nil }
}
