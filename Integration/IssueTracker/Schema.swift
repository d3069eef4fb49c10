public import ZeroProtocol

extension ZeroSchema {
  /// The issue tracker that the development server, the demo and the end-to-end tests share: users,
  /// projects, issues with comments, and labels through a junction table.
  public static let issueTracker = ZeroSchema(tables: [
    User.table, Project.table, Issue.table, Comment.table, Label.table, IssueLabel.table,
  ])
}
