public import ZeroProtocol

/// A Swift type that a column can have.
public protocol ZeroValue: Sendable {
  /// Nil if the value is of another type. Null is not asked for; see ``valueForNull``.
  init?(zero value: Value)

  /// The value as a column holds it.
  var zero: Value { get }

  /// What a null in the column reads as; nil makes it an error.
  static var valueForNull: Self? { get }
}

/// A column type whose values can be compared in queries.
public protocol ZeroScalar: ZeroValue, Hashable {}

/// Text and optional text, which patterns can match.
public protocol TextScalar: ZeroScalar {}

extension String: TextScalar {
  @inlinable public init?(zero value: Value) {
    guard case .string(let text) = value else { return nil }
    self = text
  }

  @inlinable public var zero: Value { .string(self) }

  /// The empty text.
  @inlinable public static var valueForNull: String? { "" }
}

extension Double: ZeroScalar {
  @inlinable public init?(zero value: Value) {
    guard case .number(let number) = value else { return nil }
    self = number
  }

  @inlinable public var zero: Value { .number(self) }

  @inlinable public static var valueForNull: Double? { 0 }
}

extension Int: ZeroScalar {
  /// Takes whole numbers within ±2^53, which doubles hold exactly.
  @inlinable public init?(zero value: Value) {
    guard case .number(let number) = value, number.magnitude <= 0x1p53,
      let integer = Int(exactly: number)
    else { return nil }
    self = integer
  }

  /// The nearest double, which is the number itself within ±2^53.
  @inlinable public var zero: Value { .number(Double(self)) }

  @inlinable public static var valueForNull: Int? { 0 }
}

extension Bool: ZeroScalar {
  @inlinable public init?(zero value: Value) {
    guard case .bool(let bool) = value else { return nil }
    self = bool
  }

  @inlinable public var zero: Value { .bool(self) }

  @inlinable public static var valueForNull: Bool? { false }
}

extension JSONValue: ZeroValue {
  @inlinable public init?(zero value: Value) { self = value.jsonValue }

  public var zero: Value { Value(self) }

  /// `JSONValue.null`.
  @inlinable public static var valueForNull: JSONValue? { .some(.null) }
}

extension Optional: ZeroValue where Wrapped: ZeroValue {
  @inlinable public init?(zero value: Value) {
    guard let wrapped = Wrapped(zero: value) else { return nil }
    self = .some(wrapped)
  }

  @inlinable public var zero: Value { self?.zero ?? .null }

  @inlinable public static var valueForNull: Wrapped?? { .some(.none) }
}

extension Optional: ZeroScalar where Wrapped: ZeroScalar {}

extension Optional: TextScalar where Wrapped: TextScalar {}
