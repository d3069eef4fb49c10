public import ZeroProtocol

/// The tables of the server: those of an app's schema under their server names, with what a
/// database knows beyond it.
public struct DatabaseSchema: Sendable {
  /// The schema as the app's clients know it.
  public let client: ZeroSchema
  /// The same tables with server names throughout, as queries are run on.
  public let server: ZeroSchema
  let tables: [DatabaseTable]
  let foreignKeys: [ForeignKey]
  private let places: [UTF8Key: Int]
  private let clientPlaces: [UTF8Key: Int]

  /// - Parameters:
  ///   - client: the app's schema.
  ///   - foreignKeys: references between tables, in server names. One of an unknown table or column
  ///     is an error.
  ///   - defaults: values of omitted columns by table and column, in server names; other omitted
  ///     columns become null.
  /// - Throws: ``DatabaseError`` with code `schema`.
  public init(
    _ client: ZeroSchema, foreignKeys: [ForeignKey] = [],
    defaults: [String: [String: JSONValue]] = [:]
  ) throws(DatabaseError) {
    self.client = client
    var tables: [DatabaseTable] = []
    var places: [UTF8Key: Int] = [:]
    var clientPlaces: [UTF8Key: Int] = [:]
    for table in client.tables {
      guard places[UTF8Key(table.serverName)] == nil else {
        throw DatabaseError(.schema, "two tables have the server name \"\(table.serverName)\"")
      }
      places[UTF8Key(table.serverName)] = tables.count
      clientPlaces[UTF8Key(table.name)] = tables.count
      tables.append(
        try DatabaseTable(
          table, ordinal: tables.count, defaults: defaults[table.serverName] ?? [:]))
    }
    for key in foreignKeys {
      guard let table = places[UTF8Key(key.table)], let target = places[UTF8Key(key.target)] else {
        throw DatabaseError(.schema, "foreign key \"\(key.name)\" names an unknown table")
      }
      for column in key.columns where tables[table].layout.index(of: column) == nil {
        throw DatabaseError(
          .schema, "foreign key \"\(key.name)\" names the unknown column \"\(column)\"")
      }
      guard key.columns.count == tables[target].layout.primaryKey.count else {
        throw DatabaseError(
          .schema, "foreign key \"\(key.name)\" does not match the key of \"\(key.target)\"")
      }
    }
    self.tables = tables
    self.foreignKeys = foreignKeys
    self.places = places
    self.clientPlaces = clientPlaces
    server = ZeroSchema(tables: tables.map(\.server))
  }

  /// The table of that server name.
  func table(_ serverName: String) throws(DatabaseError) -> DatabaseTable {
    guard let place = places[UTF8Key(serverName)] else {
      throw DatabaseError(.unknownTable, "relation \"\(serverName)\" does not exist")
    }
    return tables[place]
  }

  /// The table of that client name.
  func table(clientName: String) throws(DatabaseError) -> DatabaseTable {
    guard let place = clientPlaces[UTF8Key(clientName)] else {
      throw DatabaseError(.unknownTable, "the schema has no table \"\(clientName)\"")
    }
    return tables[place]
  }
}

/// One table of the server.
struct DatabaseTable: Sendable {
  /// Position in the schema.
  let ordinal: Int
  /// The table as clients know it.
  let client: TableDescriptor
  /// The same table with server names.
  let server: TableDescriptor
  /// Values of omitted columns, by position.
  let defaults: [Int: JSONValue]

  /// The layout of stored rows; its column names are server names.
  var layout: RowLayout { server.layout }
  var name: String { server.name }

  init(
    _ table: TableDescriptor, ordinal: Int, defaults: [String: JSONValue]
  ) throws(DatabaseError) {
    self.ordinal = ordinal
    client = table
    var key: [String] = []
    for name in table.primaryKey {
      guard let column = table.columns.first(where: { UTF8Key($0.name) == UTF8Key(name) }) else {
        throw DatabaseError(
          .schema, "the primary key of \"\(table.name)\" names the unknown column \"\(name)\"")
      }
      key.append(column.serverName)
    }
    guard !key.isEmpty else {
      throw DatabaseError(.schema, "table \"\(table.name)\" has no primary key")
    }
    server = TableDescriptor(
      table.serverName,
      columns: table.columns.map {
        ColumnDescriptor(
          $0.serverName, $0.type, optional: $0.isOptional, enumeration: $0.enumeration)
      },
      primaryKey: key)
    var places: [Int: JSONValue] = [:]
    for (column, value) in defaults {
      guard let place = server.layout.index(of: column) else {
        throw DatabaseError(
          .schema, "a default is given for the unknown column \"\(table.serverName).\(column)\"")
      }
      places[place] = value
    }
    self.defaults = places
  }
}
