public import ZeroIVM
public import ZeroProtocol

/// A row of `comment`.
public struct Comment: ZeroTable, Identifiable {
  public var id: String
  public var issueId: String
  public var authorId: String
  public var body: String
  public var reactions: JSONValue
  public var createdAt: Double
  /// Nil if it was not asked for, or there is none.
  @Indirect public var issue: Issue?
  /// Nil if it was not asked for, or there is none.
  @Indirect public var author: User?

  public init(
    id: String, issueId: String, authorId: String, body: String, reactions: JSONValue,
    createdAt: Double
  ) {
    self.id = id
    self.issueId = issueId
    self.authorId = authorId
    self.body = body
    self.reactions = reactions
    self.createdAt = createdAt
  }

  public init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    issueId = try reader.value(1)
    authorId = try reader.value(2)
    body = try reader.value(3)
    reactions = try reader.value(4)
    createdAt = try reader.value(5)
    issue = try reader.one(0)
    author = try reader.one(1)
  }

  public func encode() -> ContiguousArray<Value> {
    [id.zero, issueId.zero, authorId.zero, body.zero, reactions.zero, createdAt.zero]
  }

  /// The columns, for conditions and orders.
  public struct Columns: Sendable {
    public let id = Column<Comment, String>(0)
    public let issueId = Column<Comment, String>(1)
    public let authorId = Column<Comment, String>(2)
    public let body = Column<Comment, String>(3)
    public let reactions = Column<Comment, JSONValue>(4)
    public let createdAt = Column<Comment, Double>(5)
  }

  /// The relations, for nested results.
  public struct Relations: Sendable {
    public let issue = Relation<Comment, Issue, ToOne>(0)
    public let author = Relation<Comment, User, ToOne>(1)
  }

  public static let columns = Columns()
  public static let relations = Relations()
  public static let table = TableDescriptor(
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
    ])
}
