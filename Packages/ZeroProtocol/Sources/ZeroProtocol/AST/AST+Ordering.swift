extension AST {
  /// This query with the primary-key columns that an ordering does not mention appended to it,
  /// ascending in declared order: here, in nested results and in the subqueries of conditions.
  ///
  /// - Parameter primaryKeys: the key columns of a table, nil for one that does not exist.
  /// - Throws: `unknownTable`.
  public func completingOrdering(
    primaryKeys: (_ table: String) -> [String]?
  ) throws(ASTError) -> AST {
    guard let primaryKey = primaryKeys(table) else { throw .unknownTable(table) }
    var copy = self
    copy.orderBy = (orderBy ?? []).completed(by: primaryKey)
    if let condition = self.where {
      copy.where = try condition.mappingSubqueries { (query) throws(ASTError) in
        try query.completingOrdering(primaryKeys: primaryKeys)
      }
    }
    if let related {
      var entries: [CorrelatedSubquery] = []
      entries.reserveCapacity(related.count)
      for var entry in related {
        entry.subquery = try entry.subquery.completingOrdering(primaryKeys: primaryKeys)
        entries.append(entry)
      }
      copy.related = entries
    }
    return copy
  }
}

extension Array where Element == OrderPart {
  /// This ordering and after it, ascending, the columns of the key it does not mention.
  public func completed(by primaryKey: [String]) -> Ordering {
    self + primaryKey.filter { !orders(by: $0) }.map { OrderPart($0) }
  }

  /// Checks that the ordering makes every row of a table distinct.
  /// - Throws: `incompleteOrdering` if a column of the key is missing.
  public func requirePrimaryKey(_ primaryKey: [String]) throws(ASTError) {
    let missing = primaryKey.filter { !orders(by: $0) }
    guard missing.isEmpty else { throw .incompleteOrdering(missing: missing) }
  }

  private func orders(by column: String) -> Bool {
    contains { $0.column.utf8.elementsEqual(column.utf8) }
  }
}

extension Condition {
  /// This condition with the query of every exists in it replaced, not looking into the queries.
  func mappingSubqueries(
    _ transform: (AST) throws(ASTError) -> AST
  ) throws(ASTError) -> Condition {
    switch self {
    case .simple: return self
    case .and(let members):
      return .and(
        try members.map { (member) throws(ASTError) in
          try member.mappingSubqueries(transform)
        })
    case .or(let members):
      return .or(
        try members.map { (member) throws(ASTError) in
          try member.mappingSubqueries(transform)
        })
    case .correlatedSubquery(var condition):
      condition.related.subquery = try transform(condition.related.subquery)
      return .correlatedSubquery(condition)
    }
  }
}
