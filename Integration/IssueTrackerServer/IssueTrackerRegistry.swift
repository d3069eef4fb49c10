import IssueTracker
public import ZeroDevServer
import ZeroIVM
import ZeroProtocol

extension ServerRegistry {
  /// The named queries and mutators of the issue tracker.
  public static var issueTracker: ServerRegistry {
    var registry = ServerRegistry()
    for name in IssueTrackerQueries.names {
      registry.query(name) { arguments, context in
        guard let query = try IssueTrackerQueries.query(name, arguments, userID: context.userID)
        else { throw ApplicationError("Query not found: \(name)") }
        return query.ast
      }
    }
    registry.query("forbidden") { _, _ in
      throw ApplicationError("not allowed", details: .object(["code": .string("FORBIDDEN")]))
    }
    registry.addIssueMutators()
    registry.mutator("comment.add") { transaction, arguments, _ in
      let arguments = Arguments(arguments)
      try transaction.insert(
        "comment",
        [
          "id": arguments["id"].jsonValue, "issueId": arguments["issueId"].jsonValue,
          "authorId": arguments["authorId"].jsonValue, "body": arguments["body"].jsonValue,
          "reactions": .object([:]), "createdAt": arguments["createdAt"].jsonValue,
        ])
    }
    return registry
  }

  // MARK: -

  private mutating func addIssueMutators() {
    mutator("issue.create") { transaction, arguments, _ in
      let arguments = Arguments(arguments)
      try transaction.insert(
        "issue",
        [
          "id": arguments["id"].jsonValue, "projectId": arguments["projectId"].jsonValue,
          "title": arguments["title"].jsonValue, "status": .string("open"),
          "priority": .number(arguments.number("priority") ?? 0), "votes": .number(0),
          "isPrivate": arguments.json("isPrivate") ?? .bool(false),
          "creatorId": arguments["creatorId"].jsonValue,
          "createdAt": arguments["createdAt"].jsonValue,
          "metadata": arguments["metadata"].jsonValue,
        ])
    }
    mutator("issue.setStatus") { transaction, arguments, _ in
      let arguments = Arguments(arguments)
      try transaction.update(
        "issue",
        [
          "id": arguments["id"].jsonValue, "status": arguments["status"].jsonValue,
          "closedAt": arguments["closedAt"].jsonValue,
        ])
    }
    mutator("issue.rename") { transaction, arguments, _ in
      let arguments = Arguments(arguments)
      let title = arguments.text("title") ?? ""
      guard title.contains(where: { !$0.isWhitespace }) else {
        throw ApplicationError(
          "title must not be empty", details: .object(["field": .string("title")]))
      }
      try transaction.update(
        "issue", ["id": arguments["id"].jsonValue, "title": .string(title)])
    }
    mutator("issue.delete") { transaction, arguments, _ in
      try transaction.delete("issue", ["id": Arguments(arguments)["id"].jsonValue])
    }
    mutator("issue.addLabel") { transaction, arguments, _ in
      try transaction.upsert("issueLabel", Self.issueLabel(arguments))
    }
    mutator("issue.removeLabel") { transaction, arguments, _ in
      try transaction.delete("issueLabel", Self.issueLabel(arguments))
    }
  }

  private static func issueLabel(_ arguments: JSONValue?) -> JSONObject {
    let arguments = Arguments(arguments)
    return [
      "issueId": arguments["issueId"].jsonValue, "labelId": arguments["labelId"].jsonValue,
    ]
  }
}
