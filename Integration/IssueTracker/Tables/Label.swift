public import ZeroIVM
public import ZeroProtocol

/// A row of `label`.
public struct Label: ZeroTable, Identifiable {
  public var id: String
  public var projectId: String
  public var name: String
  public var color: String?

  public init(
    id: String, projectId: String, name: String, color: String? = nil
  ) {
    self.id = id
    self.projectId = projectId
    self.name = name
    self.color = color
  }

  public init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    projectId = try reader.value(1)
    name = try reader.value(2)
    color = try reader.value(3)
  }

  public func encode() -> ContiguousArray<Value> {
    [id.zero, projectId.zero, name.zero, color.zero]
  }

  /// The columns, for conditions and orders.
  public struct Columns: Sendable {
    public let id = Column<Label, String>(0)
    public let projectId = Column<Label, String>(1)
    public let name = Column<Label, String>(2)
    public let color = Column<Label, String?>(3)
  }

  /// The relations, for nested results.
  public struct Relations: Sendable {
  }

  public static let columns = Columns()
  public static let relations = Relations()
  public static let table = TableDescriptor(
    "label",
    columns: [
      ColumnDescriptor("id", .string),
      ColumnDescriptor("projectId", server: "project_id", .string),
      ColumnDescriptor("name", .string),
      ColumnDescriptor("color", .string, optional: true),
    ],
    primaryKey: ["id"])
}
