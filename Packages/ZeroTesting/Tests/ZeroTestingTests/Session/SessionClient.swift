@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
@_spi(Engine) import ZeroProtocol
import ZeroStoreLMDB
import ZeroStoreMemory
import ZeroStoreSQLite
import ZeroVectors

/// A client with views on a store, and the model that says what they have to show.
@MainActor final class SessionClient {
  let scheduler = ManualScheduler(wallStart: 1_700_000_000_000)
  let sockets = InMemorySocketFactory()
  let activity = AppActivity()
  let server = SessionServer()
  private(set) var zero: Zero<Void>
  var views: [CheckedView] = []
  private let storage: any StoreProvider
  private var live: LiveQuery<[Item]>?
  /// What was called, by client and mutation.
  private var calls: [String: Call] = [:]
  /// What was called since the last start.
  private var recent: [Mutation] = []
  private let failures = StorageFailures()

  private struct Call {
    let step: SessionStep
    let handle: Mutation
    let cookie: String?
  }

  /// What the app was told about its store.
  private final class StorageFailures: Sendable {
    @MainActor var all: [StoreError] = []
    nonisolated init() {}
  }

  init(storage: any StoreProvider) throws {
    self.storage = storage
    zero = try Self.makeZero(storage, sockets, scheduler, activity, failures)
    try openViews()
  }

  /// What the app was told about its store since the last start.
  var storageFailures: [StoreError] { failures.all }
  /// The client's sockets are those of the one opened last.
  var socket: InMemorySocket? { sockets.latest }

  func mutate(_ step: SessionStep) {
    let before = zero.diagnostics()
    let handle = zero.mutate(SessionMutators.request(step))
    recent.append(handle)
    let pending = zero.diagnostics().pending
    guard pending.count > before.pending.count, let last = pending.last else { return }
    calls["\(last.clientID)/\(last.id)"] = Call(step: step, handle: handle, cookie: before.cookie)
  }

