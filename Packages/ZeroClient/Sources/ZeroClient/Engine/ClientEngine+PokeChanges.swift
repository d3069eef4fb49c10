@_spi(Engine) import ZeroProtocol

extension ClientEngine {
  /// Takes over what a poke brings: shows it, stores it, and settles what it confirms.
  func apply(_ poke: PokeContents) throws {
    guard sameCookie(poke.baseCookie, server.cookie) else {
      throw ZeroError.client(
        ClientError(
          .unexpectedBaseCookie, "Server returned unexpected base cookie during sync"))
    }
    for (client, id) in poke.lastMutationIDs {
      let known = server.lastMutationIDs[client] ?? 0
      if id < known {
        throw PokeError.goesBack("last mutation ID \(id) of \(client.string) after \(known)")
      }
    }
    hasExceededLimits = false
    let order = Cookie.compare(poke.cookie, server.cookie)
    if order < 0 { throw PokeError.goesBack("cookie \(poke.cookie) after \(server.cookie ?? "")") }
    if order == 0 {
      if !poke.isEmpty { log.error("a poke with changes does not change the cookie; ignored") }
    } else {
      try applyChanges(poke)
    }
    let own = poke.lastMutationIDs[UTF8Key(clientID)]
    // Listeners that the results of this poke woke run before the queries are complete, and those
    // before what the last mutation ID alone settles.
    afterMicrotasks(3) { [weak self] in
      guard let self else { return }
      queries.becomeAuthoritative()
      guard let own else { return }
      afterMicrotasks(2) { [weak self] in self?.advanceTracker(to: own) }
    }
  }

  /// Calls `body` that many microtasks later.
  func afterMicrotasks(_ count: Int, _ body: @escaping @MainActor () -> Void) {
    if count == 0 { return body() }
    loop.microtask { [weak self] in self?.afterMicrotasks(count - 1, body) }
  }

  // MARK: -

  private func sameCookie(_ a: String?, _ b: String?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }

  private func advanceTracker(to id: Int) {
    if !tracker.advance(to: id) {
      disconnect(
        .client(ClientError(.internal, "the last mutation ID went back to \(id)")))
    }
  }

  private func applyChanges(_ poke: PokeContents) throws {
    let (next, changes) = server.applying(poke, for: clientID)
    let patch = try rowPatch(poke)
    let remaining = pending.filter {
      $0.id > next.lastMutationIDs[UTF8Key($0.clientID)] ?? 0
    }
    var writes: WriteSet?
    if !remaining.isEmpty {
      let layer = rows.writesOnServer(after: patch)
      try replay(remaining, layer, next)
      writes = layer
    } else {
      failedPredictions = [:]
    }
    let confirmed = pending.filter { $0.id <= next.lastMutationIDs[UTF8Key($0.clientID)] ?? 0 }
    let newlyRefused = refusals(poke.results)
    let old = server
    server = next
    if remaining.count != pending.count { firstUnsent = 0 }
    pending = remaining
    store(poke, patch, from: old, confirmed, newlyRefused)
    defer {
      for (hash, isGot) in changes.got { queries.gotChanged(hash, isGot: isGot) }
      lifecycle?.pokeApplied(cookie: next.cookie)
    }
    try show(patch, writes)
    if !newlyRefused.isEmpty { refused.add(newlyRefused) }
    notifyPendingListeners()
    try watchResults(changes.ownResults)
  }

  private func show(_ patch: ClientRows.Patch, _ writes: WriteSet?) throws {
    let tables = rows.tablesToLoad(patch, writes)
    try showChange(detaching: !tables.isEmpty) {
      if tables.isEmpty {
        try rows.show(patch, writes)
      } else {
        try rows.load(tables, patch, writes)
      }
    }
  }

  /// The new states of rows that the poke brings, by table.
  private func rowPatch(_ poke: PokeContents) throws -> ClientRows.Patch {
    try options.schema.tables.indices.map { table in
      var operations = poke.rows[table]
      if poke.isCleared {
        operations = try rows.serverRows(of: table).map { .delete($0.row) } + operations
      }
      try checkKeys(operations, table)
      do throws(PrimaryKeyError) {
        return try TablePatch(operations) { [rows] key, keyRow in
          rows.serverRow(table, key, keyRow)
        }
      } catch {
        throw PokeError.badRow(table: options.schema.tables[table].name, error)
      }
    }
  }

  /// Refuses keys that are not of their columns' types: rows of two types have no order, neither here
  /// nor after a restart.
  private func checkKeys(_ operations: [RowOperation], _ table: Int) throws {
    let descriptor = options.schema.tables[table]
    for column in descriptor.layout.primaryKey {
      let type = descriptor.columns[column].type
      for operation in operations where !operation.keyRow.tag(column).fits(type) {
        throw PokeError.badRow(
          table: descriptor.name, KeyTypeError(column: descriptor.columns[column].name))
      }
    }
  }

  private func store(
    _ poke: PokeContents, _ patch: ClientRows.Patch, from old: ServerState,
    _ confirmed: [PendingMutation], _ refusals: [RefusedRecord]
  ) {
    guard writer != nil else { return }
    let (groupID, tables, maxKeyBytes) = (groupID, options.schema.tables, maxKeyBytes)
    let group = lifecycle?.group(withCookie: poke.cookie)
    lifecycle?.stored()
    write { transaction in
      if poke.isCleared {
        let prefix = StorageKey.prefix(group: groupID)
        try transaction.deletePrefix(DatabaseTable.rows.table, prefix)
        try transaction.deletePrefix(DatabaseTable.got.table, prefix)
      }
      for (table, changes) in zip(tables, patch) where !changes.isEmpty {
        let rows = StoredRowWriter(
          transaction, group: groupID, table: table.name, maxKeyBytes: maxKeyBytes)
        for entry in changes.entries { try rows.set(entry.row, key: entry.key) }
      }
      for operation in poke.got {
        let key = StorageKey.pair(groupID, operation.hash)
        // What is longer than any key is no hash of a client's.
        guard key.count <= maxKeyBytes else { continue }
        switch operation {
        case .put: try transaction.put(DatabaseTable.got.table, key, [])
        case .delete: try transaction.delete(DatabaseTable.got.table, key)
        }
      }
      for (client, id) in poke.lastMutationIDs {
        let key = StorageKey.pair(groupID, client.string)
        guard key.count <= maxKeyBytes else { continue }
        try transaction.put(
          DatabaseTable.lmids.table, key, StorageKey.integer(UInt64(clamping: id)))
      }
      for mutation in confirmed {
        try transaction.delete(
          DatabaseTable.pending.table, StorageKey.sequence(groupID, mutation.sequence))
      }
      for record in refusals {
        try transaction.put(
          DatabaseTable.refused.table, StorageKey.integer(record.sequence), record.stored)
      }
      if let group {
        try transaction.put(DatabaseTable.groups.table, StorageKey.text(groupID), group.stored)
      }
    }
  }
}

/// A primary key has a value of another type than its column.
private struct KeyTypeError: Error, CustomStringConvertible {
  let column: String
  var description: String { "the key column \"\(column)\" has a value of another type" }
}

extension Row.Tag {
  /// Whether a value of this kind may be in a column of the type; what no key can be is left to others.
  fileprivate func fits(_ type: ColumnType) -> Bool {
    switch self {
    case .absent, .null, .json: true
    case .false, .true: type == .boolean
    case .integer, .double: type == .number
    case .string: type == .string
    }
  }
}
