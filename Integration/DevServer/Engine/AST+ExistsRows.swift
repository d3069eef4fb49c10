import ZeroProtocol

extension AST {
  /// The query with the rows that decide its exists conditions among its related rows, at every
  /// level: clients evaluate the conditions for themselves, so they need those rows too.
  func relatingExistsRows() -> AST {
    var query = self
    var related = (query.related ?? []).map { $0.relatingExistsRows() }
    for (place, condition) in (query.where?.subqueries ?? []).enumerated() {
      var added = condition.related.relatingExistsRows()
      added.subquery.alias = "\(Self.existsRowsPrefix)\(place)"
      added.subquery.limit = Self.existsRowLimit
      added.hidden = nil
      related.append(added)
    }
    query.related = related.isEmpty ? nil : related
    return query
  }

  private static let existsRowsPrefix = "zexists_"
  /// As many rows as the reference keeps to tell that there is one, and to know the next when one
  /// goes.
  private static let existsRowLimit = 3.0
}

extension CorrelatedSubquery {
  fileprivate func relatingExistsRows() -> CorrelatedSubquery {
    var copy = self
    copy.subquery = subquery.relatingExistsRows()
    return copy
  }
}

extension Condition {
  /// The exists conditions of this level.
  fileprivate var subqueries: [CorrelatedSubqueryCondition] {
    switch self {
    case .simple: []
    case .and(let members), .or(let members): members.flatMap(\.subqueries)
    case .correlatedSubquery(let condition): [condition]
    }
  }
}
