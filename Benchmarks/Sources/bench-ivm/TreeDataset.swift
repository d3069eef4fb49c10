import ZeroIVM
import ZeroProtocol

/// 200 issues of 50 users, wide and deep: 15 comments each with 2 emoji, 4 emoji of the issue's own,
/// 3 view states, and 5 of 20 labels behind a junction table.
struct TreeDataset {
  static let issueCount = 200
  private(set) var user = RowTable(
    "user", [("id", .string), ("login", .string), ("name", .string), ("role", .string)])
  private(set) var label = RowTable("label", [("id", .string), ("name", .string)])
  private(set) var issue = RowTable(
    "issue",
    [
      ("id", .string), ("shortID", .number), ("title", .string), ("open", .boolean),
      ("modified", .number), ("created", .number), ("projectID", .string),
      ("creatorID", .string), ("assigneeID", .string), ("description", .string),
      ("visibility", .string),
    ])
  private(set) var comment = RowTable(
    "comment",
    [
      ("id", .string), ("issueID", .string), ("created", .number), ("body", .string),
      ("creatorID", .string),
    ])
  private(set) var emoji = RowTable(
    "emoji",
    [
      ("id", .string), ("value", .string), ("annotation", .string), ("subjectID", .string),
      ("creatorID", .string), ("created", .number),
    ])
  private(set) var viewState = RowTable(
    "viewState", [("issueID", .string), ("userID", .string), ("viewed", .number)],
    primaryKey: ["issueID", "userID"])
  private(set) var issueLabel = RowTable(
    "issueLabel", [("issueID", .string), ("labelID", .string)], primaryKey: ["issueID", "labelID"])

  init() {
    for i in 0..<50 {
      user.add(
        .string("user-\(i)"), .string("user\(i)"), .string("User \(i)"),
        .string(i % 10 == 0 ? "crew" : "user"))
    }
    for i in 0..<20 { label.add(.string("label-\(i)"), .string("label-\(i)")) }
    for i in 0..<Self.issueCount { addIssue(i) }
  }

  func branch() throws -> Branch {
    let tables = [user, label, issue, comment, emoji, viewState, issueLabel]
    let branch = Branch(schema: ZeroSchema(tables: tables.map(\.descriptor)))
    for table in tables { try branch.load(table.descriptor.name, table.rows) }
    return branch
  }

  /// A comment that is not there yet.
  func newComment(_ number: Int) -> Row {
    comment.row(
      .string("new-\(number)"), .string("issue-\(number % Self.issueCount)"),
      .number(1_800_000_000_000), .string("A new comment"), .string("user-0"))
  }

  // MARK: - Queries

  static let issues = NestedQuery("issue")
  static let withComments = issues.related(
    "comments", ("id", "issueID"), NestedQuery("comment"))
  static let withEmoji = issues.related(
    "comments", ("id", "issueID"),
    NestedQuery("comment").related("emoji", ("id", "subjectID"), NestedQuery("emoji")))
  static let everything =
    issues
    .related("creator", ("creatorID", "id"), one: true, NestedQuery("user"))
    .related("assignee", ("assigneeID", "id"), one: true, NestedQuery("user"))
    .related(
      "labels", ("id", "issueID"), through: "issueLabel", ("labelID", "id"), NestedQuery("label")
    )
    .related("viewState", ("id", "issueID"), NestedQuery("viewState"))
    .related("emoji", ("id", "subjectID"), NestedQuery("emoji").withCreator)
    .related(
      "comments", ("id", "issueID"),
      NestedQuery("comment").withCreator
        .related("emoji", ("id", "subjectID"), NestedQuery("emoji")))

  // MARK: -

  private mutating func addIssue(_ i: Int) {
    let id = "issue-\(i)"
    issue.add(
      .string(id), .number(Double(i)), .string("Issue \(i): Some bug or feature request"),
      .bool(i % 3 != 0), .number(Double(1_700_000_000_000 - i * 1000)),
      .number(Double(1_700_000_000_000 - i * 2000)), .string("proj-\(i % 2)"),
      .string("user-\(i % 50)"), .string("user-\((i + 1) % 50)"),
      .string("Description for issue \(i)"), .string(i % 5 == 0 ? "internal" : "public"))
    for c in 0..<15 {
      let commentID = "comment-\(i * 15 + c)"
      comment.add(
        .string(commentID), .string(id), .number(Double(1_700_000_000_000 - c * 500)),
        .string("Comment \(c) on \(id)"), .string("user-\(c)"))
      for e in 0..<2 { addEmoji("👍", "thumbsup", commentID, e) }
    }
    for e in 0..<4 { addEmoji("🎉", "tada", id, e) }
    for v in 0..<3 {
      viewState.add(
        .string(id), .string("user-\(v)"), .number(Double(1_700_000_000_000 - v * 10)))
    }
    for l in 0..<5 { issueLabel.add(.string(id), .string("label-\((i + l) % 20)")) }
  }

  private mutating func addEmoji(
    _ value: String, _ annotation: String, _ subject: String, _ place: Int
  ) {
    emoji.add(
      .string("emoji-\(emoji.rows.count)"), .string(value), .string(annotation), .string(subject),
      .string("user-\(place)"), .number(Double(1_700_000_000_000 - place * 100)))
  }
}

extension NestedQuery {
  fileprivate var withCreator: NestedQuery {
    related("creator", ("creatorID", "id"), one: true, NestedQuery("user"))
  }
}
