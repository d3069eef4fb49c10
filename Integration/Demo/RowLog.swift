import ZeroProtocol

/// Prints changes of rows as they come and counts the rows of each table.
struct RowLog {
  private var tables: [String: Set<String>] = [:]
  private var order: [String] = []

  /// How many rows there are now.
  var count: Int { tables.values.reduce(0) { $0 + $1.count } }

  mutating func add(_ part: PokePart) {
    let desired = part.desiredQueriesPatches?.entries.reduce(0) { $0 + $1.value.count } ?? 0
    if desired > 0 { print("  \(desired) of our queries noted") }
    if let got = part.gotQueriesPatch { print("  \(got.count) queries answered") }
    for row in part.rowsPatch ?? [] { add(row) }
  }

  mutating func printSummary() {
    print("We hold \(count) rows:")
    for table in order { print("  \(table): \(tables[table]?.count ?? 0)") }
  }

  // MARK: -

  private mutating func add(_ change: RowOp) {
    switch change {
    case .put(let table, let row):
      print("  \(table): \(Self.describe(row))")
      insert(Self.key(row), into: table)
    case .update(let update):
      print("  \(update.tableName): changed \(Self.describe(update.id))")
    case .del(let table, let id):
      print("  \(table): removed \(Self.describe(id))")
      tables[table]?.remove(Self.key(id))
    case .clear:
      print("  everything removed")
      tables = [:]
    }
  }

  private mutating func insert(_ key: String, into table: String) {
    if tables[table] == nil { order.append(table) }
    tables[table, default: []].insert(key)
  }

  /// The value of `id`, or the whole row where there is none.
  private static func key(_ row: JSONObject) -> String {
    if let id = row["id"] { return text(id) }
    return describe(row)
  }

  /// The first columns that hold something, cut to a line.
  private static func describe(_ row: JSONObject) -> String {
    let parts = row.members.compactMap { member -> String? in
      if case .null = member.value { return nil }
      return "\(member.key) \(text(member.value))"
    }
    let line = parts.joined(separator: ", ")
    return line.count > 90 ? line.prefix(89) + "…" : line
  }

  private static func text(_ value: JSONValue) -> String {
    String(decoding: value.jsonText, as: UTF8.self)
  }
}
