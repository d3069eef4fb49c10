import ZeroProtocol

/// The open transaction of a database: reads its own writes, undone as a whole when it fails.
final class DatabaseTransaction {
  /// Whose names a write uses.
  enum Names { case client, server }

  let database: Database
  private let version: UInt64
  /// What each row touched was before, in the order of the first touch.
  private var touched: [(key: RowKey, before: Database.StoredRow?)] = []
  private var touchedKeys: Set<RowKey> = []
  private var idsBefore: [ClientKey: UInt64] = [:]
  private var resultsBefore: [ClientKey: [UInt64: JSONValue]] = [:]
  private var lastMutationIDs: [(client: ClientKey, id: UInt64)] = []
  private var results: [(client: ClientKey, id: UInt64, result: JSONValue?)] = []
  private var builder = RowBuilder()

  init(_ database: Database, version: UInt64) {
    self.database = database
    self.version = version
  }

  /// Adds a row. Omitted columns take their default or null.
  /// - Throws: ``DatabaseError``.
  func insert(
    _ table: DatabaseTable, _ values: JSONObject, names: Names
  ) throws(DatabaseError) {
    let row = try makeRow(table, values, base: nil, names: names)
    let key = RowKey(row, table: table.ordinal)
    guard database.stored(key) == nil else {
      throw DatabaseError(
        .unique, "duplicate key value violates unique constraint \"\(table.name)_pkey\"")
    }
    try put(row, at: key, table)
  }

  /// Adds a row, or changes the given columns of the row of that key.
  /// - Throws: ``DatabaseError``.
  func upsert(
    _ table: DatabaseTable, _ values: JSONObject, names: Names
  ) throws(DatabaseError) {
    let key = try key(table, values, names: names)
    if let old = database.stored(key) {
      try put(try makeRow(table, values, base: old.row, names: names), at: key, table)
    } else {
      try insert(table, values, names: names)
    }
  }

  /// Changes the given columns of the row that has the key in `values`; does nothing without it.
  /// - Throws: ``DatabaseError``.
  func update(
    _ table: DatabaseTable, _ values: JSONObject, names: Names
  ) throws(DatabaseError) {
    let key = try key(table, values, names: names)
    guard let old = database.stored(key) else { return }
    try put(try makeRow(table, values, base: old.row, names: names), at: key, table)
  }

  /// Changes columns of a row, the key included.
  /// - Throws: ``DatabaseError``.
  func change(
    _ table: DatabaseTable, _ row: Row, _ values: JSONObject, names: Names
  ) throws(DatabaseError) {
    let key = RowKey(row, table: table.ordinal)
    let new = try makeRow(table, values, base: row, names: names)
    let newKey = RowKey(new, table: table.ordinal)
    if newKey == key {
      try put(new, at: key, table)
    } else {
      try remove(key, table)
      guard database.stored(newKey) == nil else {
        throw DatabaseError(
          .unique, "duplicate key value violates unique constraint \"\(table.name)_pkey\"")
      }
      try put(new, at: newKey, table)
    }
  }

  /// Removes the row that has the key in `values`, and what refers to it by a cascading key; does
  /// nothing without it.
  /// - Throws: ``DatabaseError``.
  func delete(
    _ table: DatabaseTable, _ values: JSONObject, names: Names
  ) throws(DatabaseError) {
    let key = try key(table, values, names: names)
    guard database.stored(key) != nil else { return }
    try remove(key, table)
  }

  /// The row that has the key in `values`.
  func row(
    _ table: DatabaseTable, _ values: JSONObject, names: Names
  ) throws(DatabaseError) -> Row? {
    database.stored(try key(table, values, names: names))?.row
  }

  func lastMutationID(of client: ClientKey) -> UInt64 { database.lastMutationIDs[client] ?? 0 }

  func setLastMutationID(_ id: UInt64, of client: ClientKey) {
    if idsBefore[client] == nil { idsBefore[client] = lastMutationID(of: client) }
    database.lastMutationIDs[client] = id
    lastMutationIDs.append((client, id))
  }

  func setResult(_ result: JSONValue, of id: UInt64, _ client: ClientKey) {
    saveResults(of: client)
    database.results[client, default: [:]][id] = result
    results.append((client, id, result))
  }

  /// Forgets the results of a client up to a mutation, or all.
  func deleteResults(of client: ClientKey, upTo last: UInt64 = .max) {
    guard let known = database.results[client] else { return }
    saveResults(of: client)
    for id in known.keys.sorted() where id <= last {
      database.results[client]?[id] = nil
      results.append((client, id, nil))
    }
    if database.results[client]?.isEmpty == true { database.results[client] = nil }
  }

  /// What changed, or nil if nothing did.
  func commit() -> Commit? {
    var commit = Commit(version: version, lastMutationIDs: lastMutationIDs, results: results)
    for (key, before) in touched {
      let table = database.schema.tables[key.table].name
      switch (before?.row, database.stored(key)?.row) {
      case (nil, nil): continue
      case (nil, let new?): commit.rows.append(RowChange(table: table, kind: .insert(new)))
      case (let old?, nil): commit.rows.append(RowChange(table: table, kind: .delete(old)))
      case (let old?, let new?):
        if old == new {
          database.set(before, at: key)
        } else {
          commit.rows.append(RowChange(table: table, kind: .update(old: old, new: new)))
        }
      }
    }
    let isEmpty = commit.rows.isEmpty && lastMutationIDs.isEmpty && results.isEmpty
    return isEmpty ? nil : commit
  }

