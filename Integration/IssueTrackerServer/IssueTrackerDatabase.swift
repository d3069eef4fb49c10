import IssueTracker
public import ZeroDevServer
import ZeroProtocol

extension DatabaseSchema {
  /// The issue tracker's tables with the constraints and defaults that a database would have.
  public static func issueTracker() throws(DatabaseError) -> DatabaseSchema {
    try DatabaseSchema(
      .issueTracker,
      foreignKeys: [
        ForeignKey("project", ["owner_id"], references: "user"),
        ForeignKey("issue", ["project_id"], references: "project"),
        ForeignKey("issue", ["creator_id"], references: "user"),
        ForeignKey("issue", ["assignee_id"], references: "user"),
        ForeignKey("comment", ["issue_id"], references: "issue", onDelete: .cascade),
        ForeignKey("comment", ["author_id"], references: "user"),
        ForeignKey("label", ["project_id"], references: "project"),
        ForeignKey("issue_label", ["issue_id"], references: "issue", onDelete: .cascade),
        ForeignKey("issue_label", ["label_id"], references: "label"),
      ],
      defaults: [
        "user": ["role": .string("member"), "active": .bool(true)],
        "project": ["archived": .bool(false), "tags": .array([])],
        "issue": [
          "status": .string("open"), "priority": .number(0), "votes": .number(0),
          "is_private": .bool(false),
        ],
        "comment": ["reactions": .object([:])],
      ])
  }
}

extension TokenList {
  /// The made-up tokens of the issue tracker's users u1 and u2.
  public static let issueTracker = TokenList([
    "token-u1": "u1", "token-u1-renewed": "u1", "token-u2": "u2",
  ])
}
