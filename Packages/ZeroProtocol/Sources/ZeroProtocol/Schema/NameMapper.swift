/// Turns the names of tables and columns on one side into those on the other.
public struct NameMapper: Sendable {
  /// From which side names are mapped to which.
  public enum Direction: Sendable { case clientToServer, serverToClient }

  private struct Table: Sendable {
    let name: String
    /// By the name on the side mapped from.
    let columns: [UTF8Key: String]
    /// Whether every column has the same name on both sides.
    let keepsColumns: Bool
  }

  private let tables: [UTF8Key: Table]

  /// A mapper for a valid schema. Of names that repeat, the first counts.
  public init(_ schema: ZeroSchema, _ direction: Direction) {
    let toServer = direction == .clientToServer
    var tables: [UTF8Key: Table] = [:]
    for table in schema.tables {
      let columns = table.columns.map { column in
        toServer ? (column.name, column.serverName) : (column.serverName, column.name)
      }
      let key = UTF8Key(toServer ? table.name : table.serverName)
      tables[key] = Table(
        name: toServer ? table.serverName : table.name,
        columns: Dictionary(
          columns.map { (UTF8Key($0), $1) }, uniquingKeysWith: { first, _ in first }),
        keepsColumns: columns.allSatisfy { $0.utf8.elementsEqual($1.utf8) })
    }
    self.tables = tables
  }

  /// The name of a table on the other side; nil if the schema has no such table.
  public func tableNameIfKnown(_ table: String) -> String? { tables[UTF8Key(table)]?.name }

  /// The name of a table on the other side.
  /// - Throws: `unknownTable`.
  public func tableName(_ table: String) throws(ASTError) -> String { try find(table).name }

  /// The name of a column on the other side.
  /// - Throws: `unknownTable`, `unknownColumn`.
  public func columnName(_ column: String, of table: String) throws(ASTError) -> String {
    guard let name = try find(table).columns[UTF8Key(column)] else {
      throw .unknownColumn(column, table: table)
    }
    return name
  }

  /// The names of columns on the other side; those the schema does not know stay as they are.
  /// - Throws: `unknownTable`.
  public func columns(_ columns: [String], of table: String) throws(ASTError) -> [String] {
    let known = try find(table)
    return columns.map { known.columns[UTF8Key($0)] ?? $0 }
  }

  /// A row with the names of its columns on the other side, which must be a row of that table.
  /// Columns that the schema does not know are passed on under their name.
  /// - Throws: `unknownTable`.
  public func row(_ row: JSONObject, of table: String) throws(ASTError) -> JSONObject {
    let known = try find(table)
    if known.keepsColumns { return row }
    return JSONObject(row.members.map { (known.columns[UTF8Key($0.key)] ?? $0.key, $0.value) })
  }

  // MARK: -

  private func find(_ table: String) throws(ASTError) -> Table {
    guard let known = tables[UTF8Key(table)] else { throw .unknownTable(table) }
    return known
  }
}
