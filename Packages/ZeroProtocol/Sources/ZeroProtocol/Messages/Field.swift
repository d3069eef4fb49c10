/// A member that can be missing, null, or have a value, where the three mean different things.
public enum Field<Wrapped> {
  case absent
  case null
  case value(Wrapped)

  /// The value; nil if it is missing or null.
  public var value: Wrapped? {
    if case .value(let value) = self { value } else { nil }
  }
}

extension Field: Sendable where Wrapped: Sendable {}
extension Field: Equatable where Wrapped: Equatable {}
