import ZeroProtocol

/// An operator between a column and a value of its type.
public enum Comparison: Sendable {
  case eq, ne, lt, le, gt, ge
  /// Equal, null being equal to null.
  case `is`
  /// Not equal, null being equal to null.
  case isNot

  var op: SimpleOperator {
    switch self {
    case .eq: .equal
    case .ne: .notEqual
    case .lt: .less
    case .le: .lessOrEqual
    case .gt: .greater
    case .ge: .greaterOrEqual
    case .is: .is
    case .isNot: .isNot
    }
  }
}

/// An operator between a column and a list of values of its type.
public enum Membership: Sendable {
  case `in`, notIn

  var op: SimpleOperator { self == .in ? .in : .notIn }
}

/// An operator between a column of text and a pattern, in which `%` stands for any text, `_` for
/// one UTF-16 unit, and `\` takes the next character as it is.
public enum Pattern: Sendable {
  case like, notLike
  /// Whatever the case of letters.
  case ilike
  case notILike

  var op: SimpleOperator {
    switch self {
    case .like: .like
    case .notLike: .notLike
    case .ilike: .ilike
    case .notILike: .notILike
    }
  }
}

/// Makes text match itself in a ``Pattern``: puts `\` before `%` and `_`.
///
/// As in the reference, a `\` in the text stays as it is and escapes what follows it.
public func escapeLike(_ text: String) -> String { LikePattern.escape(text) }
