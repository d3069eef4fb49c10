public import ZeroProtocol

/// Everything the engine is told by its client.
@_spi(Engine) public struct EngineOptions {
  public var schema: ZeroSchema
  /// Serialized, as the URL parser gives it; nil never connects.
  public var serverURL: String?
  public var userID: String?
  public var auth: String?
  public var storageKey = ""
  public var mutateURL: String?
  public var mutateHeaders: NamedValues<String>?
  public var queryURL: String?
  public var queryHeaders: NamedValues<String>?
  public var pingTimeout: Duration = .seconds(5)
  public var disconnectTimeout: Duration = .seconds(60)
  public var hiddenDelay: Duration = .seconds(300)
  public var maxHeaderLength = 8192
  public var queryChangeThrottle: Duration = .milliseconds(10)
  /// How many queries that nobody uses any more stay desired.
  public var keptQueryCount = 0
  public var slowMaterializeThreshold: Duration = .seconds(5)
  /// Whether the connect URL asks for performance data.
  public var asksForPerformanceData = false
  public var offlineWrites = OfflineWrites.refuse
  public var pokeLimits = PokeLimits()
  /// Nil: no mutators at all.
  public var mutators: [MutatorDefinition]?
  public var traceparent: (@MainActor () -> String?)?
  public var batchViewUpdates: (@MainActor (@MainActor () -> Void) -> Void)?
  public var onUpdateNeeded: @MainActor (UpdateNeeded) -> Void = { _ in }
  public var onClientStateNotFound: @MainActor () -> Void = {}
  public var onStorageFailure: @MainActor (StoreError) -> Void = { _ in }
  public var onUnsentMutations: @MainActor ([UnsentMutations]) -> Void = { _ in }
  public var onOnlineChange: @MainActor (Bool) -> Void = { _ in }
  public var log = Log.none

  public init(schema: ZeroSchema) { self.schema = schema }

  /// Checks what can be wrong, in the order of the reference.
  /// - Returns: the server's URL as it is used.
  func validate() throws(OptionError) -> ServerURL? {
    try OptionRules.checkIdentity(userID: userID, auth: auth)
    var url: ServerURL?
    if let serverURL { url = try ServerURL(serverURL) }
    try OptionRules.checkDelay(
      milliseconds: hiddenDelay.inMilliseconds, option: "hiddenTabDisconnectDelay")
    return url
  }
}

/// What the engine runs on.
@_spi(Engine) @MainActor public struct EngineEnvironment {
  public var storage: any StoreProvider
  public var sockets: any SocketFactory
  public var scheduler: any Scheduler
  public var ids: IDGenerator
  /// Whether the app is in sight.
  public var activity: AppActivity
  var loop: EventLoop
  var executor: any StorageExecutor

  /// - Parameter inline: whether storage work is done at once and turns belong to this engine alone, as
  ///   tests need it.
  public init(
    storage: any StoreProvider, sockets: any SocketFactory, scheduler: any Scheduler,
    ids: IDGenerator = IDGenerator(), activity: AppActivity = AppActivity(), inline: Bool = false
  ) {
    self.storage = storage
    self.sockets = sockets
    self.scheduler = scheduler
    self.ids = ids
    self.activity = activity
    if inline {
      loop = EventLoop()
      executor = InlineStorageExecutor(loop: loop)
    } else {
      loop = .shared
      executor = QueueStorageExecutor(label: "zero.storage")
    }
  }

  /// Runs `body` as one turn of the engine: what it causes happens when it returns.
  public func turn<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    try loop.dispatch(body)
  }
}
