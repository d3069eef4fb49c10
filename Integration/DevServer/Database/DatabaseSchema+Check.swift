import ZeroProtocol

extension DatabaseSchema {
  /// What keeps clients of a schema from working with this database, one line each; nil if nothing
  /// does.
  /// - Parameter hidden: tables, and columns as `table.column`, to be taken for missing.
  func problems(of schema: ClientSchema, hiding hidden: Set<String> = []) -> String? {
    let tables = self.tables.filter { !hidden.contains($0.name) }
    var problems: [String] = []
    for table in schema.tables {
      guard let known = tables.first(where: { $0.name == table.name }) else {
        problems.append(
          "The \"\(table.name)\" table does not exist or is not one of the replicated tables: "
            + Self.list(tables.map(\.name)) + ".")
        continue
      }
      let columns = known.layout.columns.map(\.name).filter {
        !hidden.contains("\(table.name).\($0)")
      }
      for column in table.columns {
        guard let place = known.layout.index(of: column.name), columns.contains(column.name) else {
          problems.append(
            "The \"\(table.name)\".\"\(column.name)\" column does not exist or is not one of the "
              + "replicated columns: " + Self.list(columns) + ".")
          continue
        }
        let type = known.layout.columns[place].type
        if type != column.type {
          problems.append(
            "The \"\(table.name)\".\"\(column.name)\" column's upstream type "
              + "\"\(type.rawValue)\" does not match the client type "
              + "\"\(column.type.rawValue)\"")
        }
      }
      if Set(table.primaryKey) != Set(known.server.primaryKey) {
        problems.append(
          "The \"\(table.name)\" table's primary key (\(Self.list(table.primaryKey))) is not "
            + "the one of the database: \(Self.list(known.server.primaryKey)).")
      }
    }
    return problems.isEmpty ? nil : problems.joined(separator: "\n")
  }

  private static func list(_ names: [String]) -> String {
    names.sorted { TextOrder.utf16($0, $1) < 0 }.map { "\"\($0)\"" }.joined(separator: ",")
  }
}
