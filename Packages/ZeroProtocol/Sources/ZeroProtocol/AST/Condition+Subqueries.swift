extension Condition {
  /// The part of a condition that can be decided from a row alone.
  public struct RowPart: Sendable {
    /// True for every row for which the whole condition is; nil if nothing can be said.
    public let filter: Condition?
    /// Whether the whole condition asks for more than `filter`.
    public let isWeaker: Bool
  }

  /// The condition without its subqueries: dropped from an `and`; an `or` that would lose one of
  /// its members is dropped as a whole.
  public var rowPart: RowPart {
    switch self {
    case .simple: return RowPart(filter: self, isWeaker: false)
    case .correlatedSubquery: return RowPart(filter: nil, isWeaker: true)
    case .and(let members):
      let parts = members.map(\.rowPart)
      return RowPart(
        filter: Condition.and(parts.compactMap(\.filter)).simplified,
        isWeaker: parts.contains(where: \.isWeaker))
    case .or(let members):
      let parts = members.map(\.rowPart)
      let filters = parts.compactMap(\.filter)
      guard filters.count == parts.count else { return RowPart(filter: nil, isWeaker: true) }
      return RowPart(
        filter: Condition.or(filters).simplified, isWeaker: parts.contains(where: \.isWeaker))
    }
  }

  /// Whether the condition itself asks that a subquery has no rows, which clients refuse. Does not
  /// look into subqueries, which are checked when they are built.
  public var containsNotExists: Bool {
    switch self {
    case .simple: false
    case .correlatedSubquery(let condition): condition.op == .notExists
    case .and(let members), .or(let members): members.contains(where: \.containsNotExists)
    }
  }
}
