import Observation
import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// Every call of the API from inside every callback.
@MainActor @Suite("Calls from inside callbacks") struct ReentryTests {
  /// Where the app's code runs.
  enum Site: String, CaseIterable, Sendable {
    case viewListener, otherViewListener, connectionListener, pendingObserver, refusedStream
    case storageFailure, clientStateNotFound, updateNeeded, batch, mutator, rebase, outcome
    case persisted, traceparent, log, sink, closed, runComplete, preloadComplete
  }

  /// What it does there.
  enum Action: String, CaseIterable, Sendable {
    case mutate, mutateFailing, materialize, destroy, destroyAll, close, delete, release, flush
    case preload, run, retry, connect, closeTwice, hide, addListener, acknowledge, diagnostics
  }

  @Test("leave a client whose views are right and which can be closed", arguments: Site.allCases)
  func all(_ site: Site) throws {
    for action in Action.allCases {
      let app = try ReentrantApp(site, action)
      try app.runSession()
      #expect(app.hasActed, "\(site) \(action)")
      try app.check("\(site) \(action)")
    }
  }
}

/// An app that does something odd once.
@MainActor private final class ReentrantApp {
  private typealias Site = ReentryTests.Site
  private typealias Action = ReentryTests.Action

  private(set) var hasActed = false
  private let site: ReentryTests.Site
  private let action: ReentryTests.Action
  private let faults = StoreFaults()
  private let scheduler = ManualScheduler(wallStart: 1_700_000_000_000)
  private let sockets = InMemorySocketFactory()
  private let activity = AppActivity()
  private var zero: Zero<Session>?
  private weak var released: Zero<Session>?
  /// Kept by everything that a client is made of.
  private weak var releasedLogs: Logs?
  private var views: [MaterializedView<[Ticket]>] = []
  private var live: LiveQuery<[Ticket]>?
  private var preloads: [Preload] = []
  private var calls: [Mutation] = []
  private var closings: [Deferred<Void>] = []
  private var deletions: [Deferred<DeletionReport>] = []
  private var pokes = 0
  private var isArmed = false
  private var made = 0
  private let sink = Sink()

  private final class Sink: ViewSink {
    var onCommit: @MainActor () -> Void = {}
    func apply(_ change: RowChange<Ticket>) {}
    func commit(_ resultType: ResultType, error: (any Error)?) { onCommit() }
  }

  private final class Logs: LogSink {
    private let app: WeakApp
    nonisolated init(_ app: WeakApp) { self.app = app }
    func log(_ record: LogRecord) { app.value?.at(.log) }
  }

  /// For closures that have to be sendable.
  private final class WeakApp: Sendable {
    @MainActor weak var value: ReentrantApp?
    nonisolated init() {}
  }

