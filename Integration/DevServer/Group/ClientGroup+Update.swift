import ZeroProtocol

extension ClientGroup {
  /// Connections that take part in pokes, oldest first.
  var readyConnections: [ConnectionID] {
    connections.values.filter { $0.phase == .ready }.map(\.id).sorted { $0.number < $1.number }
  }

  /// Hashes of the named queries.
  var named: [String] {
    querySet.order.filter { hash in
      if case .named = querySet.queries[hash]?.definition { true } else { false }
    }
  }

  /// Hashes of the named queries that were not asked about yet.
  var untransformed: [String] {
    named.filter { querySet.queries[$0]?.transformationHash == nil }
  }

  /// Asks the backend about queries and brings the group's rows up to date with its answer, with
  /// what has expired and with what the connections missed.
  /// - Parameters:
  ///   - asker: the connection on whose behalf it happens; it is failed when the backend fails.
  ///   - validating: whether to ask even about no query.
  func bringUpToDate(asking hashes: [String], for asker: ConnectionID?, validating: Bool = false) {
    let queries = hashes.compactMap { hash -> TransformCall.Query? in
      guard case .named(let name, let arguments) = querySet.queries[hash]?.definition else {
        return nil
      }
      return TransformCall.Query(id: hash, name: name, arguments: arguments)
    }
    guard let asker, let connection = connections[asker], validating || !queries.isEmpty else {
      update(with: [], for: asker)
      return
    }
    let request = TransformCall(
      caller: connection.caller(of: id, connection.queryEndpoint), queries: queries)
    ask(request) { [unowned self] outcome in
      guard let connection = connections[asker] else { return update(with: [], for: nil) }
      switch outcome {
      case .failed(let failure):
        fail(asker, .transformFailed(failure, queries: queries.map(\.id)))
      case .answered(let user, _) where !user.accepts(connection.userID):
        fail(asker, .unauthorizedUser)
      case .answered(_, let transformed): update(with: transformed, for: asker)
      }
    }
  }

  /// A transaction of the database, which the engine has taken in.
  func committed(_ commit: Commit, at now: Double) -> [GroupEffect] {
    entry(at: now) {
      guard isHydrated else { return }
      let next = GroupVersion(commit: commit.version)
      var patches = PokePatches()
      for hash in querySet.order { takeChanges(of: hash) }
      for change in commit.rows {
        guard let table = try? database.schema.table(change.table).ordinal else { continue }
        switch change.kind {
        case .insert(let row), .update(_, let row), .delete(let row):
          ledger.edit(RowKey(row, table: table))
        }
      }
      patches.rows = ledger.settle(database) { next }
      for (client, id) in commit.lastMutationIDs where client.group == self.id {
        lastMutationIDs[client.client] = (id, next)
        patches.lastMutationIDs.removeAll { $0.clientID == client.client }
        patches.lastMutationIDs.append((client.client, id))
      }
      for (client, id, result) in commit.results where client.group == self.id {
        results[ResultKey(clientID: client.client, mutationID: id)] = (result, next)
        patches.results.append(
          .init(clientID: client.client, mutationID: id, result: result))
      }
      guard !patches.isEmpty else { return }
      let old = version
      version = next
      poke(patches, from: old)
    }
  }

  /// Sends a poke to the connections that have everything up to `old`.
  func poke(_ patches: PokePatches, from old: GroupVersion) {
    for id in readyConnections {
      guard let connection = connections[id], connection.cookie ?? .initial == old else { continue }
      send(patches, to: connection)
    }
  }

  // MARK: -

  private func send(_ patches: PokePatches, to connection: GroupConnection) {
    effects.append(
      .poke(connection.id, Poke(base: connection.cookie, cookie: version, patches: patches)))
    connections[connection.id]?.cookie = version
    connections[connection.id]?.wasPoked = true
  }

  /// Takes in what the backend said, and what has expired.
  private func update(with transformed: [TransformedQuery], for asker: ConnectionID?) {
    // Without the queries of a connection nothing is known of the rows of a group that was put away.
    guard isHydrated || asker != nil else { return }
    let old = version
    let next = version.advanced(to: database.version)
    var patches = PokePatches()
    if !isHydrated {
      ledger.dropReferences()
      collectClients(into: &patches, at: next)
    }
    refuse(transformed, into: &patches, at: next)
    for hash in querySet.expired(clock: clock.read(at: now)) {
      drop(hash, into: &patches, at: next)
    }
    do throws(GroupError) {
      for query in transformed {
        if case .query(let hash, let ast) = query {
          try run(hash, ast, into: &patches, at: next)
        }
      }
      for hash in querySet.order {
        guard case .ast(let query) = querySet.queries[hash]?.definition,
          querySet.queries[hash]?.pipeline == nil
        else { continue }
        try run(hash, query, into: &patches, at: next)
      }
    } catch {
      if let asker { fail(asker, error) }
    }
    isHydrated = true
    patches.rows = ledger.settle(database) { next }
    if !patches.isEmpty {
      version = next
      poke(patches, from: old)
    }
    catchUp()
  }

