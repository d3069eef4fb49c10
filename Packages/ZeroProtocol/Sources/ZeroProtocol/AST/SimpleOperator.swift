/// The operator of a comparison.
public enum SimpleOperator: String, Sendable, Hashable, CaseIterable {
  case equal = "="
  case notEqual = "!="
  case `is` = "IS"
  case isNot = "IS NOT"
  case less = "<"
  case greater = ">"
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case like = "LIKE"
  case notLike = "NOT LIKE"
  case ilike = "ILIKE"
  case notILike = "NOT ILIKE"
  case `in` = "IN"
  case notIn = "NOT IN"

  /// The operator of the negated comparison. Null operands make both false, save for `IS`.
  public var negated: SimpleOperator {
    switch self {
    case .equal: .notEqual
    case .notEqual: .equal
    case .is: .isNot
    case .isNot: .is
    case .less: .greaterOrEqual
    case .greaterOrEqual: .less
    case .greater: .lessOrEqual
    case .lessOrEqual: .greater
    case .like: .notLike
    case .notLike: .like
    case .ilike: .notILike
    case .notILike: .ilike
    case .in: .notIn
    case .notIn: .in
    }
  }
}

/// Whether an exists asks for at least one row or for none.
public enum ExistsOperator: String, Sendable, Hashable, CaseIterable {
  case exists = "EXISTS"
  case notExists = "NOT EXISTS"

  /// The other of the two.
  public var negated: ExistsOperator { self == .exists ? .notExists : .exists }
}
