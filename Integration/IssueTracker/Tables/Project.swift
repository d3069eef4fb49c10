public import ZeroIVM
public import ZeroProtocol

/// A row of `project`.
public struct Project: ZeroTable, Identifiable {
  public var id: String
  public var name: String
  public var ownerId: String
  public var budget: Double?
  public var archived: Bool
  public var tags: JSONValue
  public var createdAt: Double
  /// Nil if it was not asked for.
  public var issues: [Issue]?

  public init(
    id: String, name: String, ownerId: String, budget: Double? = nil, archived: Bool,
    tags: JSONValue, createdAt: Double
  ) {
    self.id = id
    self.name = name
    self.ownerId = ownerId
    self.budget = budget
    self.archived = archived
    self.tags = tags
    self.createdAt = createdAt
  }

  public init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    name = try reader.value(1)
    ownerId = try reader.value(2)
    budget = try reader.value(3)
    archived = try reader.value(4)
    tags = try reader.value(5)
    createdAt = try reader.value(6)
    issues = try reader.many(0)
  }

  public func encode() -> ContiguousArray<Value> {
    [id.zero, name.zero, ownerId.zero, budget.zero, archived.zero, tags.zero, createdAt.zero]
  }

  /// The columns, for conditions and orders.
  public struct Columns: Sendable {
    public let id = Column<Project, String>(0)
    public let name = Column<Project, String>(1)
    public let ownerId = Column<Project, String>(2)
    public let budget = Column<Project, Double?>(3)
    public let archived = Column<Project, Bool>(4)
    public let tags = Column<Project, JSONValue>(5)
    public let createdAt = Column<Project, Double>(6)
  }

  /// The relations, for nested results.
  public struct Relations: Sendable {
    public let issues = Relation<Project, Issue, ToMany>(0)
  }

  public static let columns = Columns()
  public static let relations = Relations()
  public static let table = TableDescriptor(
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
    ])
}
