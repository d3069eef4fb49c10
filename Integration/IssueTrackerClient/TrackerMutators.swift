public import IssueTracker
public import ZeroClient
public import ZeroProtocol

/// The mutators of the issue tracker, as clients run them before the server does.
public enum TrackerMutators {
  public struct CreateIssue: Codable, Sendable {
    public var id: String
    public var projectId: String
    public var title: String
    public var priority: Double?
    public var isPrivate: Bool?
    public var creatorId: String
    public var createdAt: Double
    public var metadata: JSONValue?

    public init(
      id: String, projectId: String, title: String, priority: Double? = nil,
      isPrivate: Bool? = nil, creatorId: String, createdAt: Double, metadata: JSONValue? = nil
    ) {
      self.id = id
      self.projectId = projectId
      self.title = title
      self.priority = priority
      self.isPrivate = isPrivate
      self.creatorId = creatorId
      self.createdAt = createdAt
      self.metadata = metadata
    }
  }

  public struct SetStatus: Codable, Sendable {
    public var id: String
    public var status: IssueStatus
    public var closedAt: Double?

    public init(id: String, status: IssueStatus, closedAt: Double? = nil) {
      self.id = id
      self.status = status
      self.closedAt = closedAt
    }
  }

  public struct Rename: Codable, Sendable {
    public var id: String
    public var title: String

    public init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  public struct IssueID: Codable, Sendable {
    public var id: String

    public init(id: String) { self.id = id }
  }

  public struct LabelOfIssue: Codable, Sendable {
    public var issueId: String
    public var labelId: String

    public init(issueId: String, labelId: String) {
      self.issueId = issueId
      self.labelId = labelId
    }
  }

  public struct AddComment: Codable, Sendable {
    public var id: String
    public var issueId: String
    public var authorId: String
    public var body: String
    public var createdAt: Double

    public init(id: String, issueId: String, authorId: String, body: String, createdAt: Double) {
      self.id = id
      self.issueId = issueId
      self.authorId = authorId
      self.body = body
      self.createdAt = createdAt
    }
  }

  public static let createIssue: Mutator<CreateIssue, TrackerSession> =
    defineMutator("issue.create") { transaction, arguments, _ in
      try transaction.mutate.table(Issue.self).insert(
        Issue(
          id: arguments.id, projectId: arguments.projectId, title: arguments.title,
          status: .open, priority: arguments.priority ?? 0, votes: 0,
          isPrivate: arguments.isPrivate ?? false, creatorId: arguments.creatorId,
          metadata: arguments.metadata, createdAt: arguments.createdAt))
    }

  public static let setStatus: Mutator<SetStatus, TrackerSession> =
    defineMutator("issue.setStatus") { transaction, arguments, _ in
      var changes = Issue.Changes(id: arguments.id)
      changes.status = arguments.status
      changes.closedAt = arguments.closedAt
      try transaction.mutate.table(Issue.self).update(changes)
    }

  /// Takes effect here also with an empty title, which the server refuses.
  public static let rename: Mutator<Rename, TrackerSession> =
    defineMutator("issue.rename") { transaction, arguments, _ in
      var changes = Issue.Changes(id: arguments.id)
      changes.title = arguments.title
      try transaction.mutate.table(Issue.self).update(changes)
    }

  public static let deleteIssue: Mutator<IssueID, TrackerSession> =
    defineMutator("issue.delete") { transaction, arguments, _ in
      try transaction.mutate.table(Issue.self).delete(Issue.Changes(id: arguments.id))
    }

  public static let addLabel: Mutator<LabelOfIssue, TrackerSession> =
    defineMutator("issue.addLabel") { transaction, arguments, _ in
      try transaction.mutate.table(IssueLabel.self).upsert(
        IssueLabel(issueId: arguments.issueId, labelId: arguments.labelId))
    }

  public static let removeLabel: Mutator<LabelOfIssue, TrackerSession> =
    defineMutator("issue.removeLabel") { transaction, arguments, _ in
      try transaction.mutate.table(IssueLabel.self).delete(
        IssueLabel.Changes(issueId: arguments.issueId, labelId: arguments.labelId))
    }

  public static let addComment: Mutator<AddComment, TrackerSession> =
    defineMutator("comment.add") { transaction, arguments, _ in
      try transaction.mutate.table(Comment.self).insert(
        Comment(
          id: arguments.id, issueId: arguments.issueId, authorId: arguments.authorId,
          body: arguments.body, reactions: .object([:]), createdAt: arguments.createdAt))
    }

  /// All of them, as a client is given them.
  public static let all: [any AnyMutator<TrackerSession>] = [
    createIssue, setStatus, rename, deleteIssue, addLabel, removeLabel, addComment,
  ]
}