  init(_ site: ReentryTests.Site, _ action: ReentryTests.Action) throws {
    self.site = site
    self.action = action
    let storage = FaultyStoreProvider(MemoryStoreProvider(), faults: faults)
    var options = ZeroOptions(
      cacheURL: "https://zero.example", storage: storage, transport: sockets)
    let app = WeakApp()
    options.logLevel = .debug
    let logs = Logs(app)
    releasedLogs = logs
    options.logSink = logs
    options.offlineWrites = .queue(limit: 1_000)
    options.onStorageFailure = { _ in app.value?.at(.storageFailure) }
    if site == .clientStateNotFound {
      options.onClientStateNotFound = { app.value?.at(.clientStateNotFound) }
    }
    options.onUpdateNeeded = { _ in app.value?.at(.updateNeeded) }
    options.traceparent = {
      app.value?.at(.traceparent)
      return nil
    }
    options.batchViewUpdates = { body in
      body()
      app.value?.at(.batch)
    }
    let create = defineMutator("issue.create") { (tx, args: Rename, session: Session) in
      app.value?.at(tx.reason == .rebase ? .rebase : .mutator)
      try tx.mutate.issue.insert(Ticket(id: args.id, title: args.title, owner: session.user))
      app.value?.at(tx.reason == .rebase ? .rebase : .mutator)
    }
    let zero = try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"),
      mutators: [create, Mutators.vote], options: options,
      environment: EngineEnvironment(
        storage: storage, sockets: sockets, scheduler: scheduler, activity: activity, inline: true))
    self.zero = zero
    released = zero
    app.value = self
  }

  /// A session that passes every site.
  func runSession() throws {
    guard let zero else { return }
    views = [try zero.materialize(Queries.all()), try zero.materialize(Queries.titled("t"))]
    live = try zero.liveQuery(Queries.all())
    let sinkView = try zero.materialize(Queries.all(), into: sink)
    sink.onCommit = { [weak self] in self?.at(.sink) }
    views[0].addListener { [weak self] _ in self?.at(.viewListener) }
    views[1].addListener { [weak self] _ in self?.at(.otherViewListener) }
    zero.connection.addListener { [weak self] _ in self?.at(.connectionListener) }
    observe(zero)
    let preload = try zero.preload(Queries.titled("preloaded"))
    preload.complete.onSettled { [weak self] _ in self?.at(.preloadComplete) }
    preloads.append(preload)
    let run = zero.run(Queries.byID("1"), until: .complete)
    run.onSettled { [weak self] _ in self?.at(.runComplete) }
    isArmed = true
    connect()
    mutate("1")
    poke(#""rowsPatch":[\#(TestClient.put("r1", "t"))]"#)
    mutate("2")
    let got = hashes().map { #"{"op":"put","hash":"\#($0)"}"# }.joined(separator: ",")
    poke(#""gotQueriesPatch":[\#(got)],"rowsPatch":[\#(TestClient.put("r2", "t"))]"#)
    poke(#""lastMutationIDChanges":{"\#(self.zero?.clientID ?? "")":1}"#)
    mutate("3")
    refuse()
    if site == .storageFailure {
      faults.plan(.commit, .full, times: nil)
      mutate("4")
    }
    sockets.latest?.finish(code: 1001)
    scheduler.advance(by: .seconds(6))
    connect()
    let kind =
      site == .updateNeeded
      ? "VersionNotSupported"
      : site == .clientStateNotFound || site == .refusedStream ? "ClientNotFound" : "Internal"
    sockets.latest?.receive(
      text: #"["error",{"kind":"\#(kind)","message":"m","origin":"zeroCache"}]"#)
    scheduler.advance(by: .seconds(3))
    _ = self.zero?.connection.connect()
    connect()
    withExtendedLifetime((sinkView, run)) {}
    guard let zero = self.zero else { return }
    let closing = zero.close()
    closing.onSettled { [weak self] _ in self?.at(.closed) }
    closings.append(closing)
  }

  /// Everything has come to its end, and nothing is left.
  func check(_ name: String) throws {
    scheduler.advance(by: .seconds(1000))
    #expect(scheduler.armedCount == 0, "\(name)")
    for closing in closings { #expect(closing.result != nil, "\(name)") }
    for deletion in deletions { #expect(deletion.result != nil, "\(name)") }
    for call in calls {
      #expect(call.client.result != nil, "\(name)")
      #expect(call.server.result != nil, "\(name)")
      #expect(call.persisted.result != nil, "\(name)")
    }
    if let zero {
      let titled = try zero.runNow(Queries.titled("t")).map(\.id)
      #expect(views.last.map { $0.data.map(\.id) } ?? titled == titled, "\(name)")
    }
    zero = nil
    live = nil
    preloads = []
    #expect(released == nil, "\(name): the client stays")
    #expect(releasedLogs == nil, "\(name): the engine stays")
  }

  // MARK: -

  private func at(_ site: ReentryTests.Site) {
    guard isArmed, site == self.site, !hasActed else { return }
    hasActed = true
    act()
  }

  private func act() {
    guard let zero else { return }
    switch action {
    case .mutate: mutate("odd")
    case .mutateFailing: calls.append(zero.mutate(Mutators.vote(Vote(id: "nobody", by: 1))))
    case .materialize:
      if let view = try? zero.materialize(Queries.titled("t")) { views.append(view) }
    case .destroy: views.first?.destroy()
    case .destroyAll:
      // The other one ends with its last reference.
      views.first?.destroy()
      views = []
    case .close: closings.append(zero.close())
    case .delete: deletions.append(zero.delete())
    case .release:
      live = nil
      preloads = []
      self.zero = nil
    case .flush: _ = zero.pending.flush(until: .confirmed)
    case .preload: if let preload = try? zero.preload(Queries.all()) { preloads.append(preload) }
    case .run: _ = zero.run(Queries.all(), until: .complete)
    case .retry: try? live?.retry()
    case .connect: _ = zero.connection.connect(auth: "new")
    case .closeTwice:
      closings.append(zero.close())
      closings.append(zero.close())
    case .hide: activity.isVisible.toggle()
    case .addListener: views.first?.addListener { _ in }
    case .acknowledge: zero.refusedMutations.acknowledgeAll()
    case .diagnostics: _ = zero.diagnostics()
    }
  }

  private func mutate(_ id: String) {
    guard let zero else { return }
    made += 1
    let create = MutateRequest<Session>(name: "issue.create") {
      .object(["id": .string(id), "title": .string("t")])
    }
    let call = zero.mutate(create)
    call.client.onSettled { [weak self] _ in self?.at(.outcome) }
    call.persisted.onSettled { [weak self] _ in self?.at(.persisted) }
    calls.append(call)
  }

  private func observe(_ zero: Zero<Session>) {
    withObservationTracking {
      _ = zero.pending.count
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.at(.pendingObserver) }
    }
    withObservationTracking {
      _ = zero.refusedMutations.mutations
    } onChange: { [weak self] in
      MainActor.assumeIsolated { self?.at(.refusedStream) }
    }
  }

  private func hashes() -> [String] { zero?.diagnostics().queries.map(\.hash) ?? [] }

  private func connect() {
    sockets.latest?.accept()
    sockets.latest?.receive(text: #"["connected",{"wsid":"w"}]"#)
  }

  private func poke(_ part: String) {
    pokes += 1
    let base = pokes == 1 ? "null" : "\"c\(pokes - 1)\""
    for message in [
      #"["pokeStart",{"pokeID":"p\#(pokes)","baseCookie":\#(base)}]"#,
      #"["pokePart",{"pokeID":"p\#(pokes)",\#(part)}]"#,
      #"["pokeEnd",{"pokeID":"p\#(pokes)","cookie":"c\#(pokes)"}]"#,
    ] { sockets.latest?.receive(text: message) }
    scheduler.advance(by: .zero)
  }

  /// The server refuses the mutation that was made last.
  private func refuse() {
    guard let zero else { return }
    let id = zero.diagnostics().pending.last?.id ?? 1
    poke(
      #""lastMutationIDChanges":{"\#(zero.clientID)":\#(id)},"mutationsPatch":[{"op":"put","#
        + #""mutation":{"id":{"clientID":"\#(zero.clientID)","id":\#(id)},"#
        + #""result":{"error":"app","message":"no"}}}]"#)
  }
}
