public import ZeroIVM
@_spi(Engine) public import ZeroProtocol

/// A client of zero-cache: rows that are here, queries that stay up to date, and mutations that show at
/// once and reach the server later.
///
/// `Context` is passed to every query definition and mutator; use it for who is logged in.
@MainActor public final class Zero<Context: Sendable> {
  /// The tables that the client knows.
  public let schema: ZeroSchema
  /// Who is logged in, as the server knows them; nil for nobody.
  public let userID: String?
  /// What query definitions and mutators are given.
  public let context: Context
  /// How the client was set up.
  public let options: ZeroOptions
  /// The connection to zero-cache.
  public let connection: Connection
  /// What the server has not confirmed, and what is being done about it.
  public let pending: PendingMutations
  /// What the server has refused.
  public let refusedMutations: RefusedMutationList

  private let host: ClientHost

  /// Opens storage and starts to connect. Queries and mutations work at once.
  ///
  /// A failure of storage does not throw; see ``ZeroOptions/onStorageFailure``.
  /// - Parameters:
  ///   - userID: whose data this is; nil for nobody.
  ///   - auth: token for the server; needs a user.
  ///   - mutators: all mutators that the app calls or has ever called.
  /// - Throws: `ZeroError` with code `client` for options that cannot be used and for two mutators of
  ///   one name; its cause says which.
  public convenience init(
    schema: ZeroSchema, userID: String? = nil, auth: String? = nil, context: Context,
    mutators: [any AnyMutator<Context>] = [], options: ZeroOptions = ZeroOptions()
  ) throws {
    try self.init(
      schema: schema, userID: userID, auth: auth, context: context, mutators: mutators,
      options: options,
      environment: EngineEnvironment(
        storage: options.storage, sockets: options.transport ?? NoTransport(),
        scheduler: options.scheduler ?? SystemScheduler.shared,
        activity: options.activity ?? AppActivity()))
  }

  /// A client on a given clock, for tests.
  @_spi(Engine) public init(
    schema: ZeroSchema, userID: String? = nil, auth: String? = nil, context: Context,
    mutators: [any AnyMutator<Context>] = [], options: ZeroOptions = ZeroOptions(),
    environment: EngineEnvironment
  ) throws {
    var engineOptions = try ZeroError.reporting { try EngineOptions(options, schema: schema) }
    engineOptions.userID = userID
    engineOptions.auth = auth
    engineOptions.mutators = try ZeroError.reporting { try Self.definitions(mutators, context) }
    self.schema = schema
    self.userID = userID
    self.context = context
    self.options = options
    let finalOptions = engineOptions
    host = try ZeroError.reporting { try ClientHost(options, finalOptions, environment) }
    connection = Connection(host)
    pending = PendingMutations(host)
    refusedMutations = RefusedMutationList(host)
  }

  /// Names this client to the server; a new one for each object, and after the server has forgotten one.
  public var clientID: String { host.engine.clientID }
  /// The group of clients that share rows and pending mutations over restarts. Known once storage is
  /// open.
  public var clientGroupID: Deferred<String> { host.engine.clientGroupID }
  /// The name of the database with the rows and pending mutations; ``ZeroStorage/drop(named:)`` takes it.
  public var databaseName: String { host.engine.databaseName }
  /// The protocol's version and the hash of the schema.
  public var schemaVersion: String { host.engine.schemaVersion }
  /// What separates the storage of several clients of one user.
  public var storageKey: String { options.storageKey }
  /// Whether the client was closed.
  public var isClosed: Bool { host.hasEnded }

  /// Idle time before a ping, and time to wait for the answer; used from the next ping on.
  public var pingTimeout: Duration {
    get { host.engine.pingTimeout }
    set { host.engine.pingTimeout = newValue }
  }

  /// How many mutations the server has not confirmed: ``PendingMutations/count``. Observable.
  public var pendingMutationCount: Int { pending.count }

  /// Waits until everything that is pending now has got there; see ``PendingMutations/flush(until:)``.
  public func flush(until goal: PendingMutations.Goal) -> Deferred<Void> {
    pending.flush(until: goal)
  }

  /// Stops syncing. What is pending stays stored; views keep their data.
  /// - Returns: done when everything is in the store and the store is closed.
  @discardableResult
  public func close() -> Deferred<Void> { host.close() }

  /// Closes, and deletes all databases of this user and storage key.
  @discardableResult
  public func delete() -> Deferred<DeletionReport> { host.delete() }

  /// A picture of what the client is doing now, without tokens.
  public func diagnostics() -> Diagnostics { host.engine.diagnostics() }
}

