extension PokeReading {
  /// What an object of columns is for.
  enum RowUse {
    /// A whole row.
    case row
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
      try readColumn(column)
    }
    return builder.finish()
  }

  @inline(__always)
  private mutating func readColumn(_ column: Int) throws(JSONError) {
    switch reader.peek() {
    case UInt8(ascii: "\""):
      let text = try reader.readString()
      guard column != PokeTable.noColumn else { return }
      if reader.lends(text) {
        builder.lend(column, .string, text)
      } else {
        builder.set(column, utf8: text)
      }
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      let number = try reader.scanNumber()
      guard column != PokeTable.noColumn else { return }
      if let integer = number.int32 {
        builder.set(column, integer)
      } else {
        builder.set(column, number.value ?? decimalValue(reader.bytes(of: number)))
      }
    case UInt8(ascii: "t"), UInt8(ascii: "f"):
      let value = try reader.readBool()
      if column != PokeTable.noColumn { builder.set(column, value) }
    case UInt8(ascii: "n"):
      _ = try reader.readNull()
      if column != PokeTable.noColumn { builder.set(column, null: ()) }
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      let text = try reader.skipValue()
      if column != PokeTable.noColumn { builder.lend(column, .json, text) }
    default: throw reader.unexpected("a value")
    }
  }
}
