import ZeroProtocol

extension Entry: RowEntry {
  public func visitRelated(
    _ relation: String, _ body: (any RowEntry) throws(RowDecodingError) -> Void
  ) throws(RowDecodingError) -> Bool {
    guard let data = self[relation] else { return false }
    switch data {
    case .one(nil): break
    case .one(let entry?): try body(entry)
    case .many(let list): for entry in list { try body(entry) }
    }
    return true
  }
}

extension ViewData {
  /// The rows as structs of their table.
  /// - Throws: a row that the struct cannot be made from.
  public func rows<T: ZeroTable>(as _: T.Type = T.self) throws(RowDecodingError) -> [T] {
    var rows: [T] = []
    for entry in entries { rows.append(try T(RowReader(entry, T.table))) }
    return rows
  }
}
