public import IssueTracker
public import ZeroClient
public import ZeroIVM
import ZeroProtocol

/// Who uses the issue tracker: what queries and mutators are given.
public struct TrackerSession: Sendable {
  /// Nil for nobody.
  public let userID: String?

  public init(userID: String?) { self.userID = userID }
}

/// The named queries of the issue tracker, as clients ask for them.
public enum TrackerQueries {
  public struct ByArchived: Codable, Sendable {
    public var archived: Bool

    public init(archived: Bool) { self.archived = archived }
  }

  public struct ByProject: Codable, Sendable {
    public var projectId: String
    public var limit: Int?

    public init(projectId: String, limit: Int? = nil) {
      self.projectId = projectId
      self.limit = limit
    }
  }

  public struct ByID: Codable, Sendable {
    public var id: String

    public init(id: String) { self.id = id }
  }

  public static let allUsers: PlainQueryDefinition<[User], TrackerSession> =
    defineQuery("allUsers") { _ in Query<User, [User]>.all.orderBy(\.name) }

  public static let projects: QueryDefinition<ByArchived?, [Project], TrackerSession> =
    defineQuery("projects") { arguments, _ in
      Query<Project, [Project]>.all.where(\.archived, arguments?.archived ?? false)
    }

  public static let issuesByProject: QueryDefinition<ByProject, [Issue], TrackerSession> =
    defineQuery("issuesByProject") { arguments, _ in
      Query<Issue, [Issue]>.all.where(\.projectId, arguments.projectId)
        .related(\.creator).related(\.labels).orderBy(\.createdAt, .desc)
        .limit(arguments.limit ?? 100)
    }

  public static let issueDetail: QueryDefinition<ByID, Issue?, TrackerSession> =
    defineQuery("issueDetail") { arguments, _ in
      Query<Issue, [Issue]>.all.where(\.id, arguments.id)
        .related(\.comments) { $0.orderBy(\.createdAt).related(\.author) }
        .related(\.assignee).one()
    }

  public static let visibleIssues: PlainQueryDefinition<[Issue], TrackerSession> =
    defineQuery("visibleIssues") { session in
      Query<Issue, [Issue]>.all
        .where { $0.isPrivate == false || $0.creatorId == session.userID ?? "" }
        .orderBy(\.id)
    }

  public static let issuesWithComments: PlainQueryDefinition<[Issue], TrackerSession> =
    defineQuery("issuesWithComments") { _ in
      Query<Issue, [Issue]>.all.whereExists(\.comments).orderBy(\.id)
    }

  public static let labels: PlainQueryDefinition<[Label], TrackerSession> =
    defineQuery("labels") { _ in Query<Label, [Label]>.all }

  /// The server refuses it.
  public static let forbidden: PlainQueryDefinition<[User], TrackerSession> =
    defineQuery("forbidden") { _ in Query<User, [User]>.all.where(\.role, .admin) }

  /// All of them, as a server has them.
  public static let all: [any AnyQueryDefinition<TrackerSession>] = [
    allUsers, projects, issuesByProject, issueDetail, visibleIssues, issuesWithComments, labels,
    forbidden,
  ]
}
