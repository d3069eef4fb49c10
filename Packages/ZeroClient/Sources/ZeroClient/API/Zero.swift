public import ZeroIVM
@_spi(Engine) public import ZeroProtocol

/// A client of zero-cache: rows that are here, queries that stay up to date, and mutations that show at
/// once and reach the server later.
///
/// `Context` is passed to every query definition and mutator; use it for who is logged in.
@MainActor public final class Zero<Context: Sendable> {
  /// The version of this library.
  nonisolated public static var version: String { "0.1.0" }

  public let schema: ZeroSchema
  public let userID: String?
  public let context: Context
  public let options: ZeroOptions
  public let connection: Connection
  /// What the server has not confirmed.
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
  /// - Throws: ``ZeroError`` with code `client` for options that cannot be used and for two mutators of
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
        scheduler: SystemScheduler.shared, activity: options.activity ?? AppActivity()))
  }

  /// A client on a given clock, for tests.
  @_spi(Engine) public init(
    schema: ZeroSchema, userID: String? = nil, auth: String? = nil, context: Context,
    mutators: [any AnyMutator<Context>] = [], options: ZeroOptions = ZeroOptions(),
    environment: EngineEnvironment
  ) throws {
    var engineOptions = EngineOptions(options, schema: schema)
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

  public var clientID: String { host.engine.clientID }
  /// Known once storage is open.
  public var clientGroupID: Deferred<String> { host.engine.clientGroupID }
  public var databaseName: String { host.engine.databaseName }
  /// The protocol's version and the hash of the schema.
  public var schemaVersion: String { host.engine.schemaVersion }
  public var cacheURL: String? { host.engine.serverURL?.string }
  public var storageKey: String { options.storageKey }
  public var isClosed: Bool { host.hasEnded }

  /// Idle time before a ping, and time to wait for the answer; used from the next ping on.
  public var pingTimeout: Duration {
    get { host.engine.pingTimeout }
    set { host.engine.pingTimeout = newValue }
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
  // MARK: - Queries

  /// Opens a live view of a named query. Its data is there when this returns.
  /// - Parameter ttl: how long the server keeps the rows after the last use; ten minutes at most.
  /// - Throws: ``ZeroError``, or what the definition throws.
  public func materialize<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>, ttl: TTL = .standard
  ) throws -> MaterializedView<Output> {
    try materialize(ZeroError.reporting { try request.query(context) }, ttl: ttl)
  }

  /// Opens a live view of a query that the server is not asked for: it shows what is here.
  public func materialize<Output: QueryOutput>(
    _ query: Query<Output.Element, Output>, ttl: TTL = .standard
  ) throws -> MaterializedView<Output> {
    try ZeroError.reporting {
      let query = try EngineQuery(query, ttl: ttl)
      return try turn { try MaterializedView(host, query) }
    }
  }

  /// A live result for user interfaces.
  public func liveQuery<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>, ttl: TTL = .standard
  ) throws -> LiveQuery<Output> {
    let (host, context) = (host, context)
    return try LiveQuery(host) {
      try ZeroError.reporting {
        let query = try EngineQuery(request.query(context), ttl: ttl)
        return try host.engine.turn { try MaterializedView(host, query) }
      }
    }
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

  /// Runs a query once.
  /// - Returns: fails with the error of a query that cannot be built or that the server refuses.
  public func run<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>, until: RunMode = .local, ttl: TTL = .standard
  ) -> Deferred<Output> {
    let engine = host.engine
    let result = Deferred<Output>(engine.loop)
    do {
      let query = try EngineQuery(request.query(context), ttl: ttl)
      if until == .local {
        result.succeed(
          try Output(decoding: engine.run(query.ast, query.format, query.id, ttl: ttl)))
        return result
      }
      try engine.runComplete(
        query.ast, query.format, query.id, ttl: ttl, acceptsCached: until == .cached
      ).onSettled { outcome in
        result.settle(outcome.flatMap { data in Result { try Output(decoding: data) } })
      }
    } catch {
      result.fail(error)
    }
    return result
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

  // MARK: - Mutations

  /// Calls a mutator: it runs here at once, and its effect is sent to the server.
  ///
  /// Outside of a turn of the engine, such as a listener, the effect shows when this returns, if storage
  /// is open.
  @discardableResult
  public func mutate(_ request: MutateRequest<Context>) -> MutationHandle {
    let engine = host.engine
    do {
      return MutationHandle(try engine.mutate(request.name, request.arguments()))
    } catch {
      let call = EngineMutation(engine.loop)
      call.settle(.applicationError(ApplicationError(wrapping: error)))
      return MutationHandle(call)
    }
  }

  // MARK: -

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

/// What ``Zero/run(_:until:ttl:)`` waits for.
public enum RunMode: Sendable {
  /// Nothing: the rows that are here.
  case local
  /// Nothing if the server has confirmed the query to this client group before, otherwise as `complete`.
  case cached
  /// The server's confirmation.
  case complete
}

/// Two mutators have one name, or one has none.
public struct DuplicateMutatorError: Error, Sendable, CustomStringConvertible {
  public let name: String
  public var description: String {
    name.isEmpty
      ? "a mutator has no name; give it the one that the server knows"
      : "two mutators are named \"\(name)\"; give each its own name"
  }
}

/// The outcomes of one call of a mutator. Ignore what you do not need.
@MainActor public struct MutationHandle {
  /// What became of it here: known when the mutator has run.
  public let client: Deferred<MutationOutcome>
  /// What became of it on the server.
  public let server: Deferred<MutationOutcome>
  /// Succeeds when it is in the store, with the durability the store declares.
  public let persisted: Deferred<Void>

  init(_ mutation: EngineMutation) {
    client = mutation.client
    server = mutation.server
    persisted = mutation.persisted
  }
}
