/// The filter of a query.
///
/// An `and` without members is true, an `or` without members is false.
public indirect enum Condition: Sendable {
  case simple(SimpleCondition)
  case and([Condition])
  case or([Condition])
  case correlatedSubquery(CorrelatedSubqueryCondition)

  /// The condition that every row fulfils.
  public static let `true` = Condition.and([])

  /// The condition that no row fulfils.
  public static let `false` = Condition.or([])

  /// A comparison of a column with a literal.
  public static func simple(column: String, _ op: SimpleOperator, _ value: Value) -> Condition {
    .simple(SimpleCondition(left: .column(column), op, right: .literal(value)))
  }

  /// Whether this is an `and` without members.
  public var isAlwaysTrue: Bool {
    if case .and(let members) = self { members.isEmpty } else { false }
  }

  /// Whether this is an `or` without members.
  public var isAlwaysFalse: Bool {
    if case .or(let members) = self { members.isEmpty } else { false }
  }
}
