@_spi(Engine) import ZeroProtocol

/// What opening a database found: everything the client keeps of it in memory from then on.
struct DatabaseContents: Sendable {
  var profileID: String
  var groupID: String
  var group: GroupRecord
  var clients: [String: ClientRecord]
  var groups: [String: GroupRecord]
  var deleted: [DeletedClient]
  var lastMutationIDs: [String: Int]
  var got: [String]
  var pending: [PendingMutation]
  var refused: [RefusedRecord]
  /// Rows by place of the table in the schema, in ascending order of their storage keys.
  var rows: [ContiguousArray<Row>]
}

/// What is needed to open a database.
struct DatabaseRequest: Sendable {
  var name: String
  var baseName: String
  var schemaVersion: String
  var clientID: String
  /// IDs to use if a profile or a group has to be made.
  var newProfileID: String
  var newGroupID: String
  var mutatorNames: [String]
  var now: Double
  var tables: [TableDescriptor]
}

extension DatabaseContents {
  /// Joins or makes the client group, registers the client and reads what the group has. Runs on the
  /// storage executor.
  init(opening store: any Store, _ request: DatabaseRequest, profileID: String) throws {
    let writtenLayouts = try Self.prepareMeta(store, request)
    (clients, groups) = try store.read { try Self.readRecords($0) }
    let usable = groups.filter { !$0.value.isDisabled }
    if let oldest = usable.min(by: { ($0.value.created, $0.key) < ($1.value.created, $1.key) }) {
      groupID = oldest.key
      group = oldest.value
    } else {
      groupID = request.newGroupID
      group = GroupRecord(
        created: 1 + (groups.values.map(\.created).max() ?? 0), mutators: request.mutatorNames,
        isDisabled: false, cookie: nil)
    }
    let client = ClientRecord(group: groupID, heartbeat: request.now)
    clients[request.clientID] = client
    groups[groupID] = group
    let (groupID, group) = (groupID, group)
    try store.write { transaction in
      try transaction.put(
        DatabaseTable.clients.table, StorageKey.text(request.clientID), client.stored)
      try transaction.put(DatabaseTable.groups.table, StorageKey.text(groupID), group.stored)
    }
    self.profileID = profileID
    deleted = []
    lastMutationIDs = [:]
    got = []
    pending = []
    refused = []
    rows = []
    try store.read { try readGroup($0, request.tables, writtenLayouts) }
  }

  // MARK: -

  /// Checks the layout version and notes the column order of the stored rows.
  /// - Returns: the column order with which the stored rows were written, where it is not today's.
  private static func prepareMeta(
    _ store: any Store, _ request: DatabaseRequest
  ) throws -> [UTF8Key: RowLayout] {
    let meta = DatabaseTable.meta.table
    var layouts: [UTF8Key: RowLayout] = [:]
    let columns = JSONValue.object(
      JSONObject(
        request.tables.map { table in
          (table.name, JSONValue.array(table.columns.map { .string($0.name) }))
        }))
    let today = columns.jsonText
    let stored = try store.read { snapshot in
      if let version = try snapshot.get(meta, StorageKey.text("layout")),
        String(decoding: version, as: UTF8.self) != "\(storageLayoutVersion)"
      {
        throw StoreError(
          .incompatible, database: request.name,
          message: "the database has layout \(String(decoding: version, as: UTF8.self)), this "
            + "version reads \(storageLayoutVersion); update the app")
      }
      return try snapshot.get(meta, StorageKey.text("columns"))
    }
    if let stored, stored == today { return [:] }
    if let stored, case .object(let tables)? = try? JSONValue(parsing: stored) {
      for table in request.tables {
        guard case .array(let names)? = tables[table.name] else { continue }
        let columns = names.compactMap { name -> ColumnDescriptor? in
          guard case .string(let name) = name else { return nil }
          return table.columns.first { $0.name.utf8.elementsEqual(name.utf8) }
            ?? ColumnDescriptor(name, .json, optional: true)
        }
        layouts[UTF8Key(table.name)] = RowLayout(
          table: table.name, columns: columns, primaryKey: table.primaryKey)
      }
    }
    let written = layouts
    try store.write { transaction in
      try transaction.put(
        meta, StorageKey.text("layout"), Array("\(storageLayoutVersion)".utf8))
      try transaction.put(meta, StorageKey.text("name"), Array(request.name.utf8))
      try transaction.put(meta, StorageKey.text("columns"), today)
      try rewriteRows(transaction, request.tables, written)
    }
    return [:]
  }

  /// Brings rows that were stored in another column order into today's.
  private static func rewriteRows(
    _ transaction: any StoreTransaction, _ tables: [TableDescriptor],
    _ written: [UTF8Key: RowLayout]
  ) throws {
    guard !written.isEmpty else { return }
    var groups: [[UInt8]] = []
    try transaction.scan(DatabaseTable.groups.table) { key, _ in
      groups.append(key.withUnsafeBytes { Array($0) })
      return true
    }
    for group in groups {
      for table in tables {
        guard let old = written[UTF8Key(table.name)] else { continue }
        let prefix = StorageKey.prefix(
          group: String(decoding: group, as: UTF8.self), table: table.name)
        var rows: [(key: [UInt8], row: Row)] = []
        try transaction.scan(DatabaseTable.rows.table, prefix: prefix) { key, value in
          let row = try StoredRow.decode(value, old)
          rows.append((key.withUnsafeBytes { Array($0) }, row))
          return true
        }
        var builder = RowBuilder()
        for (key, row) in rows {
          builder.begin(table.layout)
          for (place, column) in table.columns.enumerated() {
            if let source = old.index(of: column.name) { builder.set(place, row[source]) }
          }
          try transaction.put(
            DatabaseTable.rows.table, key, StoredRow.encode(builder.finish()))
        }
      }
    }
  }