  /// Connects to a server that only says that it is there.
  /// - Returns: as ``readPushes()``.
  func connectAndReadPushes() throws -> [Double] {
    socket?.accept()
    deliver([#"["connected",{"wsid":"w"}]"#])
    return try readPushes()
  }

  /// The IDs of the mutations that were sent since the last call.
  func readPushes() throws -> [Double] {
    try (socket?.takeSent() ?? []).flatMap { message -> [Double] in
      guard case .text(let text) = message, case .push(let push) = try UpstreamMessage(text: text)
      else { return [] }
      return push.mutations.map(\.id.id)
    }
  }

  /// Lets the server read and answer.
  func serve() throws {
    guard let socket else { return }
    try server.serve(socket)
    scheduler.advance(by: .milliseconds(11))
    try server.serve(socket)
    if let violation = server.violation { throw VectorFailure(violation) }
  }

  func deliver(_ messages: [String]) {
    for message in messages { socket?.receive(text: message) }
    scheduler.advance(by: .zero)
  }

  /// Does what an app and its user do when there is no connection.
  func recover(token: String? = nil) {
    activity.isVisible = true
    _ = zero.connection.connect(auth: token)
    scheduler.advance(by: .seconds(11))
  }

  /// Closes the client and opens another one on the same store.
  func restart() throws {
    closeViews()
    let closed = zero.close()
    try expect(closed.result != nil, "closing does not end")
    for handle in recent {
      try expect(handle.client.result != nil, "an outcome here is open after closing")
      try expect(handle.server.result != nil, "the server's outcome is open after closing")
      try expect(handle.persisted.result != nil, "storing is open after closing")
    }
    try expect(
      scheduler.armedCount == 0, "\(scheduler.armedCount) timers outlive the client")
    recent = []
    failures.all = []
    zero = try Self.makeZero(storage, sockets, scheduler, activity, failures)
    try openViews()
  }

  func end() throws {
    closeViews()
    let report = zero.delete()
    try expect(report.result != nil, "deleting does not end")
    try expect(scheduler.armedCount == 0, "a timer outlives the client")
  }

  func open<Output: QueryOutput>(
    _ request: QueryRequest<Output, Void>, ttl: TTL = .standard,
    _ expected: @escaping (SessionRows) -> [Output.Element]
  ) throws where Output.Element: Spelled {
    let view = try zero.materialize(request, ttl: ttl)
    var heard = view.data
    view.addListener { heard = $0.data }
    views.append(
      CheckedView(
        check: { rows in
          let wanted = expected(rows).map(\.spelling)
          let shown = Output.rows(of: view.data).map(\.spelling)
          guard shown == wanted else {
            throw VectorFailure(
              "\(request.name) shows \(shown.map { String(decoding: $0, as: UTF8.self) }), not "
                + "\(wanted.map { String(decoding: $0, as: UTF8.self) })")
          }
          guard Output.rows(of: heard).map(\.spelling) == wanted else {
            throw VectorFailure("\(request.name) did not tell its listener")
          }
        }, close: { view.destroy() }))
  }

  /// Everything shown is what the server's version, with what is pending over it, comes to.
  func check() throws {
    let diagnostics = zero.diagnostics()
    var rows = server.versions[SessionServer.version(of: diagnostics.cookie)].rows
    for mutation in diagnostics.pending {
      guard let call = calls["\(mutation.clientID)/\(mutation.id)"] else {
        throw VectorFailure("mutation \(mutation.id) is pending and was never made")
      }
      let isReplayed =
        !mutation.clientID.utf8.elementsEqual(zero.clientID.utf8)
        || call.cookie != diagnostics.cookie
      let after = rows.after(call.step, isReplayed: isReplayed)
      try expect(
        (after == nil) == (mutation.failedPrediction != nil),
        "\(mutation.name) failed: \(mutation.failedPrediction ?? "no")")
      rows = after ?? rows
    }
    for view in views { try view.check(rows) }
    if let live {
      try expect(
        live.data.map(\.spelling) == rows.byRank().map(\.spelling), "the live query is off")
    }
    try expect(zero.pending.count == diagnostics.pending.count, "the count of pending is off")
  }

  /// The store holds all that it was given.
  func checkStore() throws {
    let diagnostics = zero.diagnostics()
    try expect(!diagnostics.isStoreInMemory, "the store cannot be opened")
    try expect(
      diagnostics.storeFailure == nil, "the store failed: \(diagnostics.storeFailure ?? "")")
  }

  /// With a server and a network that work, everything gets where it has to: every mutation that was in
  /// the store is processed, or on the list of refused ones.
  func settle() throws {
    for _ in 0..<40 {
      recover()
      try serve()
      deliver(server.poke())
      if isSettled { break }
    }
    try check()
    try expect(
      isSettled,
      "\(zero.pending.count) pending, cookie \(zero.diagnostics().cookie ?? "none") of "
        + "\(server.versions.count - 1) versions, \(zero.connection.state)")
    var listed: [String: Int] = [:]
    for mutation in zero.refusedMutations.mutations {
      listed["\(mutation.name) \(mutation.args.jsonString)", default: 0] += 1
    }
    for (key, call) in calls {
      guard case .success? = call.handle.persisted.result else { continue }
      let parts = key.split(separator: "/").map(String.init)
      let isProcessed = (server.latest.lastMutationIDs[parts[0]] ?? 0) >= Double(parts[1]) ?? 0
      if isProcessed { continue }
      let name = "\(call.step.kind.rawValue) \(try JSONValueEncoder().encode(call.step).jsonString)"
      try expect(
        !server.forgotten.isEmpty && listed[name] != nil,
        "mutation \(key), \(name), is neither processed nor refused")
      listed[name, default: 0] -= 1
    }
  }

  // MARK: -

  private var isSettled: Bool {
    let diagnostics = zero.diagnostics()
    return diagnostics.pending.isEmpty && zero.connection.state == .connected
      && SessionServer.version(of: diagnostics.cookie) == server.versions.count - 1
  }

  private static func makeZero(
    _ storage: any StoreProvider, _ sockets: InMemorySocketFactory, _ scheduler: ManualScheduler,
    _ activity: AppActivity, _ failures: StorageFailures
  ) throws -> Zero<Void> {
    var options = ZeroOptions(
      cacheURL: "https://zero.example", storage: storage, transport: sockets)
    options.logSink = nil
    options.offlineWrites = .queue(limit: 20_000)
    options.onStorageFailure = { failures.all.append($0) }
    return try Zero(
      schema: ZeroSchema(tables: [Item.table, Note.table]), userID: "ann", context: (),
      mutators: SessionMutators.all, options: options,
      environment: EngineEnvironment(
        storage: storage, sockets: sockets, scheduler: scheduler, activity: activity, inline: true))
  }

  private func openViews() throws {
    try open(SessionQueries.byRank()) { $0.byRank() }
    try open(SessionQueries.owned("a")) { $0.owned("a") }
    try open(SessionQueries.owned(nil)) { $0.owned(nil) }
    try open(SessionQueries.noted()) { $0.noted() }
    try open(SessionQueries.one("b")) { $0.one("b").map { [$0] } ?? [] }
    try open(SessionQueries.high(1)) { $0.high(1) }
    try open(SessionQueries.notes()) { $0.allNotes() }
    live = try zero.liveQuery(SessionQueries.byRank())
  }

  private func closeViews() {
    // Some by a call, the others with their last reference.
    for view in views.dropLast(3) { view.close() }
    views = []
    live = nil
  }

  private func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw VectorFailure(message()) }
  }
}

/// A view with what is known of it.
@MainActor struct CheckedView {
  let check: (SessionRows) throws -> Void
  let close: () -> Void
}

/// Rows that can be compared byte by byte.
protocol Spelled { var spelling: [UInt8] { get } }
extension Item: Spelled {}
extension Note: Spelled {}

/// The stores that sessions run on.
enum SessionStore: String, CaseIterable, Sendable {
  case memory, sqlite, lmdb

  func provider(in folder: TemporaryFolder) -> any StoreProvider {
    switch self {
    case .memory: MemoryStoreProvider()
    case .sqlite: SQLiteStoreProvider(directory: folder.path)
    case .lmdb: LMDBStoreProvider(directory: folder.path)
    }
  }
}