extension Zero {
  /// Opens a live view of a named query. Its data is there when this returns.
  /// - Parameter ttl: how long the server keeps the rows after the last use; ten minutes at most.
  /// - Throws: `ZeroError`, or what the definition throws.
  public func materialize<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>, ttl: TTL = .standard
  ) throws -> MaterializedView<Output> {
    try materialize(ZeroError.reporting { try request.query(context) }, ttl: ttl)
  }

  /// Opens a live view of a query that the server is not asked for: it shows what is here.
  public func materialize<Output: QueryOutput>(
    _ query: Query<Output.Element, Output>, ttl: TTL = .standard
  ) throws -> MaterializedView<Output> {
    try host.view(ZeroError.reporting { try EngineQuery(query, ttl: ttl) })
  }

  /// A live result for user interfaces, with the rows that are here.
  ///
  /// As long as somebody holds the result for the same query, arguments and kind of output, it is the
  /// same object, and its view is shared; a longer `ttl` then counts for all.
  /// - Parameters:
  ///   - request: nil for a result that stays empty and `unknown`, and asks the server for nothing, as
  ///     long as it is not known what to ask for.
  ///   - ttl: how long the server keeps the rows after the last use; ten minutes at most.
  /// - Throws: `ZeroError`, or what the definition throws.
  public func liveQuery<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>?, ttl: TTL = .standard
  ) throws -> LiveQuery<Output> {
    guard let request else { return LiveQuery(host.engine.loop) }
    return try liveQuery(ZeroError.reporting { try request.query(context) }, ttl: ttl)
  }

  /// A live result of a query that the server is not asked for: it shows what is here.
  public func liveQuery<Output: QueryOutput>(
    _ query: Query<Output.Element, Output>, ttl: TTL = .standard
  ) throws -> LiveQuery<Output> {
    let request = try ZeroError.reporting { try EngineQuery(query, ttl: ttl) }
    return try host.liveQueries.query(host, request) { try host.view(request) }
  }

  /// The rows that are here now.
  public func runNow<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>, ttl: TTL = .standard
  ) throws -> Output {
    try runNow(ZeroError.reporting { try request.query(context) }, ttl: ttl)
  }

  /// The rows that are here now, of a query that the server is not asked for.
  public func runNow<Output: QueryOutput>(
    _ query: Query<Output.Element, Output>, ttl: TTL = .standard
  ) throws -> Output {
    try ZeroError.reporting {
      let query = try EngineQuery(query, ttl: ttl)
      return try Output(
        decoding: host.engine.run(query.ast, query.format, query.id, ttl: query.ttl))
    }
  }

  /// Runs a query once. The server keeps it for its `ttl`, so that a later use finds its rows.
  /// - Returns: fails with the error of a query that cannot be built or that the server refuses.
  public func run<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>, until: RunMode = .local, ttl: TTL = .standard
  ) -> Deferred<Output> {
    run({ try request.query(context) }, until, ttl)
  }

  /// Runs a query once that the server is not asked for.
  /// - Parameter until: `local`. The server confirms no such query: anything else fails at once.
  public func run<Output: QueryOutput>(
    _ query: Query<Output.Element, Output>, until: RunMode = .local, ttl: TTL = .standard
  ) -> Deferred<Output> {
    run({ query }, until, ttl)
  }

  /// Keeps a query's rows here without showing them.
  /// - Parameter ttl: how long the server keeps the rows after ``Preload/cancel()``.
  @discardableResult
  public func preload<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>, ttl: TTL = .none
  ) throws -> Preload {
    try ZeroError.reporting {
      let query = try EngineQuery(request.query(context), ttl: ttl)
      return turn { Preload(host, query) }
    }
  }

  /// Calls a mutator: it runs here at once, and its effect is sent to the server.
  ///
  /// Outside of a turn of the engine, such as a listener, the effect shows when this returns, if storage
  /// is open. Nothing is thrown: what goes wrong is an outcome, so that the call can be ignored safely.
  /// A mutator that the client was not made with has a ``MutationOutcome/zeroError(_:)``, and an error is
  /// logged.
  @discardableResult
  public func mutate(_ request: MutateRequest<Context>) -> Mutation {
    let engine = host.engine
    do {
      return Mutation(try engine.mutate(request.name, request.arguments()))
    } catch let error as UnregisteredMutatorError {
      let reason = ZeroError.client(ClientError(.internal, error.description, cause: error))
      engine.log.error("\(reason.message)")
      return Mutation(settled: .zeroError(reason), engine.loop)
    } catch {
      engine.log.error("mutation \(request.name): the arguments cannot be encoded: \(error)")
      return Mutation(settled: .applicationError(ApplicationError(wrapping: error)), engine.loop)
    }
  }

  // MARK: -

  private func run<Output: QueryOutput>(
    _ query: () throws -> Query<Output.Element, Output>, _ mode: RunMode, _ ttl: TTL
  ) -> Deferred<Output> {
    let engine = host.engine
    let result = Deferred<Output>(engine.loop)
    do {
      let query = try EngineQuery(query(), ttl: ttl)
      if mode != .complete {
        result.succeed(
          try Output(decoding: engine.run(query.ast, query.format, query.id, ttl: ttl)))
        return result
      }
      try query.checkCompletes()
      return try CompleteRun(host, query).result
    } catch {
      result.fail(error)
    }
    return result
  }

  var cacheText: String? { host.engine.serverURL?.string }

  func turn<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    try host.engine.turn(body)
  }

  private static func definitions(
    _ mutators: [any AnyMutator<Context>], _ context: Context
  ) throws -> [MutatorDefinition] {
    var names: Set<UTF8Key> = []
    for mutator in mutators {
      guard !mutator.name.isEmpty, names.insert(UTF8Key(mutator.name)).inserted else {
        throw DuplicateMutatorError(name: mutator.name)
      }
    }
    return mutators.map { $0.definition(context) }
  }
}

extension Zero where Context == Void {
  /// The version of this library: `Zero.version`.
  nonisolated public static var version: String { "0.1.0" }
}
