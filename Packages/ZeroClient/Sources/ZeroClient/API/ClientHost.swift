import ZeroIVM
@_spi(Engine) import ZeroProtocol

/// The engine behind a ``Zero``, which another one replaces when the server does not know it any more.
@MainActor final class ClientHost {
  private(set) var engine: ClientEngine
  let options: ZeroOptions
  let liveQueries: LiveQueries

  private let engineOptions: EngineOptions
  private let environment: EngineEnvironment
  private var dependents: [Weak] = []
  private var preloads: [ObjectIdentifier: Preload] = [:]
  /// How many dependents there may be before those that are gone are removed.
  private var nextSweep = firstSweep
  private var engineListeners = ListenerList<ClientEngine>()
  private var isReplacing = false
  private var isClosed = false
  private var replacementTimer: (any SchedulerTimer)?
  private var lastReplacement: Double?
  private var replacementDelay: Double = 0

  private struct Weak { weak var value: (any EngineDependent)? }

  private static let firstSweep = 64
  /// Milliseconds between two replacements: at least, at most, and after which the last is forgotten.
  private static let (minDelay, maxDelay, memory) = (500.0, 60_000.0, 120_000.0)

  init(
    _ options: ZeroOptions, _ engineOptions: EngineOptions, _ environment: EngineEnvironment
  ) throws {
    self.options = options
    self.environment = environment
    var engineOptions = engineOptions
    let relay = HostRelay()
    engineOptions.onUpdateNeeded = { relay.host?.updateNeeded($0) }
    engineOptions.onClientStateNotFound = { relay.host?.clientStateNotFound() }
    engineOptions.onStorageFailure = { options.onStorageFailure?($0) }
    engineOptions.onUnsentMutations = { options.onUnsentMutations?($0) }
    self.engineOptions = engineOptions
    liveQueries = LiveQueries(scheduler: environment.scheduler, loop: environment.loop)
    engine = try ClientEngine(engineOptions, environment)
    relay.host = self
  }

  isolated deinit {
    replacementTimer?.cancel()
    liveQueries.close()
    _ = engine.close()
  }

  /// Calls `body` with the engine now and whenever it is replaced.
  func withEngine(_ body: @escaping @MainActor (ClientEngine) -> Void) {
    _ = engineListeners.add(body)
    body(engine)
  }

  /// Calls `body` now, and whenever what waits for the server changes, or the engine that it waits in.
  func onPendingChange(_ body: @escaping @MainActor (ClientEngine) -> Void) {
    withEngine { engine in
      _ = engine.pendingListeners.add { [weak engine] _ in
        if let engine { body(engine) }
      }
      body(engine)
    }
  }

  /// Opens a view.
  /// - Throws: `ZeroError` for a query that cannot be run.
  func view<Output: QueryOutput>(_ query: EngineQuery) throws -> MaterializedView<Output> {
    try ZeroError.reporting { try engine.turn { try MaterializedView(self, query) } }
  }

  /// Keeps a preload, which moves as other dependents do, until it is cancelled.
  func keep(_ preload: Preload) {
    preloads[ObjectIdentifier(preload)] = preload
    add(preload)
  }

  func release(_ preload: Preload) { preloads[ObjectIdentifier(preload)] = nil }

  /// From now on `dependent` moves to the engine that replaces this one.
  func add(_ dependent: any EngineDependent) {
    // Now and then, so that many views cost no more each than few.
    if dependents.count >= nextSweep {
      dependents.removeAll { $0.value == nil }
      nextSweep = max(Self.firstSweep, dependents.count * 2)
    }
    dependents.append(Weak(value: dependent))
  }

  func close() -> Deferred<Void> {
    end()
    return engine.close()
  }

  func delete() -> Deferred<DeletionReport> {
    end()
    return engine.delete()
  }

  /// Whether there is no engine, and none to come.
  var hasEnded: Bool { engine.isClosed && !engine.leavesQueriesOpen }

  var onUpdateNeeded: @MainActor (UpdateNeeded) -> Void = { _ in }
  /// The end has come while another engine was to take over.
  var onEnd: @MainActor () -> Void = {}

  // MARK: -

  private func end() {
    isClosed = true
    replacementTimer?.cancel()
    replacementTimer = nil
    liveQueries.close()
    guard engine.isClosed, engine.leavesQueriesOpen else { return }
    engine.turn {
      engine.leavesQueriesOpen = false
      engine.failQueries()
      engine.notifyPendingListeners()
      onEnd()
    }
  }

  private func updateNeeded(_ reason: UpdateNeeded) {
    onUpdateNeeded(reason)
    options.onUpdateNeeded?(reason)
  }

  private func clientStateNotFound() {
    if let callback = options.onClientStateNotFound { return callback() }
    guard !isReplacing, !isClosed else { return }
    isReplacing = true
    let scheduler = environment.scheduler
    let now = scheduler.monotonicTime
    var wait = 0.0
    if let last = lastReplacement, now - last < Self.memory {
      replacementDelay = min(max(replacementDelay * 2, Self.minDelay), Self.maxDelay)
      wait = max(0, last + replacementDelay - now)
    } else {
      replacementDelay = 0
    }
    engine.log.error("a new client takes over in \(wait) ms")
    let old = engine
    replacementTimer = scheduler.after(.clamping(milliseconds: wait)) { [weak self] in
      guard let self, !isClosed else { return }
      replacementTimer = nil
      old.leavesQueriesOpen = true
      old.close().onSettled { [weak self] _ in
        self?.replace()
        // What moved to the new client is not concerned any more.
        old.failQueries()
      }
    }
  }

  private func replace() {
    guard isReplacing, !isClosed else { return }
    isReplacing = false
    lastReplacement = environment.scheduler.monotonicTime
    var options = engineOptions
    options.auth = engine.auth.isEmpty ? nil : engine.auth
    options.pingTimeout = engine.pingTimeout
    do {
      let engine = try ClientEngine(options, environment)
      self.engine = engine
      engine.turn {
        for dependent in dependents { dependent.value?.move(to: engine) }
        ListenerList.call(engine) { engineListeners }
      }
    } catch {
      engine.log.error("no new client can be made: \(error)")
    }
  }
}

/// What lives on an engine and moves to the one that replaces it.
@MainActor protocol EngineDependent: AnyObject {
  func move(to engine: ClientEngine)
}

/// Leads an engine's callbacks to the host that is made after it.
@MainActor private final class HostRelay {
  weak var host: ClientHost?
}
