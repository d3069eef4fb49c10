import ZeroProtocol

/// Keeps the server's tables and client groups in a store, so that a restart is not noticed by
/// clients.
///
/// What clients are told is written before they are told, in one transaction per event.
final class ServerStore {
  private let store: any Store
  /// Records of groups as they were written last.
  private var written: [String: [UInt8]] = [:]

  static let tables = ["meta", "rows", "mutations", "results", "groups", "ledger"]
  private static let meta = StoreTable(0)
  private static let rows = StoreTable(1)
  private static let mutations = StoreTable(2)
  private static let results = StoreTable(3)
  private static let groups = StoreTable(4)
  private static let ledger = StoreTable(5)
  private static let versionKey = Array("version".utf8)

  init(_ store: any Store) { self.store = store }

  func close() { store.close() }

  /// Whether there is nothing in it.
  func isEmpty() throws -> Bool {
    try store.read { try $0.get(Self.meta, Self.versionKey) == nil }
  }

  /// Writes a commit, if there is one, and the groups that changed.
  func save(_ commit: Commit?, _ database: Database, groups: some Sequence<ClientGroup>) throws {
    var changed: [(group: ClientGroup, record: [UInt8], ledger: Set<RowKey>)] = []
    for group in groups {
      let record = GroupRecord(group).json.jsonText
      let ledger = group.ledger.takeUnsaved()
      if !ledger.isEmpty || written[group.id] != record { changed.append((group, record, ledger)) }
    }
    guard commit != nil || !changed.isEmpty else { return }
    try store.write { transaction in
      if let commit { try Self.save(commit, database, transaction) }
      for (group, record, ledger) in changed {
        try transaction.put(Self.groups, Self.key([group.id]), record)
        for key in ledger { try Self.save(key, of: group, database, transaction) }
      }
    }
    for (group, record, _) in changed { written[group.id] = record }
  }

  /// Reads everything back.
  /// - Returns: the groups; the database has its rows.
  func restore(_ database: Database, engine: any QueryEngine) throws -> [ClientGroup] {
    try store.read { snapshot in
      try restoreTables(database, snapshot)
      var rows: [RowChange] = []
      for table in database.schema.tables {
        rows += database.rows(of: table).map { RowChange(table: table.name, kind: .insert($0)) }
      }
      try engine.apply(rows)
      var groups: [String: ClientGroup] = [:]
      try snapshot.scan(Self.groups) { _, value in
        let bytes = value.withUnsafeBytes { Array($0) }
        let record = try GroupRecord(JSONValue(parsing: bytes))
        let group = ClientGroup(id: record.id, database: database, engine: engine)
        try record.restore(group)
        groups[record.id] = group
        written[record.id] = bytes
        return true
      }
      try snapshot.scan(Self.ledger) { _, value in
        let fields = try RecordFields(value.withUnsafeBytes { try JSONValue(parsing: $0) })
        guard let group = groups[try fields.text(0)],
          let table = try? database.schema.table(try fields.text(1)).ordinal
        else { return true }
        group.ledger.restore(
          RowKey(table: table, text: try fields.text(2)), version: try fields.version(3),
          rowVersion: fields.number(4).map { UInt64($0) })
        return true
      }
      return groups.values.sorted { $0.id < $1.id }
    }
  }

  // MARK: -

  private static func save(
    _ commit: Commit, _ database: Database, _ transaction: any StoreTransaction
  ) throws {
    try transaction.put(
      meta, versionKey, JSONValue.number(Double(commit.version)).jsonText)
    for change in commit.rows {
      let table = try database.schema.table(change.table)
      switch change.kind {
      case .insert(let row), .update(_, let row):
        let value = JSONValue.array([
          .string(table.name), .number(Double(commit.version)),
          .object(
            JSONObject(
              table.layout.columns.enumerated().map { ($1.name, row[$0].jsonValue) })),
        ])
        try transaction.put(rows, key(of: row, table), value.jsonText)
      case .delete(let row): try transaction.delete(rows, key(of: row, table))
      }
    }
    for (client, id) in commit.lastMutationIDs {
      let value = JSONValue.array([
        .string(client.group), .string(client.client), .number(Double(id)),
      ])
      try transaction.put(mutations, key([client.group, client.client]), value.jsonText)
    }
    for (client, id, result) in commit.results {
      let key = key([client.group, client.client, String(id)])
      guard let result else {
        try transaction.delete(results, key)
        continue
      }
      let value = JSONValue.array([
        .string(client.group), .string(client.client), .number(Double(id)), result,
      ])
      try transaction.put(results, key, value.jsonText)
    }
  }

