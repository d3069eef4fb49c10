public import ZeroProtocol

extension ZeroSchema {
  /// The issue tracker that the development server, the demo and the end-to-end tests share: users,
  /// projects, issues with comments, and labels through a junction table.
  public static let issueTracker = ZeroSchema(tables: [
    TableDescriptor(
      "user",
      columns: [
        ColumnDescriptor("id", .string),
        ColumnDescriptor("name", .string),
        ColumnDescriptor("email", .string, optional: true),
        ColumnDescriptor("role", .string),
        ColumnDescriptor("active", .boolean),
        ColumnDescriptor("settings", .json, optional: true),
        ColumnDescriptor("joinedOn", server: "joined_on", .number, optional: true),
      ],
      primaryKey: ["id"]),
    TableDescriptor(
      "project",
      columns: [
        ColumnDescriptor("id", .string),
        ColumnDescriptor("name", .string),
        ColumnDescriptor("ownerId", server: "owner_id", .string),
        ColumnDescriptor("budget", .number, optional: true),
        ColumnDescriptor("archived", .boolean),
        ColumnDescriptor("tags", .json),
        ColumnDescriptor("createdAt", server: "created_at", .number),
      ],
      primaryKey: ["id"],
      relations: [
        RelationDescriptor("issues", .many, Hop(["id"], "issue", ["projectId"]))
      ]),
    issue,
    TableDescriptor(
      "comment",
      columns: [
        ColumnDescriptor("id", .string),
        ColumnDescriptor("issueId", server: "issue_id", .string),
        ColumnDescriptor("authorId", server: "author_id", .string),
        ColumnDescriptor("body", .string),
        ColumnDescriptor("reactions", .json),
        ColumnDescriptor("createdAt", server: "created_at", .number),
      ],
      primaryKey: ["id"],
      relations: [
        RelationDescriptor("issue", .one, Hop(["issueId"], "issue", ["id"])),
        RelationDescriptor("author", .one, Hop(["authorId"], "user", ["id"])),
      ]),
    TableDescriptor(
      "label",
      columns: [
        ColumnDescriptor("id", .string),
        ColumnDescriptor("projectId", server: "project_id", .string),
        ColumnDescriptor("name", .string),
        ColumnDescriptor("color", .string, optional: true),
      ],
      primaryKey: ["id"]),
    TableDescriptor(
      "issueLabel", server: "issue_label",
      columns: [
        ColumnDescriptor("issueId", server: "issue_id", .string),
        ColumnDescriptor("labelId", server: "label_id", .string),
      ],
      primaryKey: ["issueId", "labelId"]),
  ])

  private static let issue = TableDescriptor(
    "issue",
    columns: [
      ColumnDescriptor("id", .string),
      ColumnDescriptor("projectId", server: "project_id", .string),
      ColumnDescriptor("title", .string),
      ColumnDescriptor("description", .string, optional: true),
      ColumnDescriptor("status", .string),
      ColumnDescriptor("priority", .number),
      ColumnDescriptor("estimate", .number, optional: true),
      ColumnDescriptor("votes", .number),
      ColumnDescriptor("isPrivate", server: "is_private", .boolean),
      ColumnDescriptor("creatorId", server: "creator_id", .string),
      ColumnDescriptor("assigneeId", server: "assignee_id", .string, optional: true),
      ColumnDescriptor("metadata", .json, optional: true),
      ColumnDescriptor("createdAt", server: "created_at", .number),
      ColumnDescriptor("closedAt", server: "closed_at", .number, optional: true),
    ],
    primaryKey: ["id"],
    relations: [
      RelationDescriptor("project", .one, Hop(["projectId"], "project", ["id"])),
      RelationDescriptor("creator", .one, Hop(["creatorId"], "user", ["id"])),
      RelationDescriptor("assignee", .one, Hop(["assigneeId"], "user", ["id"])),
      RelationDescriptor("comments", .many, Hop(["id"], "comment", ["issueId"])),
      RelationDescriptor(
        "labels", .many, Hop(["id"], "issueLabel", ["issueId"]), Hop(["labelId"], "label", ["id"])),
    ])
}
