import ZeroProtocol

extension ClientGroup {
  /// What keeps the group's clients from working with the database; nil if nothing does.
  private var schemaProblems: String? {
    clientSchema.flatMap { database.schema.problems(of: $0, hiding: database.hidden) }
  }

  /// The database looks different now: clients that do not fit it any more are told.
  func schemaChanged(at now: Double) -> [GroupEffect] {
    entry(at: now) {
      guard let problems = schemaProblems else { return }
      for id in readyConnections {
        fail(id, GroupError(kind: "SchemaVersionNotSupported", message: problems))
      }
    }
  }

  func handle(_ request: GroupRequest, from id: ConnectionID) throws(GroupError) {
    guard let connection = connections[id] else { return }
    switch request {
    case .initialize(let initialization): try initialize(connection, initialization)
    case .changeDesiredQueries(let changes):
      guard connection.phase == .ready else { return }
      try configure(connection, changes)
      bringUpToDate(asking: untransformed, for: id)
    case .updateAuth(let token):
      guard connection.phase == .ready else { return }
      try updateAuth(connection, token)
    case .deleteClients(let clients):
      guard connection.phase == .ready else { return }
      guard !clients.contains(connection.clientID) else {
        throw GroupError(kind: "Internal", message: "a client cannot delete itself")
      }
      try configure(connection, [], deleting: clients)
      bringUpToDate(asking: [], for: id)
    }
  }

  // MARK: -

  private func initialize(
    _ connection: GroupConnection, _ initialization: GroupRequest.Initialization
  ) throws(GroupError) {
    guard connection.phase == .connected else {
      throw GroupError(kind: "Internal", message: "Connection was already initialized")
    }
    guard !isPurged else { throw .clientNotFound }
    var connection = connection
    if let text = connection.baseCookie {
      guard let cookie = GroupVersion(cookie: text) else {
        throw GroupError(kind: "Internal", message: "Invalid LexiVersion: \(text)")
      }
      connection.cookie = cookie
    }
    if let cookie = connection.cookie, cookie > version {
      guard version > .initial else { throw .clientNotFound }
      throw GroupError(
        kind: "InvalidConnectionRequestBaseCookie",
        message: "CVR is at version \(version.cookie)")
    }
    guard clientSchema != nil || initialization.clientSchema != nil else {
      throw GroupError(
        kind: "InvalidConnectionRequest",
        message: "The initConnection message for a new client group must include client schema.")
    }
    connection.phase = .initializing
    connection.queryEndpoint = initialization.queryEndpoint
    connection.pushEndpoint = initialization.pushEndpoint
    connections[connection.id] = connection
    let id = connection.id
    let request = TransformCall(
      caller: connection.caller(of: self.id, connection.queryEndpoint), queries: [])
    ask(request) { [unowned self] outcome in
      guard let connection = connections[id] else { return }
      do throws(GroupError) {
        try accept(connection, initialization, outcome)
      } catch {
        fail(id, error)
      }
    }
  }

  /// The backend has answered whose token it is.
  private func accept(
    _ connection: GroupConnection, _ initialization: GroupRequest.Initialization,
    _ outcome: TransformOutcome
  ) throws(GroupError) {
    switch outcome {
    case .failed(let failure): throw .transformFailed(failure, queries: [])
    case .answered(let user, _):
      guard user.accepts(connection.userID) else { throw .unauthorizedUser }
    }
    if owner == .undecided { owner = .user(connection.userID) }
    if let sent = initialization.clientSchema {
      if let stored = clientSchema, stored.jsonValue != sent.jsonValue {
        throw GroupError(
          kind: "InvalidConnectionRequest",
          message: "Provided schema does not match previous schema")
      }
      clientSchema = sent
    }
    if let problems = schemaProblems {
      effects.append(
        .beginPoke(
          connection.id,
          Poke(base: connection.cookie, cookie: version.nextStep, patches: PokePatches())))
      throw GroupError(kind: "SchemaVersionNotSupported", message: problems)
    }
    connections[connection.id]?.phase = .ready
    try configure(
      connection, initialization.desired, active: initialization.activeClients,
      deleting: initialization.deleted)
    bringUpToDate(asking: named, for: connection.id)
  }

  private func updateAuth(
    _ connection: GroupConnection, _ token: String
  ) throws(GroupError) {
    guard token != connection.token ?? "" else { return }
    guard !token.isEmpty else {
      throw GroupError(kind: "Unauthorized", message: "The token of a connection was removed.")
    }
    connections[connection.id]?.token = token
    bringUpToDate(asking: named, for: connection.id, validating: true)
  }

  /// Applies a client's wishes and tells all who are up to date of them.
  private func configure(
    _ connection: GroupConnection, _ changes: [DesiredQueryChange], active: [String]? = nil,
    deleting: [String] = []
  ) throws(GroupError) {
    let next = version.nextStep
    let clockTime = clock.read(at: now)
    let client = connection.clientID
    var patches = PokePatches()
    var hasChanged = querySet.register(client: client)
    for change in changes {
      switch change {
      case .put(let hash, let definition, let ttl):
        if try querySet.want(hash, definition, ttl: ttl, client: client, at: next) {
          patches.addDesired(.put(hash), of: client)
        }
      case .delete(let hash):
        if querySet.release(hash, client: client, clock: clockTime, at: next) {
          patches.addDesired(.delete(hash), of: client)
        }
      case .clear:
        for hash in querySet.wanted(by: client)
        where querySet.release(hash, client: client, clock: clockTime, ttl: 0, at: next) {
          patches.addDesired(.delete(hash), of: client)
        }
      }
    }
    let dropped = active.map { active in querySet.clients.filter { !active.contains($0) } } ?? []
    var deleted: [String] = []
    for gone in dropped + deleting where querySet.knows(client: gone) || deleting.contains(gone) {
      guard !deleted.contains(gone) else { continue }
      deleted.append(gone)
      hasChanged = querySet.knows(client: gone) || hasChanged
      for hash in querySet.remove(client: gone, clock: clockTime, at: next) {
        patches.addDesired(.delete(hash), of: gone)
      }
    }
    if hasChanged || !patches.isEmpty {
      let old = version
      version = next
      poke(patches, from: old)
    }
    if !deleting.isEmpty {
      for id in readyConnections { effects.append(.send(id, .deleteClients(deleted))) }
    }
    if !deleted.isEmpty { requestCleanup(of: deleted, for: connection) }
  }
}
