public import ZeroProtocol

/// Rows to start with, by the server names of tables and columns, in an order that satisfies the
/// references between tables.
public struct SeedRows: Sendable {
  public var tables: [(name: String, rows: [JSONObject])]

  public init(tables: [(name: String, rows: [JSONObject])]) { self.tables = tables }

  /// Takes what ``jsonValue`` gives.
  /// - Throws: `JSONError` if the text is not JSON; members of another shape are left out.
  public init(jsonText: String) throws(JSONError) {
    tables = []
    guard case .object(let object) = try JSONValue(parsing: jsonText) else { return }
    for (name, rows) in object.members {
      guard case .array(let rows) = rows else { continue }
      tables.append(
        (name, rows.compactMap { if case .object(let row) = $0 { row } else { nil } }))
    }
  }

  /// The rows as a seed file has them: `{"table": [{"column": value, …}, …], …}`.
  public var jsonValue: JSONValue {
    .object(JSONObject(tables.map { ($0.name, .array($0.rows.map(JSONValue.object))) }))
  }
}
