public import ZeroIVM
public import ZeroProtocol

/// The named queries of the issue tracker, as functions of their arguments.
public enum IssueTrackerQueries {
  /// The full names under which clients ask for them.
  public static let names = [
    "allUsers", "projects", "issuesByProject", "issueDetail", "visibleIssues",
    "issuesWithComments", "labels",
  ]

  /// The query of that name; nil if there is none.
  /// - Parameters:
  ///   - arguments: as the client sent them.
  ///   - userID: who asks.
  public static func query(
    _ name: String, _ arguments: JSONValue?, userID: String?
  ) throws -> AnyQuery? {
    let arguments = Arguments(arguments)
    switch name {
    case "allUsers": return try table("user").orderBy("name")
    case "projects":
      let archived = arguments["archived"]
      return try table("project").where("archived", archived == .null ? .bool(false) : archived)
    case "issuesByProject":
      return try table("issue").where("projectId", arguments["projectId"])
        .related("creator").related("labels").orderBy("createdAt", .desc)
        .limit(arguments.number("limit") ?? 100)
    case "issueDetail":
      return try table("issue").where("id", arguments["id"])
        .related("comments") { try $0.orderBy("createdAt").related("author") }
        .related("assignee").one()
    case "visibleIssues":
      return try table("issue").where { issue in
        issue.or(
          issue.cmp("isPrivate", .bool(false)),
          issue.cmp("creatorId", .string(userID ?? "")))
      }.orderBy("id")
    case "issuesWithComments": return try table("issue").whereExists("comments").orderBy("id")
    case "labels": return try table("label")
    default: return nil
    }
  }

  private static func table(_ name: String) throws -> AnyQuery {
    try AnyQuery(.issueTracker, table: name)
  }
}

/// The one argument of a query or a mutator, read member by member.
public struct Arguments: Sendable {
  private let object: JSONObject

  public init(_ argument: JSONValue?) {
    if case .object(let object)? = argument { self.object = object } else { object = [:] }
  }

  /// The member, or null.
  public subscript(name: String) -> Value { object[name].map { Value($0) } ?? .null }

  /// The member if it is there and not null.
  public func json(_ name: String) -> JSONValue? { object[name] == .null ? nil : object[name] }

  public func number(_ name: String) -> Double? {
    if case .number(let number)? = object[name] { number } else { nil }
  }

  public func text(_ name: String) -> String? {
    if case .string(let text)? = object[name] { text } else { nil }
  }
}
