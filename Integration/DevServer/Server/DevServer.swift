public import ZeroProtocol

/// A sync server for development, tests and demos: it speaks the protocol of zero-cache to any
/// client, over tables in memory.
///
/// It knows no sockets: hand it each upgraded connection and its messages. One process, one isolation,
/// no claim to scale; not for production.
@MainActor public final class DevServer {
  /// The version of zero-cache whose behaviour is reproduced.
  public static let referenceVersion = "1.10.0"

  let scheduler: any Scheduler
  let database: Database
  let engine: any QueryEngine
  let encoder: PokeEncoder
  let backend: any Backend
  /// The registry's backend, if queries and mutators are in Swift.
  let registryBackend: RegistryBackend?
  /// What goes wrong next.
  public var faults = Faults() {
    didSet { applyPauses() }
  }

  var groups: [String: ClientGroup] = [:]
  var connections: [ConnectionID: ServerConnection] = [:]
  private var connectionCount = 0
  private var queue: [(group: ClientGroup, effect: GroupEffect)] = []
  private var isDraining = false
  private var expiryTimers: [String: any SchedulerTimer] = [:]
  private var keepAlive: (any SchedulerTimer)?
  private var store: ServerStore?
  /// Hears once that a write to the store failed; nothing is kept from then on.
  public var onStoreFailure: (any Error) -> Void = { _ in }

  /// - Parameters:
  ///   - schema: the tables.
  ///   - engine: runs queries on them; the incremental engine unless told otherwise.
  ///   - registry: the named queries and mutators.
  ///   - tokens: who may use them.
  public convenience init(
    schema: DatabaseSchema, engine: (any QueryEngine)? = nil, registry: ServerRegistry,
    tokens: TokenList = TokenList(), scheduler: any Scheduler
  ) {
    let database = Database(schema: schema)
    let backend = RegistryBackend(registry, database: database, tokens: tokens)
    self.init(database, engine, backend, registryBackend: backend, scheduler)
    backend.onCommit = { [unowned self] in publish($0) }
  }

  /// - Parameters:
  ///   - schema: the tables.
  ///   - backend: transforms queries and runs mutations, usually an API server over HTTP.
  public convenience init(
    schema: DatabaseSchema, backend: any Backend, scheduler: any Scheduler
  ) {
    self.init(Database(schema: schema), nil, backend, registryBackend: nil, scheduler)
  }

  private init(
    _ database: Database, _ engine: (any QueryEngine)?, _ backend: any Backend,
    registryBackend: RegistryBackend?, _ scheduler: any Scheduler
  ) {
    self.scheduler = scheduler
    self.engine = engine ?? IVMEngine(schema: database.schema.server)
    self.database = database
    encoder = PokeEncoder(schema: database.schema)
    self.registryBackend = registryBackend
    self.backend = backend
    startKeepAlive()
  }

  /// Stops the timers. Connections are closed without an error, as a server that shuts down does.
  public func shutDown() {
    keepAlive?.cancel()
    for timer in expiryTimers.values { timer.cancel() }
    for connection in connections.values { connection.close() }
    store?.close()
    store = nil
  }

  /// Keeps tables and client groups in a store from now on, after taking over what is in it.
  ///
  /// Call it before the first client and before ``load(_:)``.
  /// - Parameter provider: where the store is.
  /// - Returns: whether the store had anything.
  /// - Throws: `StoreError`, or what is wrong with a record.
  public func keep(in provider: any StoreProvider) throws -> Bool {
    let store = ServerStore(try provider.open("zero-dev-server", tables: ServerStore.tables))
    let isEmpty = try store.isEmpty()
    if !isEmpty {
      for group in try store.restore(database, engine: engine) { groups[group.id] = group }
    }
    self.store = store
    return !isEmpty
  }

  /// Adds rows without telling anyone, as before the first client.
  /// - Parameter tables: rows by server names.
  /// - Throws: ``DatabaseError``; then none of them was added.
  public func load(_ tables: [(name: String, rows: [JSONObject])]) throws {
    try write { transaction in
      for (name, rows) in tables {
        let table = try transaction.database.schema.table(name)
        for row in rows { try transaction.insert(table, row, names: .server) }
      }
    }
  }

  /// Takes a new connection in. Its events go to what is returned.
  public func open(_ request: UpgradeRequest, _ socket: any DevServerSocket) -> ServerConnection {
    connectionCount += 1
    let id = ConnectionID(number: connectionCount)
    do throws(ConnectParameters.Failure) {
      let parameters = try ConnectParameters(
        target: request.target, subprotocol: request["Sec-WebSocket-Protocol"])
      let connection = ServerConnection(
        id: id, server: self, socket: socket, parameters: parameters)
      connections[id] = connection
      connection.setPaused(faults.isPaused(parameters.clientID))
      admit(connection, parameters, request)
      return connection
    } catch {
      let connection = ServerConnection(id: id, server: self, socket: socket, parameters: nil)
      connection.close(code: 1002, reason: error.reason)
      return connection
    }
  }

