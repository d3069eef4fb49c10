extension AST {
  /// The query with the names of tables and columns on the other side. Aliases and values stay,
  /// and so does the order of everything.
  /// - Throws: `unknownTable`, `unknownColumn`, or `emptyCorrelation` for a nested result that is
  ///   tied by no column.
  public func mapped(by names: NameMapper) throws(ASTError) -> AST {
    var copy = self
    copy.spelling = nil
    copy.table = try names.tableName(table)
    copy.where = try self.where?.mapped(by: names, table: table)
    if let related {
      copy.related = try related.map { (entry) throws(ASTError) in
        var entry = try entry.mapped(by: names, parent: table)
        entry.spelling = .normalizedRelated
        return entry
      }
    }
    if var start {
      start.row = JSONObject(
        try start.row.members.map { (member) throws(ASTError) in
          (try names.columnName(member.key, of: table), member.value)
        })
      copy.start = start
    }
    if let orderBy {
      copy.orderBy = try orderBy.map { (part) throws(ASTError) in
        OrderPart(try names.columnName(part.column, of: table), part.direction)
      }
    }
    return copy
  }
}

extension Condition {
  /// The condition on rows of `table` with the names of tables and columns on the other side.
  /// - Throws: `unknownTable`, `unknownColumn`, `emptyCorrelation`.
  public func mapped(by names: NameMapper, table: String) throws(ASTError) -> Condition {
    switch self {
    case .simple(var condition):
      if case .column(let name) = condition.left.kind {
        condition.left.kind = .column(try names.columnName(name, of: table))
      }
      return .simple(condition)
    case .and(let members):
      return .and(
        try members.map { (member) throws(ASTError) in
          try member.mapped(by: names, table: table)
        })
    case .or(let members):
      return .or(
        try members.map { (member) throws(ASTError) in
          try member.mapped(by: names, table: table)
        })
    case .correlatedSubquery(var condition):
      condition.related = try condition.related.mapped(by: names, parent: table)
      return .correlatedSubquery(condition)
    }
  }
}

extension CorrelatedSubquery {
  fileprivate func mapped(
    by names: NameMapper, parent: String
  ) throws(ASTError) -> CorrelatedSubquery {
    guard !correlation.parentField.isEmpty, !correlation.childField.isEmpty else {
      throw .emptyCorrelation(subquery.table)
    }
    var copy = self
    copy.correlation = Correlation(
      parentField: try correlation.parentField.map { (column) throws(ASTError) in
        try names.columnName(column, of: parent)
      },
      childField: try correlation.childField.map { (column) throws(ASTError) in
        try names.columnName(column, of: subquery.table)
      })
    copy.subquery = try subquery.mapped(by: names)
    return copy
  }
}
