public import ZeroIVM
public import ZeroProtocol

/// How far an issue has come.
public enum IssueStatus: String, Codable, CaseIterable, ZeroEnum {
  case open
  case inProgress = "in_progress"
  case closed
}

/// A row of `issue`.
public struct Issue: ZeroTable, Identifiable {
  public var id: String
  public var projectId: String
  public var title: String
  public var description: String?
  public var status: IssueStatus
  public var priority: Double
  public var estimate: Double?
  public var votes: Double
  public var isPrivate: Bool
  public var creatorId: String
  public var assigneeId: String?
  public var metadata: JSONValue?
  public var createdAt: Double
  public var closedAt: Double?
  /// Nil if it was not asked for, or there is none.
  @Indirect public var project: Project?
  /// Nil if it was not asked for, or there is none.
  @Indirect public var creator: User?
  /// Nil if it was not asked for, or there is none.
  @Indirect public var assignee: User?
  /// Nil if it was not asked for.
  public var comments: [Comment]?
  /// Nil if it was not asked for.
  public var labels: [Label]?

  public init(
    id: String, projectId: String, title: String, description: String? = nil, status: IssueStatus,
    priority: Double, estimate: Double? = nil, votes: Double, isPrivate: Bool, creatorId: String,
    assigneeId: String? = nil, metadata: JSONValue? = nil, createdAt: Double,
    closedAt: Double? = nil
  ) {
    self.id = id
    self.projectId = projectId
    self.title = title
    self.description = description
    self.status = status
    self.priority = priority
    self.estimate = estimate
    self.votes = votes
    self.isPrivate = isPrivate
    self.creatorId = creatorId
    self.assigneeId = assigneeId
    self.metadata = metadata
    self.createdAt = createdAt
    self.closedAt = closedAt
  }

  public init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    projectId = try reader.value(1)
    title = try reader.value(2)
    description = try reader.value(3)
    status = try reader.value(4)
    priority = try reader.value(5)
    estimate = try reader.value(6)
    votes = try reader.value(7)
    isPrivate = try reader.value(8)
    creatorId = try reader.value(9)
    assigneeId = try reader.value(10)
    metadata = try reader.value(11)
    createdAt = try reader.value(12)
    closedAt = try reader.value(13)
    project = try reader.one(0)
    creator = try reader.one(1)
    assignee = try reader.one(2)
    comments = try reader.many(3)
    labels = try reader.many(4)
  }

  public func encode() -> ContiguousArray<Value> {
    [
      id.zero, projectId.zero, title.zero, description.zero, status.zero, priority.zero,
      estimate.zero, votes.zero, isPrivate.zero, creatorId.zero, assigneeId.zero, metadata.zero,
      createdAt.zero, closedAt.zero,
    ]
  }

  /// The columns, for conditions and orders.
  public struct Columns: Sendable {
    public let id = Column<Issue, String>(0)
    public let projectId = Column<Issue, String>(1)
    public let title = Column<Issue, String>(2)
    public let description = Column<Issue, String?>(3)
    public let status = Column<Issue, IssueStatus>(4)
    public let priority = Column<Issue, Double>(5)
    public let estimate = Column<Issue, Double?>(6)
    public let votes = Column<Issue, Double>(7)
    public let isPrivate = Column<Issue, Bool>(8)
    public let creatorId = Column<Issue, String>(9)
    public let assigneeId = Column<Issue, String?>(10)
    public let metadata = Column<Issue, JSONValue?>(11)
    public let createdAt = Column<Issue, Double>(12)
    public let closedAt = Column<Issue, Double?>(13)
  }

  /// The relations, for nested results.
  public struct Relations: Sendable {
    public let project = Relation<Issue, Project, ToOne>(0)
    public let creator = Relation<Issue, User, ToOne>(1)
    public let assignee = Relation<Issue, User, ToOne>(2)
    public let comments = Relation<Issue, Comment, ToMany>(3)
    public let labels = Relation<Issue, Label, ToMany>(4)
  }

  public static let columns = Columns()
  public static let relations = Relations()
  public static let table = TableDescriptor(
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

  /// New values of some columns of the issue with this ID.
  public struct Changes: RowChanges {
    public var values = ChangeSet()

    public init(id: String) { values.set(0, id.zero) }

    public var title: String {
      get { values.get(2) }
      set { values.set(2, newValue.zero) }
    }
    public var status: IssueStatus {
      get { values.get(4) }
      set { values.set(4, newValue.zero) }
    }
    public var closedAt: Double? {
      get { values.get(13) }
      set { values.set(13, newValue.zero) }
    }
  }
}
