@_spi(Engine) import ZeroProtocol

/// A client of zero-cache without types: what ``Zero`` is made of.
///
/// Everything happens on the main actor, inside turns of an event loop; storage and sockets work
/// elsewhere and report back as turns of their own. The parts: a run loop that connects, a query
/// manager, a receiver of pokes, the rows with what mutators predict over them, a tracker of outcomes,
/// and a writer that stores every change in the background.
@_spi(Engine) @MainActor public final class ClientEngine {
  public let clientID: String
  public let databaseName: String
  public let baseName: String
  public let schemaVersion: String
  public let options: EngineOptions
  let serverURL: ServerURL?
  /// Known once storage is open.
  public let clientGroupID: Deferred<String>
  /// A new value is used when a ping or the wait for its answer begins the next time.
  public var pingTimeout: Duration

  let environment: EngineEnvironment
  let loop: EventLoop
  let scheduler: any Scheduler
  let manager: ConnectionManager
  let tracker: MutationTracker
  let rows: ClientRows
  let visibility: Visibility
  let clientSchema: ClientSchema
  let log: Log
  private(set) lazy var queries = makeQueryManager()
  private(set) lazy var runLoop = RunLoop(
    host: self, manager: manager, scheduler: scheduler, loop: loop)

  /// Listeners of the app to the connection's state.
  var stateListeners = ListenerList<ConnectionState>()
  var isOnline = false
  /// Why mutations are refused; nil while they are accepted.
  var gate: ZeroError?

  // Connection.
  var auth: String
  var attempt: Attempt?
  var session: SocketSession?
  var reconnectParameters: NamedValues<String>?
  /// Whether pushes may go out.
  var isReady = false
  /// By client ID, the highest mutation ID sent on this connection.
  var sentMutationIDs: [UTF8Key: Int] = [:] {
    didSet { if sentMutationIDs.isEmpty { firstUnsent = 0 } }
  }
  /// Everything before this place in the chain of pending mutations was sent on this connection.
  var firstUnsent = 0
  /// The own last mutation ID in any poke, applied or not.
  var receivedLastMutationID = 0
  var sentMessages = SentMessages()
  var receiver: PokeReceiver
  var isPlayingPokes = false
  /// Whether pokes exceeded the limits since one was applied.
  var hasExceededLimits = false

  // State.
  var server = ServerState()
  var pending: [PendingMutation] = []
  var nextSequence: UInt64 = 1
  var refused = RefusedMutations()
  var mutators: [UTF8Key: MutatorDefinition] = [:]
  /// What waits where this client does not send it from, as found at open.
  var unsent: [UnsentMutations] = []
  /// Mutations whose prediction failed when they were last replayed, by sequence.
  var failedPredictions: [UInt64: String] = [:]
  var queuedMutations = FIFO<QueuedMutation>()
  var isRunningMutations = false
  var isPushRequested = false
  var laterPush: (any SchedulerTimer)?

  // Storage.
  var storage: (any Store)?
  var writer: StorageWriter?
  var lifecycle: ClientLifecycle?
  var profileID = ""
  var groupID = ""
  var isGroupDisabled = false
  /// Whether the database was emptied under this client.
  var isDatabaseReset = false
  var isStorageFallback = false
  var isStorageFailed = false
  var whenOpen: [@MainActor () -> Void] = []
  var isOpen = false
  /// Whether this client is opening the store or has opened it, and does not wait for others to close.
  var isStorageAskedFor = false
  var closing: Deferred<Void>?
  /// Whether what waits for queries waits on when the client closes, because another client takes over.
  var leavesQueriesOpen = false

  // Views.
  var views = EngineViews()
  /// Whether there may be views that do not follow the sources.
  var hasDetachedViews = false
  /// Whether it was reported that `batchViewUpdates` does not call its argument.
  var hasReportedUnappliedBatch = false
  /// Hears when what waits for the server, or the reason why it waits, changes.
  var pendingListeners = ListenerList<Void>()
  var lastUpdateNeeded: UpdateNeeded?

