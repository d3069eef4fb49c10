@_spi(Engine) import ZeroProtocol

extension ClientEngine {
  func receive(_ start: PokeStart) {
    do throws(PokeError) { try receiver.receive(start) } catch { pokeFailed(error) }
  }

  /// A text message with a part of a poke.
  /// - Throws: ``JSONError`` if it is none.
  func receive(part text: [UInt8]) throws(JSONError) {
    do throws(PokeError) {
      try receiver.admit(text.count)
      switch try receiver.takeLarge(part: text) {
      case .isNot: break
      case .waits: return
      case .decode(let parts): return decode(parts)
      }
    } catch {
      return pokeFailed(error)
    }
    guard let part = try receiver.part(inMessage: text) else { return }
    do throws(PokeError) {
      if let own = try receiver.receive(part) { receivedLastMutationID = own }
    } catch {
      pokeFailed(error)
    }
  }

  func receive(chunk frame: [UInt8]) {
    do throws(PokeError) {
      try receiver.admit(frame.count)
      try receiver.receive(chunk: frame)
    } catch {
      pokeFailed(error)
    }
  }

  func receive(_ end: PokeEnd) {
    do throws(PokeError) {
      if let large = try receiver.takeLarge(end) { return decode(large) }
      pokeCompleted(try receiver.receive(end))
    } catch {
      pokeFailed(error)
    }
  }

  /// Storage is open: pokes that came before can be applied.
  func resumePokes() { startPlayingPokes() }

  // MARK: -

  /// Decodes a large poke in the background. Messages that come meanwhile are handled as they come;
  /// pokes behind it wait in the receiver.
  private func decode(_ large: PokeDecoding) {
    environment.executor.run {
      large.run()
    } completion: { [weak self, loop] result in
      loop.dispatch {
        guard let self, !self.manager.isClosed else { return }
        do throws(PokeError) {
          self.pokeCompleted(try self.receiver.receive(large.ticket, result))
        } catch {
          self.pokeFailed(error)
        }
      }
    }
  }

  /// Decodes parts of a large poke in the background; what follows them in the poke waits.
  private func decode(_ parts: PokePartsDecoding) {
    environment.executor.run {
      parts.run()
    } completion: { [weak self, loop] result in
      loop.dispatch { self?.partsDecoded(parts.ticket, result) }
    }
  }

  private func partsDecoded(
    _ ticket: Int, _ result: Result<PokeContents, PokePartsDecoding.Failure>
  ) {
    guard !manager.isClosed else { return }
    switch result {
    case .success(let parts):
      // Counts also if the poke was cancelled or lost meanwhile.
      if let own = parts.lastMutationIDs[UTF8Key(clientID)] {
        receivedLastMutationID = max(receivedLastMutationID, own)
      }
      let (completed, next) = receiver.receiveParts(ticket, parts)
      if let next { decode(next) }
      pokeCompleted(completed)
    case .failure(let failure):
      guard receiver.awaitsParts(ticket) else { return }
      switch failure {
      case .message(let error): refuseMessage(error)
      case .poke(let error): pokeFailed(error)
      }
    }
  }

  private func pokeCompleted(_ completed: PokeReceiver.Completed?) {
    guard let completed else { return }
    if let own = completed.ownLastMutationID {
      receivedLastMutationID = max(receivedLastMutationID, own)
    }
    startPlayingPokes()
  }

  /// Applies complete pokes from a timer, so that those that arrive together become one change.
  private func startPlayingPokes() {
    guard !isPlayingPokes else { return }
    isPlayingPokes = true
    armPlayback()
  }

  private func armPlayback() {
    _ = scheduler.after(.zero) { [weak self] in
      guard let self else { return }
      loop.dispatch { self.playPokes() }
    }
  }

  private func playPokes() {
    guard receiver.hasCompleted, isOpen else {
      isPlayingPokes = false
      return
    }
    armPlayback()
    do {
      if let poke = try receiver.takeCompleted() { try apply(poke) }
    } catch {
      pokeFailed(error)
    }
  }

