import ZeroProtocol

/// A condition on rows of `T`.
///
/// Combines with `&&`, `||` and `!`. The latter takes the opposite operators, which is not logical
/// negation where a column is null: both `$0.n == 1` and `!($0.n == 1)` are then false.
public struct Predicate<T: ZeroTable>: Sendable {
  let condition: Condition
  /// Why a query inside could not be built.
  let buildError: QueryBuildError?

  init(_ condition: Condition, error: QueryBuildError? = nil) {
    self.condition = condition
    buildError = error
  }

  init<V>(_ column: Column<T, V>, _ op: SimpleOperator, _ value: Value) {
    self.init(.simple(column: column.name, op, value))
  }

  /// True for every row.
  public static var `true`: Self { Self(.true) }

  /// True for no row.
  public static var `false`: Self { Self(.false) }

  /// True where all of `predicates` are.
  public static func all(_ predicates: [Self]) -> Self {
    Self(
      .conjunction(predicates.map(\.condition)),
      error: predicates.lazy.compactMap(\.buildError).first)
  }

  /// True where any of `predicates` is.
  public static func any(_ predicates: [Self]) -> Self {
    Self(
      .disjunction(predicates.map(\.condition)),
      error: predicates.lazy.compactMap(\.buildError).first)
  }

  /// True where both are.
  public static func && (a: Self, b: Self) -> Self { .all([a, b]) }

  /// True where one is at least.
  public static func || (a: Self, b: Self) -> Self { .any([a, b]) }

  /// The opposite operators, and De Morgan over groups.
  public static prefix func ! (a: Self) -> Self { Self(a.condition.negated, error: a.buildError) }
}
