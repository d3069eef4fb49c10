import ZeroClient
import ZeroIVM
import ZeroProtocol

struct AuthData: Codable, Sendable { var userID: String }

struct ByStatus: Codable, Sendable {
  var status: IssueStatus
  var text: String?
}

struct CreateIssue: Codable, Sendable {
  var id: String
  var title: String
  var created: Double
}

struct Notify: Codable, Sendable { var id: String }

enum IssueQueries {
  static let byStatus = defineQuery("issues.byStatus") { (args: ByStatus, _: AuthData?) in
    zql.issue.where(\.status, args.status).related(\.owner).orderBy(\.created, .desc).limit(50)
  }
  static let mine = defineQuery("issues.mine") { (ctx: AuthData?) in
    zql.issue.where {
      $0.priority >= 2 && ($0.assignee == ctx?.userID || $0.assignee == nil)
    }
  }
  static let byID = defineQuery(
    "issues.byID",
    validate: { (id: String) in if id.isEmpty { throw ApplicationError("id is empty") } }
  ) { (id: String, _: AuthData?) in
    zql.issue.where(\.id, id).related(\.comments) { $0.orderBy(\.n, .desc).limit(10) }.one()
  }

  static var all: [any AnyQueryDefinition<AuthData?>] { [byStatus, mine, byID] }
}

enum IssueMutators {
  static let create = defineMutator("issue.create") { (tx, args: CreateIssue, _: AuthData?) in
    try tx.mutate.issue.insert(
      Issue(
        id: args.id, title: args.title, priority: 1, status: .open, created: args.created,
        done: false))
  }
  static let close = defineMutator("issue.close") { (tx, id: String, _: AuthData?) in
    guard let issue = try tx.run(zql.issue.where(\.id, id).one()), !issue.done else { return }
    try tx.mutate.issue.update(id: id) {
      $0.done = true
      $0.assignee = nil
    }
  }
  static let notify = defineMutator.serverOnly(
    "issue.notify", args: Notify.self, context: AuthData?.self)
  /// Writes who runs it.
  static let stamp = defineMutator("issue.stamp") { (tx, id: String, ctx: AuthData?) in
    try tx.mutate.issue.update(id: id) {
      $0.title = "\(tx.clientID) \(tx.mutationID) \(ctx?.userID ?? "nobody")"
    }
  }
  /// Removes an issue, with its comments, unless others have commented.
  static let delete = defineMutator("issue.delete") { (tx, id: String, ctx: AuthData?) in
    let comments = try tx.run(zql.comment.where(\.issueID, id))
    for comment in comments {
      try tx.mutate.comment.delete(comment)
      guard comment.authorID == ctx?.userID else {
        throw ApplicationError(
          "others have commented", details: .object(["author": .string(comment.authorID)]))
      }
    }
    try tx.mutate.issue.delete(Issue.Changes(id: id))
  }
  static let reopenAll = defineMutator("issue.reopenAll") { (tx, _: AuthData?) in
    for issue in try tx.run(zql.issue.where(\.done, true)) {
      try tx.mutate.issue.update(id: issue.id) { $0.done = false }
    }
  }

  static var all: [any AnyMutator<AuthData?>] {
    [create, close, notify, stamp, delete, reopenAll]
  }
}

/// Queries whose hashes the builder in TypeScript is known to give, under names of their own.
enum ParityQueries {
  private static let me = "ann"

  private static func named<Output: QueryOutput>(
    _ name: String,
    _ query: @escaping @Sendable @autoclosure () -> Query<Output.Element, Output>
  ) -> PlainQueryDefinition<Output, AuthData?> {
    defineQuery("parity.\(name)") { (_: AuthData?) in query() }
  }

  static let all: [any AnyQueryDefinition<AuthData?>] = [
    named("enumeration", zql.issue.where(\.status, .open)),
    named(
      "andOverOr",
      zql.issue.where { $0.priority >= 2 && ($0.assignee == me || $0.assignee == nil) }),
    named(
      "negation",
      zql.issue.where {
        !($0.title.ilike("%bug%") && $0.status.in([.open, .closed]))
          || $0.created < 5.5 && $0.done == false || $0.priority != 3
      }),
    named(
      "exists",
      zql.issue
        .whereExists(\.comments) { $0.where(\.body, .like, "a%").where(\.n, .gt, 3) }
        .whereExists(\.owner, flip: true)),
    named(
      "existsInExpressions",
      zql.issue.where {
        $0.comments.exists { $0.where(\.authorID, me) } || !$0.commenters.exists()
      }),
    named(
      "junction",
      zql.issue.related(\.commenters) { $0.where(\.name, "x") }
        .whereExists(\.commenters, flip: false)),
    named(
      "nested",
      zql.issue
        .related(\.comments) { $0.related(\.author).orderBy(\.n, .desc).limit(10) }
        .related(\.owner) { $0.one() }.orderBy(\.created, .desc).limit(50)),
    named(
      "start",
      zql.comment.orderBy(\.n)
        .start(after: Comment(issueID: "i", n: 7, authorID: "a", body: "é\u{1}"))),
    named("notInOne", zql.user.where(\.id, .notIn, ["a", "b"]).one()),
    named(
      "scalar", zql.comment.whereExists(\.author, scalar: true) { $0.where(\.name, "ann") }),
    named(
      "inconsistentOrder",
      zql.issue.where {
        ($0.owner.exists() && ($0.title == "q" || $0.title == "p")) && $0.done == true
          && $0.comments.exists()
      }),
    named("emptyList", zql.issue.where(\.priority, .in, [])),
  ]
}
