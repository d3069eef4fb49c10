import BenchKit
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// A client with a server in the same process: no network, no delay, time moved by hand.
///
/// Storage and the decoding of large pokes, which an app's client leaves to a queue in the background,
/// run on the calling thread, each within the call that causes it.
@MainActor final class BenchClient {
  let engine: ClientEngine
  let scheduler = ManualScheduler(wallStart: 1_800_000_000_000)
  private let sockets = BenchSockets()
  private let environment: EngineEnvironment
  private var writer: PokeWriter
  private var views: [EngineView] = []
  private var clock = EditClock()
  /// Mutations that the server has not confirmed, as issue and edit.
  private var unconfirmed: [(issue: Int, edit: JSONObject)] = []
  private var lastMutationID = 0
  /// When a listener was called last.
  private var lastCall: ContinuousClock.Instant?
  private(set) var notifications = 0

  init(_ storage: any StoreProvider, pingTimeout: Duration = .seconds(1_000_000)) throws {
    environment = EngineEnvironment(
      storage: storage, sockets: sockets, scheduler: scheduler, inline: true)
    var options = BenchClient.options(serverURL: "https://zero.example")
    options.pingTimeout = pingTimeout
    engine = try ClientEngine(options, environment)
    writer = PokeWriter(clientID: engine.clientID)
  }

  /// The options of every client of the workloads.
  static func options(serverURL: String) -> EngineOptions {
    var options = EngineOptions(schema: IssueData.schema)
    options.serverURL = serverURL
    options.userID = "bench"
    options.auth = BenchServer.token
    options.mutators = [
      MutatorDefinition("issue.edit") { tx, args in
        guard case .object(let args)? = args else { return }
        try tx.table("issue").update(args)
      },
      MutatorDefinition("issue.insert") { tx, args in
        guard case .object(let args)? = args else { return }
        try tx.table("issue").insert(args)
      },
    ]
    return options
  }

  func connect() {
    sockets.latest?.accept()
    sockets.latest?.receive(text: PokeWriter.connected)
  }

  func disconnect() { sockets.latest?.drop() }

  func pong() { sockets.latest?.receive(text: #"["pong",{}]"#) }

  func close() { _ = engine.close() }

  /// Messages that the client has sent on this connection.
  var sentCount: Int { sockets.latest?.sentCount ?? 0 }

  /// When the client sent pushes on this connection.
  var pushes: [ContinuousClock.Instant] { sockets.latest?.pushes ?? [] }

  // MARK: - Views

  func list(_ priority: Int, _ limit: Int) throws -> AnyQuery {
    try BenchQueries.list(priority, limit)
  }

  @discardableResult
  func open(_ query: AnyQuery) throws -> EngineView {
    let view = try engine.materialize(query.ast, query.format, query.customQueryID)
    view.addListener { [weak self] _, _, _ in
      self?.notifications += 1
      self?.lastCall = .now
    }
    views.append(view)
    return view
  }

  func openMix(_ count: Int, _ data: IssueData) throws {
    for v in 0..<count { try open(BenchQueries.mixed(v, data)) }
  }

  func closeViews() {
    for view in views { view.destroy() }
    views = []
  }

  // MARK: - Pokes

  /// The next poke, made before anything is timed.
  /// - Parameter refusing: a mutation of this client that the server's mutator threw out.
  func poke(
    _ puts: [[UInt8]], lastMutationID: Int? = nil, refusing: Int? = nil, gotQueries: Bool = false
  ) -> PokeWriter.Poke {
    let got = gotQueries ? engine.diagnostics().queries.map(\.hash) : []
    return writer.poke(
      puts, .init(lastMutationID: lastMutationID, refusing: refusing, got: got))
  }

  func deliver(_ poke: PokeWriter.Poke) {
    sockets.latest?.receive(poke.messages)
    scheduler.advance(by: .zero)
  }

  /// The poke that confirms all mutations so far and brings the rows that they changed.
  func confirmation(_ data: IssueData) -> PokeWriter.Poke {
    let puts = unconfirmed.map { IssueData.put("issue", data.issue($0.issue, with: $0.edit)) }
    unconfirmed = []
    return poke(puts, lastMutationID: lastMutationID)
  }

  // MARK: - Edits

  func edit(_ issue: Int) -> JSONObject { clock.edit(issue) }

  /// An edited row as the server sends it.
  func editedPut(_ issue: Int, _ data: IssueData) -> [UInt8] {
    IssueData.put("issue", data.issue(issue, with: edit(issue)))
  }

  @discardableResult
  func mutate(_ issue: Int) throws -> EngineMutation { try mutate(issue, edit(issue)) }

  @discardableResult
  func mutate(_ issue: Int, _ edit: JSONObject) throws -> EngineMutation {
    unconfirmed.append((issue, edit))
    lastMutationID += 1
    return try engine.mutate("issue.edit", .object(edit))
  }

  func turn<T>(_ body: @MainActor () throws -> T) rethrows -> T { try environment.turn(body) }

  // MARK: - Time

  /// Milliseconds from the start of a step.
  struct Timing {
    /// To the last call of a listener.
    var toListener: Double
    /// To the end of everything that the step caused, storing included.
    var toEnd: Double
  }

  /// Times a step that changes what views show.
  /// - Throws: if no listener is called.
  func time(_ body: () throws -> Void) throws -> Timing {
    lastCall = nil
    let start = ContinuousClock.now
    try body()
    let end = ContinuousClock.now
    guard let lastCall else { throw BenchFailure("no view changed") }
    return Timing(
      toListener: (lastCall - start).seconds * 1000, toEnd: (end - start).seconds * 1000)
  }
}

/// A workload did not do what it is to measure.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
