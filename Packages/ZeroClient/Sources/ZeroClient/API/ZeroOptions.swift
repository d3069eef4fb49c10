public import ZeroProtocol

/// How a client is set up, apart from schema, user, context and mutators.
public struct ZeroOptions: Sendable {
  /// The texts of ``cacheURL``, ``mutateURL`` and ``queryURL``, as the engine takes them.
  var cacheText: String?
  var mutateText: String?
  var queryText: String?
  /// Separates the storage of several clients of one user.
  public var storageKey = ""
  /// Where rows and pending mutations are kept.
  public var storage: any StoreProvider
  /// How sockets are opened; nil never connects.
  public var transport: (any SocketFactory)?
  /// Clocks and timers; nil is the system's. A test passes one whose time it moves itself.
  public var scheduler: (any Scheduler)?
  /// Records below it are not made.
  public var logLevel = LogLevel.warn
  /// Where records go; the standard error of the process unless set. Nil drops them.
  public var logSink: (any LogSink)? = .default
  /// Sent to zero-cache, which adds them to its calls of ``mutateURL``.
  public var mutateHeaders: [String: String] = [:]
  /// Sent to zero-cache, which adds them to its calls of ``queryURL``.
  public var queryHeaders: [String: String] = [:]
  /// Called once for each message that can carry a trace context.
  public var traceparent: (@MainActor @Sendable () -> String?)?
  /// The app has to be updated before it can sync again; see also ``Connection/updateNeeded``.
  public var onUpdateNeeded: (@MainActor @Sendable (UpdateNeeded) -> Void)?
  /// The server or the store does not know the client any more. Nil: a new client takes over by
  /// itself, with all views, live queries, preloads and runs that wait. Set: it is called, and the
  /// client is dead.
  public var onClientStateNotFound: (@MainActor @Sendable () -> Void)?
  /// The store cannot be opened, so that everything is in memory, or a write failed, so that nothing
  /// is written any more. Everything else goes on. Also called, with code `corrupt` and
  /// `StoreError.record`, for each table of the store that had unreadable records: they were mended,
  /// and the store is used as before.
  public var onStorageFailure: (@MainActor @Sendable (StoreError) -> Void)?
  /// Mutations wait where this client does not send them from: after an update of the app that changed
  /// the schema, or in the database of another user or URL. Called once, after storage is open, if
  /// there are any; see also ``Diagnostics/unsent``. They are kept until a client like the one that
  /// made them sends them.
  public var onUnsentMutations: (@MainActor @Sendable ([UnsentMutations]) -> Void)?
  /// Idle time before a ping, and time to wait for the answer.
  public var pingTimeout: Duration = .seconds(5)
  /// Time in `connecting` before the state becomes `disconnected`.
  public var disconnectTimeout: Duration = .seconds(60)
  /// Longest value of the header that carries the first message, in characters.
  public var maxHeaderLength = 8192
  /// Time between the first change of the desired queries and the message about it.
  public var queryChangeThrottle: Duration = .milliseconds(10)
  /// Time to a complete result above which a warning is logged.
  public var slowMaterializeThreshold: Duration = .seconds(5)
  /// Bytes of one poke, the server's answer to new queries, that are taken in; also of those that wait
  /// to be applied. Above it the connection is made anew once, then the state is `error`. It must be
  /// more than the largest first sync.
  public var maxPokeBytes = 512 << 20
  /// What happens to mutations made while there is no connection.
  public var offlineWrites = OfflineWrites.refuse
  /// Wraps the creation of each view and each change of all views, as an animation may; must call its
  /// argument once, before it returns. If it does not, the change is made after it returned, and an
  /// error is logged.
  public var batchViewUpdates: (@MainActor @Sendable (@MainActor () -> Void) -> Void)?
  /// Whether the app is in sight; nil counts as always.
  public var activity: AppActivity?
  /// How long after being hidden the client disconnects.
  public var hiddenDisconnectDelay: Duration = .seconds(300)

  init(cacheText: String?, storage: any StoreProvider, transport: (any SocketFactory)?) {
    self.cacheText = cacheText
    self.storage = storage
    self.transport = transport
  }
}

extension EngineOptions {
  /// - Throws: `OptionError` for a URL that could not be used with a transport either.
  @MainActor init(_ options: ZeroOptions, schema: ZeroSchema) throws {
    self.init(schema: schema)
    log = Log(sink: options.logSink, level: options.logLevel)
    if options.transport != nil {
      serverURL = options.cacheText
    } else if let url = options.cacheText {
      _ = try ServerURL(url)
      log.warn(
        "ZeroOptions.cacheURL is set, but ZeroOptions.transport is not: nothing will connect")
    }
    storageKey = options.storageKey
    mutateURL = options.mutateText
    mutateHeaders = Self.headers(options.mutateHeaders)
    queryURL = options.queryText
    queryHeaders = Self.headers(options.queryHeaders)
    pingTimeout = options.pingTimeout
    disconnectTimeout = options.disconnectTimeout
    hiddenDelay = options.hiddenDisconnectDelay
    maxHeaderLength = options.maxHeaderLength
    queryChangeThrottle = options.queryChangeThrottle
    slowMaterializeThreshold = options.slowMaterializeThreshold
    asksForPerformanceData = options.logLevel == .debug
    offlineWrites = options.offlineWrites
    pokeLimits.byteCount = options.maxPokeBytes
    traceparent = options.traceparent
    batchViewUpdates = options.batchViewUpdates
  }

  private static func headers(_ headers: [String: String]) -> NamedValues<String>? {
    guard !headers.isEmpty else { return nil }
    let sorted = headers.sorted { TextOrder.utf8($0.key, $1.key) < 0 }
    return NamedValues(sorted.map { ($0.key, $0.value) })
  }
}

/// Stands for a transport where there is none: no socket ever opens.
struct NoTransport: SocketFactory {
  func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection { Socket() }

  private final class Socket: SocketConnection {
    var bufferedBytes: Int { 0 }
    func send(text utf8: [UInt8]) {}
    func send(binary bytes: [UInt8]) {}
    func close(code: UInt16?, reason: String) {}
  }
}
