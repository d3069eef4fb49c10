/// A table of the schema: columns, primary key and relations, in order of declaration.
public struct TableDescriptor: Sendable {
  /// Name on the client.
  public let name: String
  /// Name on the server, without a leading `public.`.
  public let serverName: String
  public let columns: [ColumnDescriptor]
  /// Column names in declared order.
  public let primaryKey: [String]
  /// Further unique keys; they only inform the type checker of the schema's source.
  public let uniqueKeys: [[String]]
  public let relations: [RelationDescriptor]
  /// The layout shared by all rows of this table.
  public let layout: RowLayout

  /// - Parameter server: the name on the server, if it is another.
  public init(
    _ name: String, server: String? = nil, columns: [ColumnDescriptor], primaryKey: [String],
    uniqueKeys: [[String]] = [], relations: [RelationDescriptor] = []
  ) {
    self.name = name
    let server = server ?? name
    self.serverName = server.hasPrefix("public.") ? String(server.dropFirst(7)) : server
    self.columns = columns
    self.primaryKey = primaryKey
    self.uniqueKeys = uniqueKeys
    self.relations = relations
    self.layout = RowLayout(table: name, columns: columns, primaryKey: primaryKey)
  }

  /// The relation of that name.
  public func relation(_ name: String) -> RelationDescriptor? {
    relations.first { $0.name.utf8.elementsEqual(name.utf8) }
  }
}
