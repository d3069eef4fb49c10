import ZeroProtocol

/// A table with the rows that a benchmark loads into it.
struct RowTable {
  let descriptor: TableDescriptor
  private(set) var rows: ContiguousArray<Row> = []

  init(_ name: String, _ columns: [(String, ColumnType)], primaryKey: [String] = ["id"]) {
    descriptor = TableDescriptor(
      name, columns: columns.map { ColumnDescriptor($0.0, $0.1) }, primaryKey: primaryKey)
  }

  /// Adds a row of these values, in the order of the columns.
  mutating func add(_ values: Value...) { rows.append(row(values)) }

  /// A row of these values that is not loaded.
  func row(_ values: Value...) -> Row { row(values) }

  /// The row with some columns changed.
  func changing(_ row: Row, _ changes: [Int: Value]) -> Row {
    var builder = RowBuilder()
    builder.begin(row.layout)
    for place in row.layout.columns.indices {
      if let value = changes[place] {
        builder.set(place, value)
      } else {
        builder.set(place, from: row)
      }
    }
    return builder.finish()
  }

  // MARK: -

  private func row(_ values: [Value]) -> Row {
    var builder = RowBuilder()
    builder.begin(descriptor.layout)
    for (place, value) in values.enumerated() { builder.set(place, value) }
    return builder.finish()
  }
}