  private func pokeFailed(_ error: any Error) {
    receiver.reset()
    if manager.isDisconnected { return }
    if case .client(let error) = error as? ZeroError, error.kind == .unexpectedBaseCookie {
      log.info("a poke does not start from the client's cookie; connecting anew")
      return disconnect(.client(error))
    }
    log.error("a poke cannot be applied: \(error)")
    if case PokeError.tooMuch(let what) = error, !hasExceededLimits {
      // Once it may be a server that lost its way; the next connection then does better.
      hasExceededLimits = true
      return disconnect(
        .client(ClientError(.abruptClose, "Poke too large: \(what)", cause: error)))
    }
    disconnect(.client(ClientError(.internal, "Poke processing error: \(error)", cause: error)))
  }

  private func apply(_ poke: PokeContents) throws {
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

  private func sameCookie(_ a: String?, _ b: String?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): a.utf8.elementsEqual(b.utf8)
    default: false
    }
  }

  /// Calls `body` that many microtasks later.
  func afterMicrotasks(_ count: Int, _ body: @escaping @MainActor () -> Void) {
    if count == 0 { return body() }
    loop.microtask { [weak self] in self?.afterMicrotasks(count - 1, body) }
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

  /// Results of own mutations: outcomes, and the acknowledgement.
  private func watchResults(_ changes: [ServerState.ResultChange]) throws {
    guard !changes.isEmpty else { return }
    var highest = 0
    for change in changes {
      switch change {
      case .added(let response):
        highest = max(highest, Int(exactly: response.id.id) ?? 0)
        try settle(response)
      case .removed(let id): highest = max(highest, id)
      case .changed(let id):
        throw PokeError.unexpected("the result of mutation \(id) changed")
      }
    }
    sendIfConnected(
      .ackMutationResponses(AckMutationResponses(clientID: clientID, id: Double(highest))))
  }

  /// Settles the outcome that a result is about.
  func settle(_ response: MutationResponse) throws {
    guard response.id.clientID.utf8.elementsEqual(clientID.utf8) else {
      throw ClientError(.internal, "received mutation for the wrong client")
    }
    let id = Int(exactly: response.id.id) ?? 0
    switch response.result {
    case .success, .alreadyProcessed: tracker.settle(mutationID: id, .success)
    case .appError(let message, let details):
      let error = ApplicationError(message ?? "Unknown application error: app", details: details)
      log.error("mutation \(id) failed on the server: \(error)")
      tracker.settle(mutationID: id, .applicationError(error))
    case .outOfOrder:
      let error = ZeroError.server(
        ServerError(
          .invalidPush, message: "Server reported an out-of-order mutation", origin: .zeroCache))
      tracker.settle(mutationID: id, .zeroError(error))
      disconnect(error)
    case .unrecognized(let object):
      throw ClientError(
        .internal,
        "the result of mutation \(id) has no known form; its members are "
          + object.members.map(\.key).joined(separator: ", "))
    }
  }

  private func refusals(_ results: [PokeContents.ResultOperation]) -> [RefusedRecord] {
    var records: [RefusedRecord] = []
    lazy var known = Set(refused.records.map(RefusedKey.init))
    // Made when the first is looked up: most pokes refuse nothing.
    lazy var places = Dictionary(
      pending.enumerated().map { (MutationID(id: Double($1.id), clientID: $1.clientID), $0) },
      uniquingKeysWith: { first, _ in first })
    for case .put(let response) in results {
      guard case .appError(let message, let details) = response.result,
        let place = places[response.id]
      else { continue }
      let mutation = pending[place]
      // What it stands in for is on the list.
      if mutation.name.utf8.elementsEqual(PendingChain.standInName.utf8) { continue }
      guard known.insert(RefusedKey(mutation)).inserted else { continue }
      records.append(
        refused.record(
          mutation, .applicationError, message: message ?? "Unknown application error: app",
          details: details))
    }
    return records
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
