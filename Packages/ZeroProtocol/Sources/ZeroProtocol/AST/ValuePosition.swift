/// What a static parameter is looked up in.
public enum ParameterAnchor: String, Sendable, Hashable, CaseIterable {
  case authData, preMutationRow
}

/// A value that only the server knows, by its path inside an anchor.
public struct StaticParameter: Sendable {
  /// What the path starts from.
  public var anchor: ParameterAnchor
  /// Member names from the anchor inwards.
  public var path: [String]
  /// Whether a path of one step was given as a string instead of an array.
  var isSingleField: Bool

  /// A member of the anchor itself.
  public init(anchor: ParameterAnchor, field: String) {
    self.anchor = anchor
    path = [field]
    isSingleField = true
  }

  /// A value by its path inside the anchor; an empty path is the anchor.
  public init(anchor: ParameterAnchor, path: [String]) {
    self.anchor = anchor
    self.path = path
    isSingleField = false
  }
}

/// One side of a comparison.
public struct ValuePosition: Sendable {
  /// What stands there.
  public enum Kind: Sendable {
    case column(String)
    /// A scalar or, as `Value.json`, an array of scalars. Absent prints as no value at all.
    case literal(Value)
    /// Only in server permissions; to be bound before a query runs.
    case parameter(StaticParameter)
  }

  /// What stands there.
  public var kind: Kind
  var spelling: NodeSpelling?

  /// A position that prints as the builder prints it.
  public init(_ kind: Kind) { self.kind = kind }

  /// The column of that name.
  public static func column(_ name: String) -> ValuePosition { .init(.column(name)) }

  /// A value; arrays as `Value.json`.
  public static func literal(_ value: Value) -> ValuePosition { .init(.literal(value)) }

  /// A parameter that is still to be bound.
  public static func parameter(_ parameter: StaticParameter) -> ValuePosition {
    .init(.parameter(parameter))
  }
}