  func rollBack() {
    for (key, before) in touched.reversed() { database.set(before, at: key) }
    for (client, id) in idsBefore { database.lastMutationIDs[client] = id == 0 ? nil : id }
    for (client, results) in resultsBefore {
      database.results[client] = results.isEmpty ? nil : results
    }
  }

  // MARK: -

  private func saveResults(of client: ClientKey) {
    if resultsBefore[client] == nil { resultsBefore[client] = database.results[client] ?? [:] }
  }

  private func touch(_ key: RowKey) {
    if touchedKeys.insert(key).inserted { touched.append((key, database.stored(key))) }
  }

  private func put(_ row: Row, at key: RowKey, _ table: DatabaseTable) throws(DatabaseError) {
    try checkReferences(of: row, table)
    touch(key)
    database.set(Database.StoredRow(row: row, version: version), at: key)
  }

  private func remove(_ key: RowKey, _ table: DatabaseTable) throws(DatabaseError) {
    touch(key)
    database.set(nil, at: key)
    for (place, foreignKey) in database.schema.foreignKeys.enumerated()
    where UTF8Key(foreignKey.target) == UTF8Key(table.name) {
      guard let referrers = database.referrers[place][key.text], !referrers.isEmpty else {
        continue
      }
      guard foreignKey.onDelete == .cascade else {
        throw DatabaseError(
          .foreignKey,
          "update or delete on table \"\(table.name)\" violates foreign key constraint "
            + "\"\(foreignKey.name)\" on table \"\(foreignKey.table)\"")
      }
      let source = try database.schema.table(foreignKey.table)
      for referrer in referrers {
        let key = RowKey(table: source.ordinal, text: referrer.string)
        if database.stored(key) != nil { try remove(key, source) }
      }
    }
  }

  private func checkReferences(of row: Row, _ table: DatabaseTable) throws(DatabaseError) {
    for foreignKey in database.schema.foreignKeys
    where UTF8Key(foreignKey.table) == UTF8Key(table.name) {
      guard let target = foreignKey.target(of: row) else { continue }
      let ordinal = try database.schema.table(foreignKey.target).ordinal
      guard database.stored(RowKey(table: ordinal, text: target.string)) != nil else {
        throw DatabaseError(
          .foreignKey,
          "insert or update on table \"\(table.name)\" violates foreign key constraint "
            + "\"\(foreignKey.name)\"")
      }
    }
  }

  private func place(
    _ column: String, _ table: DatabaseTable, _ names: Names
  ) throws(DatabaseError) -> Int {
    let layout = names == .client ? table.client.layout : table.layout
    guard let place = layout.index(of: column) else {
      throw DatabaseError(
        .unknownColumn, "column \"\(column)\" of relation \"\(layout.table)\" does not exist")
    }
    return place
  }

  private func key(
    _ table: DatabaseTable, _ values: JSONObject, names: Names
  ) throws(DatabaseError) -> RowKey {
    let columns = names == .client ? table.client.columns : table.server.columns
    var key: [Value] = []
    for place in table.layout.primaryKey {
      switch values[columns[place].name] {
      case .string(let value): key.append(.string(value))
      case .number(let value): key.append(.number(value))
      case .bool(let value): key.append(.bool(value))
      default:
        throw DatabaseError(
          .notNull,
          "null value in column \"\(columns[place].name)\" of relation \"\(table.name)\" "
            + "violates not-null constraint")
      }
    }
    return RowKey(table: table.ordinal, text: RowKey.text(key))
  }

  /// A row of `values` over `base`, or over the defaults.
  private func makeRow(
    _ table: DatabaseTable, _ values: JSONObject, base: Row?, names: Names
  ) throws(DatabaseError) -> Row {
    builder.begin(table.layout)
    if let base {
      for place in table.layout.columns.indices { builder.set(place, from: base) }
    } else {
      for (place, value) in table.defaults { builder.set(place, value) }
    }
    for (name, value) in values.members {
      let place = try place(name, table, names)
      try table.layout.columns[place].check(value, of: table.name)
      builder.set(place, value)
    }
    builder.nullifyAbsent()
    let row = builder.finish()
    for (place, column) in table.layout.columns.enumerated()
    where !column.isOptional && column.type != .json && row.isNull(place) {
      throw DatabaseError(
        .notNull,
        "null value in column \"\(column.name)\" of relation \"\(table.name)\" "
          + "violates not-null constraint")
    }
    return row
  }
}

extension ColumnDescriptor {
  /// - Throws: ``DatabaseError`` with code `type` if this column cannot hold `value`.
  func check(_ value: JSONValue, of table: String) throws(DatabaseError) {
    let fits =
      switch (type, value) {
      case (_, .null), (.json, _): true
      case (.string, .string(let text)): enumeration?.contains(text) ?? true
      case (.number, .number(let number)): number.isFinite
      case (.boolean, .bool): true
      default: false
      }
    guard fits else {
      throw DatabaseError(.type, "invalid value for column \"\(table)\".\"\(name)\"")
    }
  }
}
