public import ZeroIVM
public import ZeroProtocol

/// What a user may do.
public enum UserRole: String, Codable, CaseIterable, ZeroEnum { case admin, member, guest }

/// A row of `user`.
public struct User: ZeroTable, Identifiable {
  public var id: String
  public var name: String
  public var email: String?
  public var role: UserRole
  public var active: Bool
  public var settings: JSONValue?
  public var joinedOn: Double?

  public init(
    id: String, name: String, email: String? = nil, role: UserRole, active: Bool,
    settings: JSONValue? = nil, joinedOn: Double? = nil
  ) {
    self.id = id
    self.name = name
    self.email = email
    self.role = role
    self.active = active
    self.settings = settings
    self.joinedOn = joinedOn
  }

  public init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    name = try reader.value(1)
    email = try reader.value(2)
    role = try reader.value(3)
    active = try reader.value(4)
    settings = try reader.value(5)
    joinedOn = try reader.value(6)
  }

  public func encode() -> ContiguousArray<Value> {
    [id.zero, name.zero, email.zero, role.zero, active.zero, settings.zero, joinedOn.zero]
  }

  /// The columns, for conditions and orders.
  public struct Columns: Sendable {
    public let id = Column<User, String>(0)
    public let name = Column<User, String>(1)
    public let email = Column<User, String?>(2)
    public let role = Column<User, UserRole>(3)
    public let active = Column<User, Bool>(4)
    public let settings = Column<User, JSONValue?>(5)
    public let joinedOn = Column<User, Double?>(6)
  }

  /// The relations, for nested results.
  public struct Relations: Sendable {
  }

  public static let columns = Columns()
  public static let relations = Relations()
  public static let table = TableDescriptor(
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
    primaryKey: ["id"])
}