  /// - Throws: `OptionError` for options that cannot be; then nothing happened.
  public init(_ options: EngineOptions, _ environment: EngineEnvironment) throws {
    serverURL = try options.validate()
    self.options = options
    self.environment = environment
    loop = environment.loop
    scheduler = environment.scheduler
    clientID = environment.ids.clientID()
    log = options.log.with("clientID", clientID)
    let names = try DatabaseName(
      userID: options.userID, storageKey: options.storageKey, mutateURL: options.mutateURL ?? "",
      queryURL: options.queryURL ?? "")
    baseName = names.base
    clientSchema = options.schema.clientSchema
    schemaVersion = "\(SyncProtocol.version).\(clientSchema.hash)"
    databaseName = names.full(schemaVersion: schemaVersion)
    clientGroupID = Deferred(loop)
    pingTimeout = options.pingTimeout
    auth = ""
    tracker = MutationTracker()
    rows = ClientRows(options.schema)
    receiver = PokeReceiver(
      schema: options.schema, clientID: clientID, limits: options.pokeLimits)
    visibility = Visibility(
      environment.activity, delay: options.hiddenDelay, scheduler: scheduler, loop: loop)
    manager = ConnectionManager(
      disconnectTimeout: options.disconnectTimeout, scheduler: scheduler, loop: loop)
    for mutator in options.mutators ?? [] { mutators[UTF8Key(mutator.name)] = mutator }
    loop.dispatch { self.start() }
  }

  isolated deinit {
    visibility.stop()
    runLoop.stop()
    manager.stop()
    lifecycle?.stop()
    session?.close(code: nil)
    writer?.close {}
  }

  /// Whether the client was closed.
  public var isClosed: Bool { manager.isClosed }

  /// Whether there is a connection that works.
  public var isConnected: Bool { isOnline }

  /// Calls `body` as one turn: what it causes happens when it returns.
  public func turn<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    try loop.dispatch(body)
  }

  // MARK: -

  private func start() {
    let runLoop = self.runLoop
    openStorage()
    manager.listen { [weak self] in self?.connectionStateChanged(to: $0) }
    manager.listen { [weak self] state in
      guard let self else { return }
      let state = ConnectionState(state)
      ListenerList.call(state) { self.stateListeners }
      if case .closed = state { stateListeners.removeAll() }
    }
    manager.listen { [weak self] in self?.moveGate(to: $0) }
    tracker.onAllApplied = { [weak self] in self?.queries.runDeferredRemovals() }
    visibility.onChange = { [weak self] in self?.runLoop.visibilityChanged() }
    visibility.onShown = { [weak self] in self?.lifecycle?.checkOwnRecord() }
    guard serverURL != nil else {
      log.warn("no server is configured: this client works on local rows only")
      return manager.disconnected(
        .client(ClientError(.noSocketOrigin, "No server socket origin provided")))
    }
    auth = options.auth ?? ""
    runLoop.start()
  }

  private func makeQueryManager() -> QueryManager {
    QueryManager(
      throttle: options.queryChangeThrottle, keptCount: options.keptQueryCount,
      environment: .init(
        confirmedHashes: { [unowned self] in server.desiredHashes(of: clientID) },
        after: { [unowned self] delay, body in
          scheduler.after(delay) { [weak self] in self?.loop.dispatch(body) }
        },
        send: { [unowned self] ops in sendQueries(ops) },
        // Without a server nothing is ever confirmed, and no rows go with a query.
        hasOutstandingMutations: { [unowned self] in serverURL != nil && tracker.count > 0 }))
  }

  private func connectionStateChanged(to state: ConnectionManager.State) {
    let isConnected = if case .connected = state { true } else { false }
    if isConnected != isOnline {
      isOnline = isConnected
      options.onOnlineChange(isConnected)
    }
    if !leavesQueriesOpen { failQueries() }
  }

  /// Fails what waits for queries if the client is closed.
  func failQueries() {
    guard case .closed(let reason) = manager.state else { return }
    queries.failAll { Self.failure(of: $0, reason) }
  }

  /// Why nobody will ever confirm a query; nil while somebody may.
  func failure(of query: QueryName) -> QueryError? {
    guard case .closed(let reason) = manager.state, !leavesQueriesOpen else { return nil }
    return Self.failure(of: query, reason)
  }

  private static func failure(of query: QueryName, _ reason: ZeroError) -> QueryError {
    QueryError(
      .app, id: query.hash, name: query.name, message: reason.message,
      details: .object(["kind": .string(reason.kindName)]))
  }

  /// Decides whether mutations are accepted, and settles those that nobody can wait for any more.
  private func moveGate(to state: ConnectionManager.State) {
    defer { notifyPendingListeners() }
    switch state {
    case .connecting, .connected, .needsAuth: gate = nil
    case .disconnected(let reason) where reason.clientKind == .noSocketOrigin: gate = nil
    case .disconnected(let reason), .error(let reason):
      if case .queue = options.offlineWrites {
        gate = nil
      } else {
        gate = reason
        tracker.rejectAll(reason)
      }
    case .closed(let reason):
      gate = reason
      tracker.rejectAll(reason)
    }
  }

  func notifyPendingListeners() { ListenerList.call(()) { pendingListeners } }
}
