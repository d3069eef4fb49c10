import ZeroIVM
import ZeroProtocol

/// The queries of the workloads.
struct BenchQuery {
  let name: String
  let ast: AST
  let format: Format

  static let plain = BenchQuery(name: "plain", ast: AST(table: "issue"), format: Format())
  static let filter = BenchQuery(
    name: "filter",
    ast: AST(
      table: "issue",
      where: .and([
        .simple(column: "open", .equal, .bool(true)),
        .simple(column: "priority", .greater, .number(2)),
      ])), format: Format())
  static let orderLimit50 = BenchQuery(
    name: "limit",
    ast: AST(
      table: "issue", limit: 50,
      orderBy: [OrderPart("priority", .desc), OrderPart("createdAt", .desc)]), format: Format())
  static let related = BenchQuery(
    name: "join1", ast: AST(table: "issue", related: [comments]), format: Format.comments)
  static let exists = BenchQuery(
    name: "exists",
    ast: AST(
      table: "issue",
      where: .correlatedSubquery(
        CorrelatedSubqueryCondition(
          related: CorrelatedSubquery(
            system: .client, correlation: Correlation(parentField: ["id"], childField: ["issueID"]),
            subquery: AST(
              table: "comment", alias: "zsubq_comments",
              where: .simple(column: "authorID", .equal, .string("u7"))))))), format: Format())
  static let threeLevels = BenchQuery(
    name: "join2",
    ast: AST(
      table: "project",
      related: [
        CorrelatedSubquery(
          system: .client, correlation: Correlation(parentField: ["id"], childField: ["projectID"]),
          subquery: AST(table: "issue", alias: "issues", related: [comments]))
      ]),
    format: Format(relationships: [("issues", Format.comments)]))
  static let or = BenchQuery(
    name: "or",
    ast: AST(
      table: "issue",
      where: .or([
        .simple(column: "priority", .greater, .number(3)),
        .correlatedSubquery(
          CorrelatedSubqueryCondition(
            related: CorrelatedSubquery(
              system: .client,
              correlation: Correlation(parentField: ["id"], childField: ["issueID"]),
              subquery: AST(
                table: "comment", alias: "zsubq_comments",
                where: .simple(column: "authorID", .equal, .string("u7")))))),
      ])), format: Format())
  static let all = [plain, filter, orderLimit50, related, exists, threeLevels, or]

  private static let comments = CorrelatedSubquery(
    system: .client, correlation: Correlation(parentField: ["id"], childField: ["issueID"]),
    subquery: AST(table: "comment", alias: "comments", orderBy: [OrderPart("createdAt")]))

  /// One issue by its key, with its comments.
  static func single(_ id: String) -> BenchQuery {
    BenchQuery(
      name: "single",
      ast: AST(
        table: "issue", where: .simple(column: "id", .equal, .string(id)), related: [comments],
        limit: 1), format: Format(singular: true, relationships: [("comments", Format())]))
  }
}

extension Format {
  static var comments: Format { Format(relationships: [("comments", Format())]) }
}
