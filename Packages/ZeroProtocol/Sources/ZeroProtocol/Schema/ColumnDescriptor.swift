/// The type of a column, as the schema declares it. The engine itself is dynamically typed.
public enum ColumnType: String, Sendable, Hashable, CaseIterable {
  case string, number, boolean, json, null
}

/// A column of a table.
public struct ColumnDescriptor: Sendable, Hashable {
  /// Name on the client.
  public let name: String
  /// Name on the server and in the database.
  public let serverName: String
  /// The declared type.
  public let type: ColumnType
  /// Whether the column may be null.
  public let isOptional: Bool
  /// For an enumeration, whose `type` is `string`: its values.
  public let enumeration: [String]?
  /// Whether the server name was given, be it the same.
  let hasServerName: Bool

  /// - Parameter server: the name on the server, if it is another.
  public init(
    _ name: String, server: String? = nil, _ type: ColumnType, optional: Bool = false,
    enumeration: [String]? = nil
  ) {
    self.name = name
    self.serverName = server ?? name
    self.hasServerName = server != nil
    self.type = type
    self.isOptional = optional
    self.enumeration = enumeration
  }
}
