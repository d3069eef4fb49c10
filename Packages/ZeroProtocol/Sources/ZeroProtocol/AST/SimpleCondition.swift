/// A comparison of two value positions.
public struct SimpleCondition: Sendable {
  /// A column, or a value.
  public var left: ValuePosition
  /// What is compared how.
  public var op: SimpleOperator
  /// Never a column.
  public var right: ValuePosition
  var spelling: NodeSpelling?

  /// A comparison that prints as the builder prints it.
  public init(left: ValuePosition, _ op: SimpleOperator, right: ValuePosition) {
    self.left = left
    self.op = op
    self.right = right
  }

  /// The comparison with the opposite operator. Its text has the operator before the operands,
  /// as what JavaScript's `not` makes, also when negated twice.
  public var negated: SimpleCondition {
    var copy = self
    copy.op = op.negated
    copy.spelling = .negatedComparison
    return copy
  }
}
