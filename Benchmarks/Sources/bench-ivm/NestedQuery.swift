import ZeroIVM
import ZeroProtocol

/// A query with the format of its result, put together level by level.
struct NestedQuery {
  var ast: AST
  var format: Format

  init(
    _ table: String, where condition: Condition? = nil, limit: Int? = nil,
    orderBy: [OrderPart]? = nil
  ) {
    ast = AST(
      table: table, where: condition, limit: limit.map { Double($0) }, orderBy: orderBy)
    format = Format()
  }

  /// With related rows; `key` names the columns on this side and on the other.
  func related(
    _ name: String, _ key: (String, String), one: Bool = false, _ query: NestedQuery
  ) -> NestedQuery {
    var subquery = query.ast
    subquery.alias = name
    return adding(
      name,
      CorrelatedSubquery(system: .client, correlation: Self.correlation(key), subquery: subquery),
      Format(singular: one, relationships: query.format.relationships))
  }

  /// With related rows behind a junction table, whose rows are not shown.
  func related(
    _ name: String, _ key: (String, String), through junction: String, _ next: (String, String),
    _ query: NestedQuery
  ) -> NestedQuery {
    var target = query.ast
    target.alias = name
    let hop = CorrelatedSubquery(
      system: .client, correlation: Self.correlation(next), subquery: target)
    return adding(
      name,
      CorrelatedSubquery(
        system: .client, correlation: Self.correlation(key),
        subquery: AST(table: junction, alias: name, related: [hop]), hidden: true), query.format)
  }

  func limit(_ limit: Int) -> NestedQuery {
    var query = self
    query.ast.limit = Double(limit)
    return query
  }

  /// A condition that there is a row of `query`.
  static func exists(_ key: (String, String), _ query: NestedQuery) -> Condition {
    var subquery = query.ast
    subquery.alias = "zsubq_\(query.ast.table)"
    return .correlatedSubquery(
      CorrelatedSubqueryCondition(
        related: CorrelatedSubquery(
          system: .client, correlation: correlation(key), subquery: subquery)))
  }

  // MARK: -

  private func adding(
    _ name: String, _ subquery: CorrelatedSubquery, _ format: Format
  ) -> NestedQuery {
    var query = self
    query.ast.related = (ast.related ?? []) + [subquery]
    query.format[name] = format
    return query
  }

  private static func correlation(_ key: (String, String)) -> Correlation {
    Correlation(parentField: [key.0], childField: [key.1])
  }
}
