public import ZeroProtocol

/// Makes conditions on the rows of an untyped query: JavaScript's expression builder.
public struct ConditionBuilder: Sendable {
  private let query: AnyQuery

  init(_ query: AnyQuery) { self.query = query }

  /// `column` equals `value`.
  public func cmp(_ column: String, _ value: Value) -> Condition { cmp(column, .equal, value) }

  /// A comparison of a column; an absent value counts as null.
  public func cmp(_ column: String, _ op: SimpleOperator, _ value: Value) -> Condition {
    cmpLit(.column(column), op, .literal(value))
  }

  /// A comparison of what is not a column: literals and static parameters.
  public func cmpLit(
    _ left: ValuePosition, _ op: SimpleOperator, _ right: ValuePosition
  ) -> Condition {
    .simple(SimpleCondition(left: left.withoutAbsence, op, right: right.withoutAbsence))
  }

  /// All of the conditions; nil ones do not count.
  public func and(_ conditions: Condition?...) -> Condition {
    .conjunction(conditions.compactMap { $0 })
  }

  /// Any of the conditions; nil ones do not count.
  public func or(_ conditions: Condition?...) -> Condition {
    .disjunction(conditions.compactMap { $0 })
  }

  /// The opposite operators; see `Condition.negated`.
  public func not(_ condition: Condition) -> Condition { condition.negated }

  /// `relation` leads to rows of the query that `build` makes.
  /// - Throws: `unknownRelationship`, and what `build` throws.
  public func exists(
    _ relation: String, flip: Bool? = nil, scalar: Bool? = nil,
    _ build: (AnyQuery) throws -> AnyQuery = { $0 }
  ) throws -> Condition {
    let relation = try query.relation(relation)
    let far = try build(
      try query.far(relation, alias: QueryRules.existsAlias(relation), Format()))
    return QueryRules.exists(
      relation, far.ast, system: query.system, flip: flip, scalar: scalar)
  }
}

extension ValuePosition {
  fileprivate var withoutAbsence: ValuePosition {
    if case .literal(.absent) = kind { .literal(.null) } else { self }
  }
}
