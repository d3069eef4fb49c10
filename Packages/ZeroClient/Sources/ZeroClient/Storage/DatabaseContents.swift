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
  /// Rows by place of the table in the schema, in batches: over all of them in ascending order of their
  /// storage keys.
  var rows: [[ContiguousArray<Row>]]
  /// What could not be read and was mended.
  var repairs: [StoreError] = []
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
  ///
  /// A record that cannot be decoded costs what it held and no more: what the server has too is dropped
  /// and comes again, what it may not have goes to the list of refused mutations. It is all mended in
  /// the transaction that registers the client, so that the next opening finds nothing wrong.
  /// - Throws: what the store throws.
  init(opening store: any Store, _ request: DatabaseRequest, profileID: String) throws {
    self.profileID = profileID
    deleted = []
    lastMutationIDs = [:]
    got = []
    pending = []
    refused = []
    rows = []
    var mending = DatabaseMending(request.name)
    try Self.prepareMeta(store, request, &mending)
    (clients, groups) = try store.read { try Self.readRecords($0, &mending) }
    for id in mending.unreadableGroups {
      groups[id] = GroupRecord(
        created: Self.nextCreated(groups), mutators: request.mutatorNames, isDisabled: false,
        cookie: nil)
    }
    let usable = groups.filter { !$0.value.isDisabled }
    if let oldest = usable.min(by: { ($0.value.created, $0.key) < ($1.value.created, $1.key) }) {
      groupID = oldest.key
      group = oldest.value
    } else {
      groupID = request.newGroupID
      group = GroupRecord(
        created: Self.nextCreated(groups), mutators: request.mutatorNames, isDisabled: false,
        cookie: nil)
      groups[groupID] = group
    }
    clients[request.clientID] = ClientRecord(group: groupID, heartbeat: request.now)
    try store.read { try readGroup($0, request.tables, &mending) }
    if mending.dropsRows(of: groupID) {
      rows = request.tables.map { _ in [] }
      got = []
    }
    for id in groups.keys where mending.dropsRows(of: id) { groups[id]?.cookie = nil }
    group = groups[groupID] ?? group
    let (groups, groupID, mended) = (groups, groupID, mending)
    try store.write { transaction in
      try mended.write(transaction, groups)
      try transaction.put(
        DatabaseTable.clients.table, StorageKey.text(request.clientID),
        ClientRecord(group: groupID, heartbeat: request.now).stored)
      if let group = groups[groupID] {
        try transaction.put(DatabaseTable.groups.table, StorageKey.text(groupID), group.stored)
      }
    }
    repairs = mending.damage.failures
  }

  // MARK: -

  private static func nextCreated(_ groups: [String: GroupRecord]) -> Int {
    1 + (groups.values.map(\.created).max() ?? 0)
  }

  /// Checks the layout version and brings stored rows into today's order of columns.
  private static func prepareMeta(
    _ store: any Store, _ request: DatabaseRequest, _ mending: inout DatabaseMending
  ) throws {
    let meta = DatabaseTable.meta.table
    let columns = JSONValue.object(
      JSONObject(
        request.tables.map { table in
          (table.name, JSONValue.array(table.columns.map { .string($0.name) }))
        }))
    let today = columns.jsonText
    let (layout, stored) = try store.read { snapshot in
      (
        try snapshot.get(meta, StorageKey.text("layout")),
        try snapshot.get(meta, StorageKey.text("columns"))
      )
    }
    if let layout, layout != Array("\(storageLayoutVersion)".utf8) {
      if let version = Int(String(decoding: layout, as: UTF8.self)), version > 0 {
        throw StoreError(
          .incompatible, database: request.name,
          message: "the database has layout \(version), this version reads "
            + "\(storageLayoutVersion); update the app")
      }
      mending.damaged(metaKey: "layout")
      return mending.dropAllRows(columns: today)
    }
    if layout != nil, stored == today { return }
    var written: [UTF8Key: RowLayout] = [:]
    if let stored {
      do {
        written = try layouts(stored, request.tables)
      } catch {
        if error == .unreadable { mending.damaged(metaKey: "columns") }
        return mending.dropAllRows(columns: today)
      }
    }
    try store.write { transaction in
      try transaction.put(
        meta, StorageKey.text("layout"), Array("\(storageLayoutVersion)".utf8))
      try transaction.put(meta, StorageKey.text("name"), Array(request.name.utf8))
      try transaction.put(meta, StorageKey.text("columns"), today)
      try rewriteRows(transaction, request.tables, written)
    }
  }

  /// Why stored rows cannot be brought into today's order of columns.
  private enum ColumnsError: Error {
    case unreadable
    /// The schema of the server is the same, but not the names that the client has for it.
    case renamed
  }

  /// By table, the columns with which rows were stored.
  private static func layouts(
    _ stored: [UInt8], _ tables: [TableDescriptor]
  ) throws(ColumnsError) -> [UTF8Key: RowLayout] {
    guard case .object(let members)? = try? JSONValue(parsing: stored) else { throw .unreadable }
    var layouts: [UTF8Key: RowLayout] = [:]
    for table in tables {
      guard let value = members[table.name] else { throw .renamed }
      guard case .array(let names) = value else { throw .unreadable }
      var columns: [ColumnDescriptor] = []
      for name in names {
        guard case .string(let name) = name else { throw .unreadable }
        guard let column = table.columns.first(where: { $0.name.utf8.elementsEqual(name.utf8) })
        else { throw .renamed }
        columns.append(column)
      }
      guard columns.count == table.columns.count else { throw .renamed }
      layouts[UTF8Key(table.name)] = RowLayout(
        table: table.name, columns: columns, primaryKey: table.primaryKey)
    }
    return layouts
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
        var rows: [(key: [UInt8], row: Row?)] = []
        try transaction.scan(DatabaseTable.rows.table, prefix: prefix) { key, value in
          rows.append((key.withUnsafeBytes { Array($0) }, StoredRow.decode(value, old)))
          return true
        }
        var builder = RowBuilder()
        for (key, row) in rows {
          // Unreadable in any order of columns: what its group holds is dropped when it is read.
          guard let row else {
            try transaction.put(DatabaseTable.rows.table, key, [])
            continue
          }
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
    _ snapshot: any StoreSnapshot, _ mending: inout DatabaseMending
  ) throws -> (clients: [String: ClientRecord], groups: [String: GroupRecord]) {
    var clients: [String: ClientRecord] = [:]
    try snapshot.scan(DatabaseTable.clients.table) { key, value in
      if let record = try? ClientRecord(stored: value) {
        clients[String(bytes: key)] = record
      } else {
        mending.removeClient(Array(bytes: key))
      }
      return true
    }
    var groups: [String: GroupRecord] = [:]
    try snapshot.scan(DatabaseTable.groups.table) { key, value in
      if let record = try? GroupRecord(stored: value) {
        groups[String(bytes: key)] = record
      } else {
        mending.replaceGroup(String(bytes: key))
      }
      return true
    }
    return (clients, groups)
  }

  private mutating func readGroup(
    _ snapshot: any StoreSnapshot, _ tables: [TableDescriptor], _ mending: inout DatabaseMending
  ) throws {
    try snapshot.scan(DatabaseTable.deleted.table) { key, _ in
      if let client = DeletedClient(key: String(bytes: key)) { deleted.append(client) }
      return true
    }
    let prefix = StorageKey.prefix(group: groupID)
    try snapshot.scan(DatabaseTable.lmids.table, prefix: prefix) { key, value in
      let client = String(bytes: key, from: prefix.count)
      if let id = value.lastMutationID {
        lastMutationIDs[client] = id
      } else {
        mending.removeLastMutationID(of: client, Array(bytes: key))
      }
      return true
    }
    try snapshot.scan(DatabaseTable.got.table, prefix: prefix) { key, _ in
      got.append(String(bytes: key, from: prefix.count))
      return true
    }
    try readMutations(snapshot, prefix, &mending)
    for table in tables { try rows.append(readRows(snapshot, table, &mending)) }
  }

  private mutating func readMutations(
    _ snapshot: any StoreSnapshot, _ prefix: [UInt8], _ mending: inout DatabaseMending
  ) throws {
    var unreadable: [UInt64: [UInt8]] = [:]
    try snapshot.scan(DatabaseTable.pending.table, prefix: prefix) { key, value in
      guard let sequence = key.sequence(from: prefix.count) else {
        mending.refuse(Array(bytes: value), at: .pending, Array(bytes: key))
        return true
      }
      if let mutation = try? PendingMutation(stored: value, sequence: sequence) {
        pending.append(mutation)
      } else {
        unreadable[sequence] = Array(bytes: value)
      }
      return true
    }
    try snapshot.scan(DatabaseTable.refused.table) { key, value in
      guard let sequence = key.sequence(from: 0) else {
        mending.refuse(Array(bytes: value), at: .refused, Array(bytes: key))
        return true
      }
      if let record = try? RefusedRecord(stored: value, sequence: sequence) {
        refused.append(record)
      } else {
        refused.append(RefusedRecord(unreadable: Array(bytes: value), sequence: sequence))
        mending.replaceRefused(refused[refused.count - 1])
      }
      return true
    }
    mendChain(unreadable, &mending)
    refused.append(contentsOf: mending.numberRefused(after: refused.last?.sequence ?? 0))
  }

  private mutating func mendChain(
    _ unreadable: [UInt64: [UInt8]], _ mending: inout DatabaseMending
  ) {
    let known = Dictionary(
      lastMutationIDs.map { (UTF8Key($0), $1) }, uniquingKeysWith: { first, _ in first })
    let unknown = mending.unreadableLastMutationIDs
    let chain = PendingChain(pending, unreadable: unreadable, after: known, unknown: unknown)
    pending = chain.mutations
    for (client, id) in chain.idsBeforeFirst where unknown.contains(client) {
      lastMutationIDs[client.string] = id
    }
    mending.mend(chain, lastMutationIDs: lastMutationIDs, groupID: groupID)
  }

  private func readRows(
    _ snapshot: any StoreSnapshot, _ table: TableDescriptor, _ mending: inout DatabaseMending
  ) throws -> [ContiguousArray<Row>] {
    let prefix = StorageKey.prefix(group: groupID, table: table.name)
    if let rows = try StoredRow.kept(snapshot, prefix: prefix, table.layout),
      rows.allSatisfy({ $0.hasKey(of: table) })
    {
      return [rows]
    }
    let decoding = RowDecoding(table)
    var batch = RecordBatch()
    try snapshot.scan(DatabaseTable.rows.table, prefix: prefix) { key, value in
      batch.append(key, value)
      if batch.isFull {
        decoding.add(batch)
        batch = RecordBatch()
      }
      return true
    }
    let decoded = decoding.finish(with: batch)
    for key in decoded.flatMap(\.unreadableKeys) { mending.dropRows(of: groupID, at: key) }
    return decoded.map(\.rows)
  }
}

extension String {
  fileprivate init(bytes: RawSpan, from start: Int = 0) {
    self = bytes.withUnsafeBytes { String(decoding: $0.dropFirst(start), as: UTF8.self) }
  }
}

extension [UInt8] {
  fileprivate init(bytes: RawSpan) { self = bytes.withUnsafeBytes { Array($0) } }
}

extension RawSpan {
  /// The last mutation ID that this value is; there is always a next one.
  fileprivate var lastMutationID: Int? {
    guard byteCount == 8, let id = Int(exactly: withUnsafeBytes { $0.integer(from: 0) }),
      id < Int.max
    else { return nil }
    return id
  }

  /// The number that orders records, from the eight bytes at `start`; one that can be counted on from.
  func sequence(from start: Int) -> UInt64? {
    guard byteCount == start + 8 else { return nil }
    let sequence = withUnsafeBytes { $0.integer(from: start) }
    return sequence < 1 << 62 ? sequence : nil
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func integer(from start: Int) -> UInt64 {
    UInt64(bigEndian: loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }
}
