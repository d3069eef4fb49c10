import ZeroProtocol

/// A row's table and primary key.
struct RowKey: Hashable, Sendable {
  /// Position of the table in the schema.
  let table: Int
  /// The key as text: that of the only column, or the JSON array of all.
  let text: UTF8Key

  init(table: Int, text: String) {
    self.table = table
    self.text = UTF8Key(text)
  }

  /// The key of `row`, whose layout is that of the table.
  init(_ row: Row, table: Int) {
    let columns = row.layout.primaryKey
    self.table = table
    if columns.count == 1, case .string(let text) = row[columns[0]] {
      self.text = UTF8Key(text)
    } else {
      self.text = UTF8Key(Self.text(columns.map { row[$0] }))
    }
  }

  /// The text of key values: strings of a one-column key as they are, so that it is cheap.
  static func text(_ values: [Value]) -> String {
    if values.count == 1, case .string(let text) = values[0] { return text }
    return String(
      decoding: JSONValue.array(values.map(\.jsonValue)).jsonText, as: UTF8.self)
  }

  /// The key columns by name, as a `del` sends them.
  func identity(_ layout: RowLayout) -> JSONObject {
    let columns = layout.primaryKey.map { layout.columns[$0] }
    if columns.count == 1, columns[0].type == .string {
      return [columns[0].name: .string(text.string)]
    }
    guard case .array(let values)? = try? JSONValue(parsing: text.string) else { return [:] }
    return JSONObject(zip(columns.map(\.name), values).map { ($0, $1) })
  }
}
