/// A condition on the rows of a subquery: that there are some, or none.
public struct CorrelatedSubqueryCondition: Sendable {
  /// The rows that are looked for.
  public var related: CorrelatedSubquery
  /// Whether there must be some or none.
  public var op: ExistsOperator
  /// Whether to start from the subquery's rows. Nil leaves the choice to whoever runs the query.
  public var flip: Bool?
  /// Whether the subquery yields at most one row, whose value the server may look up beforehand.
  public var scalar: Bool?
  var spelling: NodeSpelling?

  /// A condition that prints as the builder prints it.
  public init(
    related: CorrelatedSubquery, op: ExistsOperator = .exists, flip: Bool? = nil,
    scalar: Bool? = nil
  ) {
    self.related = related
    self.op = op
    self.flip = flip
    self.scalar = scalar
  }

  /// The condition with the opposite operator.
  public var negated: CorrelatedSubqueryCondition {
    var copy = self
    copy.op = op.negated
    return copy
  }
}