  // MARK: -

  /// Runs a transaction and tells all groups of it.
  @discardableResult
  func write<Result>(_ body: (DatabaseTransaction) throws -> Result) throws -> Result {
    let (result, commit) = try database.write(body)
    if let commit { publish(commit) }
    return result
  }

  func publish(_ commit: Commit) {
    do {
      try engine.apply(commit.rows)
    } catch {
      let failure = GroupError(kind: "Internal", message: "the query engine failed: \(error)")
      for connection in connections.values { fail(connection, failure) }
      return
    }
    let effects = groups.values.sorted { $0.id < $1.id }.map { group in
      (group, group.committed(commit, at: scheduler.monotonicTime))
    }
    save(commit, groups.values)
    for (group, effects) in effects { perform(effects, of: group) }
  }

  /// Writes down what clients are about to be told.
  private func save(_ commit: Commit?, _ groups: some Sequence<ClientGroup>) {
    guard let store else { return }
    do {
      try store.save(commit, database, groups: groups)
    } catch {
      self.store = nil
      onStoreFailure(error)
    }
  }

  func perform(_ effects: [GroupEffect], of group: ClientGroup) {
    save(nil, CollectionOfOne(group))
    queue += effects.map { (group, $0) }
    drain()
    armExpiry(of: group)
  }

  func fail(_ connection: ServerConnection, _ error: GroupError) {
    connection.send(.array([.string("error"), error.body]))
    connection.close(
      code: error.closeCode, reason: error.closeCode == nil ? "" : error.message)
    forget(connection)
  }

  func closed(_ connection: ServerConnection) { forget(connection) }

  private func forget(_ connection: ServerConnection) {
    connections[connection.id] = nil
    guard let id = connection.parameters?.clientGroupID, let group = groups[id] else { return }
    perform(group.disconnected(connection.id, at: scheduler.monotonicTime), of: group)
    guard group.connections.isEmpty else { return }
    _ = scheduler.after(.seconds(5)) { [weak group] in
      guard let group, group.connections.isEmpty else { return }
      group.unload()
    }
  }

  private func drain() {
    guard !isDraining else { return }
    isDraining = true
    defer { isDraining = false }
    while !queue.isEmpty {
      let batch = queue
      queue.removeAll()
      for (group, effect) in batch { perform(effect, of: group) }
    }
  }

  private func perform(_ effect: GroupEffect, of group: ClientGroup) {
    switch effect {
    case .send(let id, let message): connections[id]?.send(message.json)
    case .poke(let id, let poke): if let connection = connections[id] { send(poke, to: connection) }
    case .beginPoke(let id, let poke): connections[id]?.send(encoder.start(poke))
    case .fail(let id, let error): if let connection = connections[id] { fail(connection, error) }
    case .close(let id):
      connections[id]?.close()
      connections[id] = nil
    case .transform(let number, let call):
      backend.transform(call) { [weak self, weak group] outcome in
        guard let self, let group else { return }
        perform(
          group.transformAnswered(number, outcome, at: scheduler.monotonicTime), of: group)
      }
    case .mutate(let number, let call):
      backend.mutate(call) { [weak self, weak group] outcome in
        guard let self, let group else { return }
        perform(group.mutateAnswered(number, outcome, at: scheduler.monotonicTime), of: group)
      }
    }
  }

  private func armExpiry(of group: ClientGroup) {
    expiryTimers.removeValue(forKey: group.id)?.cancel()
    let now = scheduler.monotonicTime
    guard let expiry = group.nextExpiry(at: now) else { return }
    // The slack lets neighbours expire together.
    expiryTimers[group.id] = scheduler.after(.milliseconds(expiry - now + 50)) {
      [weak self, weak group] in
      guard let self, let group else { return }
      perform(group.expire(at: scheduler.monotonicTime), of: group)
    }
  }

  /// A client whose pings are stuck still sees that the server lives.
  private func startKeepAlive() {
    keepAlive = scheduler.every(.seconds(3)) { [weak self] in
      guard let self else { return }
      for connection in connections.values
      where scheduler.monotonicTime - connection.outbox.lastSentAt > 6000 {
        connection.outbox.send(ahead: .text(ServerMessage.pong.json.jsonText))
      }
    }
  }

  private func applyPauses() {
    for connection in connections.values {
      connection.setPaused(faults.isPaused(connection.clientID))
    }
  }
}
