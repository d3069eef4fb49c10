import ZeroProtocol

/// Where a row is: its table's place in the schema and the text of its primary key.
struct RowKey: Hashable, Sendable {
  let table: Int
  let text: UTF8Key

  init(table: Int, text: String) {
    self.table = table
    self.text = UTF8Key(text)
  }
}

extension Row {
  /// The text of this row's primary key.
  /// - Throws: `PrimaryKeyError` if a key column is absent, null or JSON.
  func keyText() throws(PrimaryKeyError) -> String {
    let columns = layout.primaryKey
    if columns.count == 1, tag(columns[0]) == .string, case .string(let text) = self[columns[0]] {
      return text
    }
    return try primaryKeyText(columns.map { self[$0] })
  }

  /// This row with the columns that `other` has laid over it.
  func merging(_ other: Row) -> Row {
    var builder = RowBuilder()
    builder.begin(layout)
    for column in layout.columns.indices {
      builder.set(column, from: other.tag(column) == .absent ? self : other)
    }
    return builder.finish()
  }

  /// This row with only the columns named.
  func keeping(_ columns: Set<Int>) -> Row {
    var builder = RowBuilder()
    builder.begin(layout)
    for column in layout.columns.indices where columns.contains(column) {
      builder.set(column, from: self)
    }
    return builder.finish()
  }

  /// This row with null in place of what is absent.
  func withNulls() -> Row {
    guard layout.columns.indices.contains(where: { tag($0) == .absent }) else { return self }
    var builder = RowBuilder()
    builder.begin(layout)
    for column in layout.columns.indices { builder.set(column, from: self) }
    builder.nullifyAbsent()
    return builder.finish()
  }
}
