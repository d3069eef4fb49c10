@_spi(Engine) import ZeroProtocol

/// What is to be written so that a database has no unreadable records any more.
struct DatabaseMending: Sendable {
  private(set) var damage: StorageDamage
  /// Groups whose record is unreadable.
  private(set) var unreadableGroups: [String] = []
  /// Clients of the group whose last mutation ID is unreadable.
  private(set) var unreadableLastMutationIDs: Set<UTF8Key> = []

  private var dropsAllRows = false
  private var groupsWithoutRows: Set<String> = []
  private var removed: [(table: DatabaseTable, key: [UInt8])] = []
  private var puts: [(table: DatabaseTable, key: [UInt8], value: [UInt8])] = []
  private var refused: [RefusedRecord] = []

  init(_ database: String) { damage = StorageDamage(database) }

  /// Whether the rows of a group go, and with them its cookie, so that the server sends all again.
  func dropsRows(of group: String) -> Bool { dropsAllRows || groupsWithoutRows.contains(group) }

  /// What says how all rows are to be read is unreadable.
  mutating func damaged(metaKey: String) {
    damage.note(.meta, StorageKey.text(metaKey), .resync)
  }

  /// Rows cannot be used as they were stored. In the transaction in which they go, the columns of those
  /// to come are noted.
  mutating func dropAllRows(columns: [UInt8]) {
    dropsAllRows = true
    puts.append(
      (.meta, StorageKey.text("layout"), Array("\(storageLayoutVersion)".utf8)))
    puts.append((.meta, StorageKey.text("columns"), columns))
  }

  /// A row of a group is unreadable.
  mutating func dropRows(of group: String, at key: [UInt8]) {
    damage.note(.rows, key, .resync)
    groupsWithoutRows.insert(group)
  }

  /// A group's record is unreadable: without a cookie, its rows are of no use.
  mutating func replaceGroup(_ group: String) {
    damage.note(.groups, StorageKey.text(group), .resync)
    unreadableGroups.append(group)
    groupsWithoutRows.insert(group)
  }

  /// An unreadable client; the group has other records of what is pending.
  mutating func removeClient(_ key: [UInt8]) {
    damage.note(.clients, key, .forget)
    removed.append((.clients, key))
  }

  /// An unreadable last mutation ID.
  mutating func removeLastMutationID(of client: String, _ key: [UInt8]) {
    damage.note(.lmids, key, .forget)
    unreadableLastMutationIDs.insert(UTF8Key(client))
    removed.append((.lmids, key))
  }

  /// A record of a mutation whose place cannot be told either.
  mutating func refuse(_ value: [UInt8], at table: DatabaseTable, _ key: [UInt8]) {
    damage.note(table, key, .refuse)
    removed.append((table, key))
    refused.append(RefusedRecord(unreadable: value, sequence: 0))
  }

  /// An unreadable record on the list of refused mutations.
  mutating func replaceRefused(_ record: RefusedRecord) {
    let key = StorageKey.integer(record.sequence)
    damage.note(.refused, key, .refuse)
    puts.append((.refused, key, record.stored))
  }

  /// The chain of pending mutations as it is from now on.
  mutating func mend(
    _ chain: PendingChain, lastMutationIDs: [String: Int], groupID: String
  ) {
    for sequence in chain.removed {
      let key = StorageKey.sequence(groupID, sequence)
      removed.append((.pending, key))
    }
    for mutation in chain.standIns {
      puts.append((.pending, StorageKey.sequence(groupID, mutation.sequence), mutation.stored))
    }
    for sequence in chain.damaged {
      damage.note(.pending, StorageKey.sequence(groupID, sequence), .refuse)
    }
    for (client, id) in lastMutationIDs
    where unreadableLastMutationIDs.contains(UTF8Key(client)) {
      puts.append(
        (.lmids, StorageKey.pair(groupID, client), StorageKey.integer(UInt64(clamping: id))))
    }
    refused.append(contentsOf: chain.refused)
  }

  /// Gives the mutations that are refused now their places behind the others.
  mutating func numberRefused(after last: UInt64) -> [RefusedRecord] {
    for place in refused.indices {
      refused[place].sequence = last + 1 + UInt64(place)
      puts.append(
        (.refused, StorageKey.integer(refused[place].sequence), refused[place].stored))
    }
    return refused
  }

  func write(
    _ transaction: any StoreTransaction, _ groups: [String: GroupRecord]
  ) throws {
    for (table, key) in removed { try transaction.delete(table.table, key) }
    for (table, key, value) in puts { try transaction.put(table.table, key, value) }
    for (id, group) in groups where dropsRows(of: id) {
      try DatabaseMending.deleteRows(of: id, transaction)
      try transaction.put(DatabaseTable.groups.table, StorageKey.text(id), group.stored)
    }
  }

  /// Deletes what the server sends again to a group without a cookie.
  static func deleteRows(of group: String, _ transaction: any StoreTransaction) throws {
    let prefix = StorageKey.prefix(group: group)
    try transaction.deletePrefix(DatabaseTable.rows.table, prefix)
    try transaction.deletePrefix(DatabaseTable.got.table, prefix)
  }
}
