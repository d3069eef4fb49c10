import ZeroProtocol

/// The tables of the server in memory, with the last mutation IDs and results of all clients.
///
/// Confined to the isolation that made it. Every change happens in a transaction; transactions do
/// not nest.
final class Database {
  let schema: DatabaseSchema
  /// Number of the last commit. Starts above zero, so that it sorts after a new group's version.
  private(set) var version: UInt64
  var tables: [[UTF8Key: StoredRow]]
  var lastMutationIDs: [ClientKey: UInt64] = [:]
  /// Results that clients have not acknowledged yet, by mutation ID.
  var results: [ClientKey: [UInt64: JSONValue]] = [:]
  /// By place in the schema's foreign keys: the rows that refer to a key.
  var referrers: [[UTF8Key: Set<UTF8Key>]]
  /// Tables, and columns as `table.column`, that clients are told are missing.
  var hidden: Set<String> = []

  struct StoredRow {
    var row: Row
    /// The commit that wrote the row last.
    var version: UInt64
  }

  init(schema: DatabaseSchema, version: UInt64 = 1) {
    self.schema = schema
    self.version = version
    tables = Array(repeating: [:], count: schema.tables.count)
    referrers = Array(repeating: [:], count: schema.foreignKeys.count)
  }

  /// Runs `body` as one transaction. When it throws, nothing has changed.
  /// - Returns: what changed, or nil for the commit if nothing did.
  func write<Result>(
    _ body: (DatabaseTransaction) throws -> Result
  ) rethrows -> (result: Result, commit: Commit?) {
    let transaction = DatabaseTransaction(self, version: version + 1)
    do {
      let result = try body(transaction)
      let commit = transaction.commit()
      if let commit { version = commit.version }
      return (result, commit)
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// The row of that key, with the commit that wrote it last.
  func stored(_ key: RowKey) -> StoredRow? { tables[key.table][key.text] }

  /// All rows of a table, in no particular order.
  func rows(of table: DatabaseTable) -> [Row] { tables[table.ordinal].values.map(\.row) }

  /// Continues the count of commits after a restart.
  func restore(version: UInt64) { self.version = max(self.version, version) }

  // MARK: -

  /// Puts or removes a row and keeps the references to others in step.
  func set(_ stored: StoredRow?, at key: RowKey) {
    let old = tables[key.table][key.text]
    tables[key.table][key.text] = stored
    for (place, foreignKey) in schema.foreignKeys.enumerated()
    where UTF8Key(foreignKey.table) == UTF8Key(schema.tables[key.table].name) {
      let before = old.flatMap { foreignKey.target(of: $0.row) }
      let after = stored.flatMap { foreignKey.target(of: $0.row) }
      guard before != after else { continue }
      if let before {
        referrers[place][before]?.remove(key.text)
        if referrers[place][before]?.isEmpty == true { referrers[place][before] = nil }
      }
      if let after { referrers[place][after, default: []].insert(key.text) }
    }
  }
}

extension ForeignKey {
  /// The key that `row` of the referring table refers to; nil if it refers to nothing.
  func target(of row: Row) -> UTF8Key? {
    let values = columns.map { row[$0] }
    guard !values.contains(where: { $0 == .null || $0 == .absent }) else { return nil }
    return UTF8Key(RowKey.text(values))
  }
}
