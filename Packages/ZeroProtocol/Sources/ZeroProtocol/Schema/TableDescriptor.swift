/// A table of the schema: columns, primary key and relations, in order of declaration.
public struct TableDescriptor: Sendable {
  /// Name on the client.
  public let name: String
  /// Name on the server, without a leading `public.`.
  public let serverName: String
  /// The columns in declared order, which is that of rows.
  public let columns: [ColumnDescriptor]
  /// Column names in declared order.
  public let primaryKey: [String]
  /// Further unique keys; they only inform the type checker of the schema's source.
  public let uniqueKeys: [[String]]
  /// The relations in declared order.
  public let relations: [RelationDescriptor]
  /// The layout shared by all rows of this table.
  public let layout: RowLayout
  /// Whether the server name was given, be it the same.
  let hasServerName: Bool

  /// - Parameter server: the name on the server, if it is another. A leading `public.`, the schema
  ///   that the server takes for granted, is removed.
  public init(
    _ name: String, server: String? = nil, columns: [ColumnDescriptor], primaryKey: [String],
    uniqueKeys: [[String]] = [], relations: [RelationDescriptor] = []
  ) {
    self.init(
      name,
      exactServer: server.map {
        $0.utf8.starts(with: "public.".utf8) ? String($0.dropFirst(7)) : $0
      },
      columns: columns, primaryKey: primaryKey, uniqueKeys: uniqueKeys, relations: relations)
  }

  /// A table of a schema that was built elsewhere, whose server names are final.
  init(
    _ name: String, exactServer server: String?, columns: [ColumnDescriptor],
    primaryKey: [String], uniqueKeys: [[String]], relations: [RelationDescriptor] = []
  ) {
    self.name = name
    self.serverName = server ?? name
    self.hasServerName = server != nil
    self.columns = columns
    self.primaryKey = primaryKey
    self.uniqueKeys = uniqueKeys
    self.relations = relations
    self.layout = RowLayout(
      table: name, serverTable: serverName, columns: columns, primaryKey: primaryKey)
  }

  private init(_ table: TableDescriptor, relations: [RelationDescriptor]) {
    name = table.name
    serverName = table.serverName
    hasServerName = table.hasServerName
    columns = table.columns
    primaryKey = table.primaryKey
    uniqueKeys = table.uniqueKeys
    layout = table.layout
    self.relations = relations
  }

  /// The same table, with the same layout, and these relations after its own.
  public func adding(_ relations: [RelationDescriptor]) -> TableDescriptor {
    TableDescriptor(self, relations: self.relations + relations)
  }

  /// The relation of that name.
  public func relation(_ name: String) -> RelationDescriptor? {
    relations.first { $0.name.utf8.elementsEqual(name.utf8) }
  }

  /// The column of that client name.
  public func column(_ name: String) -> ColumnDescriptor? {
    layout.index(of: name).map { columns[$0] }
  }
}
