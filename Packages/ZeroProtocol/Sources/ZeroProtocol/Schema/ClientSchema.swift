/// The schema as a server sees it: tables, columns and keys by their server names, in normal form.
///
/// Tables, columns and key columns are sorted by UTF-16 code units; the text has names that are
/// array indexes first, as in JavaScript.
public struct ClientSchema: Sendable {
  /// A table by its server names.
  public struct Table: Sendable {
    /// Name of the table.
    public let name: String
    /// Names and types of the columns.
    public let columns: [(name: String, type: ColumnType)]
    /// Names of the key columns.
    public let primaryKey: [String]

    /// A table by its server names.
    public init(name: String, columns: [(name: String, type: ColumnType)], primaryKey: [String]) {
      self.name = name
      self.columns = columns
      self.primaryKey = primaryKey
    }
  }

  /// The tables in normal form.
  public let tables: [Table]

  /// Brings tables into normal form.
  public init(tables: [Table]) {
    self.tables = tables.map { table in
      Table(
        name: table.name,
        columns: table.columns.sorted { TextOrder.utf16($0.name, $1.name) < 0 },
        primaryKey: table.primaryKey.sorted { TextOrder.utf16($0, $1) < 0 })
    }.sorted { TextOrder.utf16($0.name, $1.name) < 0 }
  }

  /// Takes a client schema that a client sent.
  /// - Throws: `wrongType`, `missingMember` (also for a missing primary key), `invalidValue`,
  ///   `unknownMember`.
  public init(json: JSONValue, at path: JSONPath = []) throws(JSONError) {
    var decoder = JSONTreeDecoder(unknownMembers: .refused, at: path)
    self.init(tables: try decoder.clientTables(json))
  }

  /// What `initConnection` sends.
  public var jsonValue: JSONValue {
    let tables = self.tables.map { table -> (String, JSONValue) in
      let columns = table.columns.map { column -> (String, JSONValue) in
        (column.name, .object(["type": .string(column.type.rawValue)]))
      }
      return (
        table.name,
        .object([
          "columns": .object(JSONObject(columns)),
          "primaryKey": .array(table.primaryKey.map { .string($0) }),
        ])
      )
    }
    return .object(["tables": .object(JSONObject(tables))])
  }

  /// The hash of the text: 64 bits in base 36. Clients keep a database per hash.
  public var hash: String { TextHash.base36(utf8: jsonValue.jsonText) }
}

extension ZeroSchema {
  /// The schema as sent to the server.
  public var clientSchema: ClientSchema {
    ClientSchema(
      tables: tables.map { table in
        ClientSchema.Table(
          name: table.serverName, columns: table.columns.map { ($0.serverName, $0.type) },
          primaryKey: table.primaryKey.map { name in
            table.column(name)?.serverName ?? name
          })
      })
  }

  /// Part of a database's name: data of another protocol version or schema is not read.
  public func schemaVersion(protocolVersion: Int = SyncProtocol.version) -> String {
    "\(protocolVersion).\(clientSchema.hash)"
  }
}

extension JSONTreeDecoder {
  mutating func clientTables(
    _ json: JSONValue
  ) throws(JSONError) -> [ClientSchema.Table] {
    let object = try self.object(json)
    let tables = try member("tables", of: object) { (decoder, value) throws(JSONError) in
      try decoder.entries(value) { (decoder, name, value) throws(JSONError) in
        try decoder.clientTable(name, value)
      }
    }
    try refuseUnknown(object, known: ["tables"])
    return tables
  }

  private mutating func clientTable(
    _ name: String, _ json: JSONValue
  ) throws(JSONError) -> ClientSchema.Table {
    let object = try self.object(json)
    let columns = try member("columns", of: object) { (decoder, value) throws(JSONError) in
      try decoder.entries(value) { (decoder, name, value) throws(JSONError) in
        let column = try decoder.object(value)
        let type = try decoder.literal("type", of: column, ColumnType.self)
        try decoder.refuseUnknown(column, known: ["type"])
        return (name: name, type: type)
      }
    }
    let primaryKey = try member("primaryKey", of: object) { (decoder, value) throws(JSONError) in
      try decoder.strings(value)
    }
    try refuseUnknown(object, known: ["columns", "primaryKey"])
    return ClientSchema.Table(name: name, columns: columns, primaryKey: primaryKey)
  }
}
