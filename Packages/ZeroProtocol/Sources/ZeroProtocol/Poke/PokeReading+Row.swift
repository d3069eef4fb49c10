extension PokeReading {
  /// What an object of columns is for.
  enum RowUse {
    /// A whole row.
    case row
    /// A key, whose values are strings, numbers and booleans.
    case key
    /// Some columns of a row. The reference also takes an array here, which has no columns.
    case merge
  }

  /// Reads the columns that come next.
  ///
  /// Rows of a table name their columns in the same order, as a rule; names are compared with those
  /// of the row before, in place, and looked up only where they differ.
  mutating func readRow(_ table: PokeTable, _ use: RowUse) throws(JSONError) -> Row {
    builder.begin(table.layout)
    if use == .merge, try reader.peekKind() == .array {
      try reader.skipValue()
      return builder.finish()
    }
    try reader.enterObject()
    var isFirst = true
    var place = use == .row ? 0 : PokeTable.expectedLimit
    while true {
      let column: Int
      if let expected = table.expected(at: place), reader.take(expected.text) {
        column = expected.column
        place += 1
        isFirst = false
      } else {
        guard let key = try reader.nextKey(&isFirst) else { break }
        column = table.column(key)
        if place < PokeTable.expectedLimit {
          place = table.expect(key, column, at: place, isPlain: reader.lends(key))
        }
      }
      try readColumn(column, isKey: use == .key)
    }
    return builder.finish()
  }

  @inline(__always)
  private mutating func readColumn(_ column: Int, isKey: Bool) throws(JSONError) {
    switch try reader.peekKind() {
    case .string:
      let text = try reader.readString()
      guard column != PokeTable.noColumn else { return }
      if reader.lends(text) {
        builder.lend(column, .string, text)
      } else {
        builder.set(column, utf8: text)
      }
    case .number:
      guard column != PokeTable.noColumn else {
        _ = try reader.scanNumber()
        return
      }
      builder.set(column, try reader.readNumber())
    case .bool:
      let value = try reader.readBool()
      if column != PokeTable.noColumn { builder.set(column, value) }
    case .null:
      if isKey { throw reader.error(.wrongType, "a key has no null") }
      _ = try reader.readNull()
      if column != PokeTable.noColumn { builder.set(column, null: ()) }
    case .array, .object:
      if isKey { throw reader.error(.wrongType, "a key has no arrays and objects") }
      let text = try reader.skipValue()
      if column != PokeTable.noColumn { builder.lend(column, .json, text) }
    }
  }
}
