extension PokeReading {
  /// Reads the rows patch that comes next.
  mutating func readRows(_ part: inout PokePatches) throws(JSONError) {
    try reader.enterArray()
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      part.hasRows = true
      if let row = try readExpectedPut() {
        part.rowsPatch.append(.put(row))
      } else if let operation = try readOperation() {
        part.rowsPatch.append(operation)
      }
    }
  }

  /// Reads an entry that puts a row of the same table as the entry before it, if it is written just
  /// as the server writes such entries. Else reads nothing.
  private mutating func readExpectedPut() throws(JSONError) -> Row? {
    guard let table = latest else { return nil }
    let entry = reader.mark
    guard try reader.takeObjectStart(table.putStart) else { return nil }
    let row = try readRow(table, .row)
    guard reader.peek() == UInt8(ascii: "}") else {
      reader.rewind(to: entry)
      return nil
    }
    reader.leave()
    return row
  }

  /// Reads an entry of any form, its members in any order. Nil if its table is not known.
  private mutating func readOperation() throws(JSONError) -> PokePatches.RowOperation? {
    _ = reader.peek()
    let start = reader.offset
    var op: JSONReader.Mark?
    var tableName: JSONReader.Mark?
    var value: JSONReader.Mark?
    var id: JSONReader.Mark?
    var merge: JSONReader.Mark?
    var constrain: JSONReader.Mark?
    try reader.enterObject()
    var isFirst = true
    while let key = try reader.nextKey(&isFirst) {
      if isEqual(key, "op") {
        op = try skipValue()
      } else if isEqual(key, "tableName") {
        tableName = try skipValue()
      } else if isEqual(key, "value") {
        value = try skipValue()
      } else if isEqual(key, "id") {
        id = try skipValue()
      } else if isEqual(key, "merge") {
        merge = try skipValue()
      } else if isEqual(key, "constrain") {
        constrain = try skipValue()
      } else {
        try reader.skipValue()
      }
    }
    let end = reader.mark
    guard let op else { throw reader.missing("op", from: start) }
    let operation = try readOperationName(at: op)
    defer { reader.rewind(to: end) }
    if operation == .clear { return .clear }
    guard let tableName else { throw reader.missing("tableName", from: start) }
    reader.rewind(to: tableName)
    let table = table(try reader.readString())
    if let table { latest = table }
    switch operation {
    case .clear: return .clear
    case .put:
      guard let value else { throw reader.missing("value", from: start) }
      return try row(at: value, table, .row).map { .put($0) }
    case .del:
      guard let id else { throw reader.missing("id", from: start) }
      return try key(at: id, table).map { .del($0) }
    case .update:
      guard let id else { throw reader.missing("id", from: start) }
      let key = try key(at: id, table)
      let merged: Row? = if let merge { try row(at: merge, table, .merge) } else { nil }
      let kept: [Int]? = if let constrain { try columns(at: constrain, table) } else { nil }
      return key.map { .update(.init(key: $0, merge: merged, constrain: kept)) }
    }
  }

  private enum Operation { case put, update, del, clear }

  private mutating func readOperationName(
    at place: JSONReader.Mark
  ) throws(JSONError) -> Operation {
    reader.rewind(to: place)
    let name = try reader.readString()
    if isEqual(name, "put") { return .put }
    if isEqual(name, "del") { return .del }
    if isEqual(name, "update") { return .update }
    if isEqual(name, "clear") { return .clear }
    reader.rewind(to: place)
    throw reader.error(.invalidValue, "expected put, update, del or clear")
  }

  /// Skips the value that comes next and says where it was.
  private mutating func skipValue() throws(JSONError) -> JSONReader.Mark {
    _ = reader.peek()
    let place = reader.mark
    try reader.skipValue()
    return place
  }

  private mutating func table(_ name: UnsafeRawBufferPointer) -> PokeTable? {
    if let latest, latest.isNamed(name) { return latest }
    return tables.first { $0.isNamed(name) }
  }

  /// The row at a place read before. The entry of an unknown table is checked all the same.
  private mutating func row(
    at place: JSONReader.Mark, _ table: PokeTable?, _ use: RowUse
  ) throws(JSONError) -> Row? {
    reader.rewind(to: place)
    let row = try readRow(table ?? unknown, use)
    return table == nil ? nil : row
  }

  /// The row that has only the columns of a key, at a place read before.
  private mutating func key(
    at place: JSONReader.Mark, _ table: PokeTable?
  ) throws(JSONError) -> Row? {
    reader.rewind(to: place)
    let members = try readTree { (tree, json) throws(JSONError) in try tree.key(json) }
    guard let table else { return nil }
    builder.begin(table.layout)
    for (name, value) in members {
      if let column = table.layout.index(ofServerName: name) { builder.set(column, value) }
    }
    return builder.finish()
  }

  /// The indexes of the columns named at a place read before; nil for an empty list.
  private mutating func columns(
    at place: JSONReader.Mark, _ table: PokeTable?
  ) throws(JSONError) -> [Int]? {
    reader.rewind(to: place)
    var columns: [Int] = []
    var isEmpty = true
    try reader.enterArray()
    var isFirst = true
    while try reader.nextElement(&isFirst) {
      isEmpty = false
      let column = table?.column(try reader.readString()) ?? PokeTable.noColumn
      if column != PokeTable.noColumn { columns.append(column) }
    }
    return isEmpty ? nil : columns
  }
}
