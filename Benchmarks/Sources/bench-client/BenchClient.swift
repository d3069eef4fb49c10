@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// A client with a server in the same process: no network, no delay, time moved by hand.
@MainActor final class BenchClient {
  let engine: ClientEngine
  let scheduler = ManualScheduler(wallStart: 1_800_000_000_000)
  private let sockets = InMemorySocketFactory()
  private let environment: EngineEnvironment
  private var views: [EngineView] = []
  private(set) var notifications = 0
  private var cookie = 0
  private var clock = 1_800_000_000_000.0

  init(
    _ storage: any StoreProvider, pingTimeout: Duration = .seconds(1_000_000)
  ) throws {
    environment = EngineEnvironment(
      storage: storage, sockets: sockets, scheduler: scheduler, inline: true)
    var options = EngineOptions(schema: IssueData.schema)
    options.serverURL = "https://zero.example"
    options.userID = "bench"
    options.pingTimeout = pingTimeout
    options.mutators = [
      MutatorDefinition("issue.edit") { tx, args in
        guard case .object(let args)? = args else { return }
        try tx.table("issue").update(args)
      }
    ]
    engine = try ClientEngine(options, environment)
  }

  func connect() {
    sockets.latest?.accept()
    sockets.latest?.receive(text: #"["connected",{"wsid":"w"}]"#)
  }

  func disconnect() { sockets.latest?.finish(SocketClose(code: 1006, wasClean: false)) }

  func pong() { sockets.latest?.receive(text: #"["pong",{}]"#) }

  func close() { _ = engine.close() }

  func takeSent() -> Int { sockets.latest?.takeSent().count ?? 0 }

  // MARK: - Queries

  private func table(_ name: String) throws -> AnyQuery {
    try AnyQuery(IssueData.schema, table: name)
  }

  func list(_ priority: Int, _ limit: Int) throws -> AnyQuery {
    try table("issue").where("open", .bool(true)).where("priority", .number(Double(priority)))
      .orderBy("modified", .desc).limit(limit)
      .named("list", args: [.number(Double(priority)), .number(Double(limit))])
  }

  func withComments(_ creator: Int) throws -> AnyQuery {
    let id = IssueData.id("u", creator)
    return try table("issue").where("creatorID", .string(id)).orderBy("created", .desc).limit(20)
      .related("comments") { try $0.orderBy("created", .desc).limit(10) }
      .named("withComments", args: [.string(id)])
  }

  func labeled(_ name: String) throws -> AnyQuery {
    try table("issue").whereExists("issueLabels") { $0.where("name", .string(name)) }
      .orderBy("modified", .desc).limit(50).named("labeled", args: [.string(name)])
  }

  func byID(_ issue: Int) throws -> AnyQuery {
    let id = IssueData.id("i", issue)
    return try table("issue").where("id", .string(id)).one().named("byID", args: [.string(id)])
  }

  func page() throws -> AnyQuery {
    try table("issue").orderBy("modified", .desc).limit(50)
      .related("comments") { try $0.orderBy("created", .desc).limit(10) }.named("page", args: [])
  }

  func all() throws -> AnyQuery { try table("issue").named("all", args: []) }

  /// View number `v` of the mix.
  func mixed(_ v: Int, _ data: IssueData) throws -> AnyQuery {
    let k = v / 4
    return switch v % 4 {
    case 0: try list(k % 5, max(1, 50 - k / 5))
    case 1: try withComments(k % data.userCount)
    case 2: try labeled("name-\(k % 20)")
    default: try byID(997 * k % data.issueCount)
    }
  }

  @discardableResult
  func open(_ query: AnyQuery) throws -> EngineView {
    let view = try engine.materialize(query.ast, query.format, query.customQueryID)
    view.addListener { [weak self] _, _, _ in self?.notifications += 1 }
    views.append(view)
    return view
  }

  func openMix(_ count: Int, _ data: IssueData) throws {
    for v in 0..<count { try open(mixed(v, data)) }
  }

  func closeViews() {
    for view in views { view.destroy() }
    views = []
  }

  // MARK: - Pokes

  /// The frames of a poke, made before anything is timed.
  struct Poke { let messages: [SocketMessage] }

  /// - Parameter refusing: a mutation of this client that the server's mutator threw out.
  func poke(
    _ puts: [[UInt8]], lastMutationID: Int? = nil, refusing: Int? = nil, gotQueries: Bool = false
  ) -> Poke {
    var payload: [UInt8] = Array("[".utf8)
    let id = "p\(cookie)"
    let base = cookie == 0 ? "null" : "\"\(Self.name(cookie))\""
    cookie += 1
    var start = 0
    repeat {
      if start > 0 { payload.append(UInt8(ascii: ",")) }
      payload += Array("{\"pokeID\":\"\(id)\"".utf8)
      if start == 0, let lastMutationID {
        payload += Array(
          ",\"lastMutationIDChanges\":{\"\(engine.clientID)\":\(lastMutationID)}".utf8)
      }
      if start == 0, let refusing {
        let id = "{\"clientID\":\"\(engine.clientID)\",\"id\":\(refusing)}"
        let result = "{\"error\":\"app\",\"message\":\"not allowed\"}"
        payload += Array(
          (",\"mutationsPatch\":[{\"op\":\"put\",\"mutation\":{\"id\":\(id),"
            + "\"result\":\(result)}}]").utf8)
      }
      let end = min(puts.count, start + 100)
      payload += Array(",\"rowsPatch\":[".utf8)
      for place in start..<end {
        if place > start { payload.append(UInt8(ascii: ",")) }
        payload += puts[place]
      }
      payload += Array("]".utf8)
      if gotQueries && end == puts.count {
        let hashes = engine.diagnostics().queries.map { "{\"op\":\"put\",\"hash\":\"\($0.hash)\"}" }
        payload += Array(",\"gotQueriesPatch\":[\(hashes.joined(separator: ","))]".utf8)
      }
      payload += Array("}".utf8)
      start = end
    } while start < puts.count
    payload += Array("]".utf8)
    var messages: [SocketMessage] = [
      .text(Array("[\"pokeStart\",{\"pokeID\":\"\(id)\",\"baseCookie\":\(base)}]".utf8))
    ]
    var place = 0
    while place < payload.count {
      let end = min(payload.count, place + (1 << 20) - 1)
      messages.append(.binary([0] + payload[place..<end]))
      place = end
    }
    messages.append(
      .text(Array("[\"pokeEnd\",{\"pokeID\":\"\(id)\",\"cookie\":\"\(Self.name(cookie))\"}]".utf8)))
    return Poke(messages: messages)
  }

  func deliver(_ poke: Poke) {
    sockets.latest?.receive(poke.messages)
    scheduler.advance(by: .zero)
  }

  private static func name(_ cookie: Int) -> String {
    let text = String(cookie, radix: 36)
    return "\(UnicodeScalar(UInt8(ascii: "a") + UInt8(text.count)))\(text)"
  }

  // MARK: - Edits

  /// The columns that an edit of an issue sets: it goes to the top of every list it is in.
  func edit(_ issue: Int) -> JSONObject {
    clock += 1
    return [
      "id": .string(IssueData.id("i", issue)), "title": .string("edit \(Int(clock))"),
      "modified": .number(clock),
    ]
  }

  /// The edited row as the server sends it.
  func editedPut(_ issue: Int, _ data: IssueData) -> [UInt8] {
    var row = data.issue(issue)
    for (column, value) in edit(issue).members { row[column] = value }
    return IssueData.put("issue", row)
  }

  @discardableResult
  func mutate(_ issue: Int) throws -> EngineMutation {
    try engine.mutate("issue.edit", .object(edit(issue)))
  }

  func turn<T>(_ body: @MainActor () throws -> T) rethrows -> T { try environment.turn(body) }
}