  /// Brings the connections that are behind to the group's version, and gives those that have not
  /// been poked yet the empty poke they wait for.
  private func catchUp() {
    for id in readyConnections {
      guard let connection = connections[id] else { continue }
      let cookie = connection.cookie ?? .initial
      if cookie < version {
        var patches = querySet.changes(after: cookie)
        patches.rows = ledger.changes(after: cookie, database)
        for (client, known) in lastMutationIDs.sorted(by: { $0.key < $1.key })
        where known.version > cookie {
          patches.lastMutationIDs.append((client, known.id))
        }
        for (key, known) in results
        where known.version > cookie && (known.result != nil || cookie > .initial) {
          patches.results.append(
            .init(clientID: key.clientID, mutationID: key.mutationID, result: known.result))
        }
        send(patches, to: connection)
      } else if !connection.wasPoked {
        send(PokePatches(), to: connection)
      }
    }
  }

  /// Takes over the mutation IDs and results that the database has of the group's clients.
  private func collectClients(into patches: inout PokePatches, at version: GroupVersion) {
    for (client, id) in database.lastMutationIDs
    where client.group == self.id && lastMutationIDs[client.client]?.id != id {
      lastMutationIDs[client.client] = (id, version)
      patches.lastMutationIDs.append((client.client, id))
    }
    for (client, known) in database.results where client.group == self.id {
      for (id, result) in known {
        let key = ResultKey(clientID: client.client, mutationID: id)
        guard results[key]?.result == nil else { continue }
        results[key] = (result, version)
        patches.results.append(.init(clientID: client.client, mutationID: id, result: result))
      }
    }
    for (key, known) in results where known.result != nil {
      let client = ClientKey(group: id, client: key.clientID)
      guard database.results[client]?[key.mutationID] == nil else { continue }
      results[key] = (nil, version)
      patches.results.append(
        .init(clientID: key.clientID, mutationID: key.mutationID, result: nil))
    }
  }

  /// Tells the clients that know them of the queries the backend refused, and drops those.
  private func refuse(
    _ transformed: [TransformedQuery], into patches: inout PokePatches, at version: GroupVersion
  ) {
    var refusals: [String: JSONObject] = [:]
    for case .refused(let hash, let refusal) in transformed { refusals[hash] = refusal }
    guard !refusals.isEmpty else { return }
    for id in readyConnections {
      guard let client = connections[id]?.clientID else { continue }
      let errors = querySet.order.filter {
        querySet.queries[$0]?.desires[client] != nil
      }.compactMap { refusals[$0] }
      if !errors.isEmpty { effects.append(.send(id, .transformError(errors))) }
    }
    for hash in querySet.order where refusals[hash] != nil {
      drop(hash, into: &patches, at: version)
    }
  }

  private func drop(_ hash: String, into patches: inout PokePatches, at version: GroupVersion) {
    release(hash)
    querySet.forget(hash, at: version)
    patches.got.append(.delete(hash))
  }

  /// Runs a query unless it is running as it is.
  private func run(
    _ hash: String, _ query: AST, into patches: inout PokePatches, at version: GroupVersion
  ) throws(GroupError) {
    guard let record = querySet.queries[hash] else { return }
    do {
      let normalized = try query.normalized()
      let transformationHash = TextHash.base36(utf8: normalized.jsonText)
      guard record.pipeline == nil || record.transformationHash != transformationHash else {
        return
      }
      release(hash)
      let pipeline = try engine.makePipeline(normalized)
      querySet.queries[hash]?.pipeline = pipeline
      querySet.queries[hash]?.transformationHash = transformationHash
      try forEachRow(of: pipeline) { ledger.reference($0, by: 1) }
    } catch {
      throw GroupError(kind: "Internal", message: "query \(hash) cannot be run: \(error)")
    }
    if record.gotVersion == nil {
      querySet.complete(hash, at: version)
      patches.got.append(.put(hash))
    }
  }

  /// Stops a query and lets go of its rows.
  private func release(_ hash: String) {
    guard let pipeline = querySet.queries[hash]?.pipeline else { return }
    querySet.queries[hash]?.pipeline = nil
    try? forEachRow(of: pipeline) { ledger.reference($0, by: -1) }
    pipeline.destroy()
  }

  private func forEachRow(
    of pipeline: any QueryPipeline, _ body: (RowKey) -> Void
  ) throws {
    try pipeline.forEachRow { table, row in
      guard let ordinal = try? database.schema.table(table).ordinal else { return }
      body(RowKey(row, table: ordinal))
    }
  }

  private func takeChanges(of hash: String) {
    guard let changes = querySet.queries[hash]?.pipeline?.takeChanges() else { return }
    for change in changes {
      guard let table = try? database.schema.table(change.table).ordinal else { continue }
      ledger.reference(RowKey(change.row, table: table), by: change.isAdded ? 1 : -1)
    }
  }
}