  private static func readRecords(
    _ snapshot: any StoreSnapshot
  ) throws -> (clients: [String: ClientRecord], groups: [String: GroupRecord]) {
    var clients: [String: ClientRecord] = [:]
    try snapshot.scan(DatabaseTable.clients.table) { key, value in
      clients[String(bytes: key)] = try ClientRecord(stored: value)
      return true
    }
    var groups: [String: GroupRecord] = [:]
    try snapshot.scan(DatabaseTable.groups.table) { key, value in
      groups[String(bytes: key)] = try GroupRecord(stored: value)
      return true
    }
    return (clients, groups)
  }

  private mutating func readGroup(
    _ snapshot: any StoreSnapshot, _ tables: [TableDescriptor], _ layouts: [UTF8Key: RowLayout]
  ) throws {
    var deleted: [DeletedClient] = []
    try snapshot.scan(DatabaseTable.deleted.table) { key, _ in
      if let client = DeletedClient(key: String(bytes: key)) { deleted.append(client) }
      return true
    }
    self.deleted = deleted
    let prefix = StorageKey.prefix(group: groupID)
    var lastMutationIDs: [String: Int] = [:]
    try snapshot.scan(DatabaseTable.lmids.table, prefix: prefix) { key, value in
      guard value.byteCount == 8 else { throw StorageValue.corrupt("a last mutation ID") }
      guard let id = Int(exactly: value.bigEndianInteger), id < Int.max else {
        throw StorageValue.corrupt("a last mutation ID")
      }
      lastMutationIDs[String(bytes: key, from: prefix.count)] = id
      return true
    }
    self.lastMutationIDs = lastMutationIDs
    var got: [String] = []
    try snapshot.scan(DatabaseTable.got.table, prefix: prefix) { key, _ in
      got.append(String(bytes: key, from: prefix.count))
      return true
    }
    self.got = got
    var pending: [PendingMutation] = []
    try snapshot.scan(DatabaseTable.pending.table, prefix: prefix) { key, value in
      let sequence = try key.withUnsafeBytes {
        try $0.sequence(from: prefix.count, "a pending mutation")
      }
      pending.append(try PendingMutation(stored: value, sequence: sequence))
      return true
    }
    self.pending = pending
    var refused: [RefusedRecord] = []
    try snapshot.scan(DatabaseTable.refused.table) { key, value in
      let sequence = try key.withUnsafeBytes { try $0.sequence(from: 0, "a refused mutation") }
      refused.append(try RefusedRecord(stored: value, sequence: sequence))
      return true
    }
    self.refused = refused
    for table in tables {
      var rows: ContiguousArray<Row> = []
      let prefix = StorageKey.prefix(group: groupID, table: table.name)
      let layout = layouts[UTF8Key(table.name)] ?? table.layout
      try snapshot.scan(DatabaseTable.rows.table, prefix: prefix) { _, value in
        rows.append(try StoredRow.decode(value, layout))
        return true
      }
      self.rows.append(rows)
    }
  }
}

/// The value of a row in the store: a format byte and the row's block.
enum StoredRow {
  static func encode(_ row: Row) -> [UInt8] {
    row.withPackedBytes { block in
      [UInt8](unsafeUninitializedCapacity: block.count + 1) { bytes, count in
        bytes[0] = StorageValue.packedRow
        UnsafeMutableRawBufferPointer(bytes).baseAddress.map { base in
          block.baseAddress.map { (base + 1).copyMemory(from: $0, byteCount: block.count) }
        }
        count = block.count + 1
      }
    }
  }

  static func decode(_ value: RawSpan, _ layout: RowLayout) throws -> Row {
    try value.withUnsafeBytes { bytes in
      guard bytes.first == StorageValue.packedRow,
        let row = Row(packed: UnsafeRawBufferPointer(rebasing: bytes.dropFirst()), layout: layout)
      else { throw StorageValue.corrupt("table \(layout.table)") }
      return row
    }
  }
}

extension String {
  fileprivate init(bytes: RawSpan, from start: Int = 0) {
    self = bytes.withUnsafeBytes { String(decoding: $0.dropFirst(start), as: UTF8.self) }
  }
}

extension RawSpan {
  fileprivate var bigEndianInteger: UInt64 { withUnsafeBytes { $0.integer(from: 0) } }
}

extension UnsafeRawBufferPointer {
  /// The number that orders records, from the eight bytes at `start`. There is always a next one.
  fileprivate func sequence(from start: Int, _ what: String) throws -> UInt64 {
    let sequence = integer(from: start)
    guard sequence < .max else { throw StorageValue.corrupt(what) }
    return sequence
  }

  /// The eight bytes at `start`, or 0 if there are fewer.
  fileprivate func integer(from start: Int) -> UInt64 {
    guard start + 8 <= count else { return 0 }
    return UInt64(bigEndian: loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }
}