  private static func save(
    _ key: RowKey, of group: ClientGroup, _ database: Database,
    _ transaction: any StoreTransaction
  ) throws {
    let table = database.schema.tables[key.table].name
    let place = self.key([group.id, table, key.text.string])
    let fields: [JSONValue] = [.string(group.id), .string(table), .string(key.text.string)]
    if let entry = group.ledger.entries[key] {
      let value = fields + [.string(entry.version.cookie), .number(Double(entry.rowVersion))]
      try transaction.put(ledger, place, JSONValue.array(value).jsonText)
    } else if let since = group.ledger.tombstones[key] {
      try transaction.put(
        ledger, place, JSONValue.array(fields + [.string(since.cookie)]).jsonText)
    } else {
      try transaction.delete(ledger, place)
    }
  }

  private func restoreTables(_ database: Database, _ snapshot: any StoreSnapshot) throws {
    var builder = RowBuilder()
    try snapshot.scan(Self.rows) { _, value in
      let fields = try RecordFields(value.withUnsafeBytes { try JSONValue(parsing: $0) })
      guard let table = try? database.schema.table(try fields.text(0)),
        let version = fields.number(1), case .object(let object)? = fields[2]
      else { return true }
      builder.begin(table.layout)
      for (name, value) in object.members {
        if let place = table.layout.index(of: name) { builder.set(place, value) }
      }
      builder.nullifyAbsent()
      let row = builder.finish()
      database.set(
        Database.StoredRow(row: row, version: UInt64(version)),
        at: RowKey(row, table: table.ordinal))
      return true
    }
    try snapshot.scan(Self.mutations) { _, value in
      let fields = try RecordFields(value.withUnsafeBytes { try JSONValue(parsing: $0) })
      let client = ClientKey(group: try fields.text(0), client: try fields.text(1))
      database.lastMutationIDs[client] = UInt64(fields.number(2) ?? 0)
      return true
    }
    try snapshot.scan(Self.results) { _, value in
      let fields = try RecordFields(value.withUnsafeBytes { try JSONValue(parsing: $0) })
      let client = ClientKey(group: try fields.text(0), client: try fields.text(1))
      if let id = fields.number(2), let result = fields[3] {
        database.results[client, default: [:]][UInt64(id)] = result
      }
      return true
    }
    if let bytes = try snapshot.get(Self.meta, Self.versionKey),
      case .number(let version) = try JSONValue(parsing: bytes)
    {
      database.restore(version: UInt64(version))
    }
  }

  private static func key(of row: Row, _ table: DatabaseTable) -> [UInt8] {
    key([table.name, RowKey(row, table: table.ordinal).text.string])
  }

  /// A key of parts; long ones by their hash, since a store limits the length. Values repeat the
  /// parts.
  private static func key(_ parts: [String]) -> [UInt8] {
    let key = Array(parts.joined(separator: "\0").utf8)
    guard key.count > 500 else { return key }
    return Array("\(TextHash.h128(parts.joined(separator: "\0")))".utf8)
  }
}

/// The elements of a stored array.
struct RecordFields {
  private let elements: [JSONValue]

  struct Failure: Error { let message: String }

  init(_ json: JSONValue) throws(Failure) {
    guard case .array(let elements) = json else {
      throw Failure(message: "a record of the server's store is not an array")
    }
    self.elements = elements
  }

  subscript(place: Int) -> JSONValue? { place < elements.count ? elements[place] : nil }

  func text(_ place: Int) throws(Failure) -> String {
    guard case .string(let text)? = self[place] else {
      throw Failure(message: "element \(place) of a record of the server's store is not text")
    }
    return text
  }

  /// A number that counts something, so that it converts to an integer.
  func number(_ place: Int) -> Double? {
    guard case .number(let number)? = self[place], number >= 0, number <= 0x1p53 else {
      return nil
    }
    return number
  }

  func version(_ place: Int) throws(Failure) -> GroupVersion {
    guard let version = GroupVersion(cookie: try text(place)) else {
      throw Failure(message: "element \(place) of a record of the server's store is no version")
    }
    return version
  }
}
