import EndToEnd
import FaultProxy
import Foundation
import IssueTracker
import ZeroProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Clients in processes of their own that change the same issues over links that fail, while they and
/// the server are killed and restarted; in the end everything has to agree.
@MainActor public final class ConvergenceRun {
  public struct Setup: Sendable {
    /// Starts the random numbers: of the faults, and of the clients.
    public var seed: UInt64
    public var clients = 8
    /// How long to go on before the end is checked.
    public var extent: Extent
    /// Folder of the executables `zero-dev-server` and `zero-e2e`.
    public var executables: String
    /// An empty folder for the files of clients and server.
    public var directory: String

    public init(seed: UInt64, extent: Extent, executables: String, directory: String) {
      self.seed = seed
      self.extent = extent
      self.executables = executables
      self.directory = directory
    }
  }

  /// How long a run goes on.
  public enum Extent: Sendable {
    case seconds(Double)
    /// A number of mutations, kills and faults, whatever time they take.
    case steps(Int)
  }

  /// What happened.
  public struct Report: Sendable {
    public var mutations = 0
    public var rows = 0
    public var clientKills = 0
    public var serverKills = 0
    public var faults = 0
    /// Issues in the end.
    public var issues = 0
  }

  private let setup: Setup
  private var random: SeedRandom
  private var report = Report()
  private var server: ChildProcess?
  private var serverPort: UInt16 = 0
  private var clients: [RunningClient] = []
  /// Rows that a client has said are in its store.
  private var accepted: Set<String> = []
  /// Mutations that a client was killed over: each may have been stored or not.
  private var uncertain = 0

  /// A worker process behind its own proxy.
  private final class RunningClient {
    let name: String
    let proxy: FaultProxy
    let arguments: [String]
    var process: ChildProcess

    init(name: String, proxy: FaultProxy, arguments: [String], process: ChildProcess) {
      self.name = name
      self.proxy = proxy
      self.arguments = arguments
      self.process = process
    }
  }

  public init(_ setup: Setup) {
    self.setup = setup
    random = SeedRandom(setup.seed)
  }

  /// Runs as long as it is to, then lets everything settle and checks it.
  /// - Throws: `CheckFailure` with what does not agree.
  public func run() async throws -> Report {
    try await startServer()
    for number in 0..<setup.clients { try await addClient(number) }
    switch setup.extent {
    case .seconds(let seconds):
      let clock = ContinuousClock()
      let end = clock.now + .seconds(seconds)
      while clock.now < end { try await step() }
    case .steps(let count): for _ in 0..<count { try await step() }
    }
    try await check()
    for client in clients {
      client.process.send("quit")
      _ = try await client.process.line()
    }
    try await server?.kill()
    return report
  }

  // MARK: -

  private func startServer() async throws {
    let process = try ChildProcess(
      "\(setup.executables)/zero-dev-server",
      ["--port", "0", "--data", "\(setup.directory)/server"])
    let line = try await process.line()
    guard let text = line.split(separator: ":").last, let port = UInt16(text) else {
      throw CheckFailure("the server says \"\(line)\" instead of where it listens")
    }
    server = process
    serverPort = port
    for client in clients { client.proxy.redirect(to: port) }
  }

  private func addClient(_ number: Int) async throws {
    let proxy = try FaultProxy(upstream: serverPort)
    let storage: ClientStorage = number % 2 == 0 ? .sqlite : .lmdb
    let arguments = [
      "worker", "http://127.0.0.1:\(proxy.port)", "u1", "token-u1", storage.rawValue,
      "\(setup.directory)/client\(number)", "w\(number)",
    ]
    let process = try await startClient(arguments)
    clients.append(
      RunningClient(name: "w\(number)", proxy: proxy, arguments: arguments, process: process))
  }

  private func startClient(_ arguments: [String]) async throws -> ChildProcess {
    let process = try ChildProcess(
      "\(setup.executables)/zero-e2e", arguments + ["\(random.next() >> 1)"])
    let line = try await process.line()
    guard line == "ready" else { throw CheckFailure("a client says \"\(line)\"") }
    return process
  }

  private func step() async throws {
    let client = clients[random.below(clients.count)]
    switch random.below(100) {
    case 0..<62: try await mutate(client, 1 + random.below(5))
    case 62..<70: try await killWhileWriting(client)
    case 70..<72: try await restartServer()
    case 72..<97: disturb(client)
    default: for client in clients { client.proxy.conditions = .init() }
    }
    try await Task.sleep(for: .milliseconds(random.below(40)))
  }

  private func mutate(_ client: RunningClient, _ count: Int) async throws {
    client.process.send("mutate \(count)")
    let line = try await client.process.line()
    let words = line.split(separator: " ").map(String.init)
    guard words.count >= 2, words[0] == "mutated" else {
      throw CheckFailure("\(client.name) says \"\(line)\"")
    }
    report.mutations += count
    accepted.formUnion(words[2...])
  }

  private func killWhileWriting(_ client: RunningClient) async throws {
    let count = 1 + random.below(20)
    client.process.send("mutate \(count)")
    try await Task.sleep(for: .milliseconds(random.below(15)))
    try await client.process.kill()
    uncertain += count
    report.clientKills += 1
    client.process = try await startClient(client.arguments)
  }

  private func restartServer() async throws {
    try await server?.kill()
    report.serverKills += 1
    try await Task.sleep(for: .milliseconds(random.below(200)))
    try await startServer()
  }

  private func disturb(_ client: RunningClient) {
    report.faults += 1
    switch random.below(6) {
    case 0: client.proxy.cut()
    case 1: client.proxy.conditions.delay = Double(random.below(80))
    case 2: client.proxy.conditions.isFrozen.toggle()
    case 3: client.proxy.conditions.isRefusing.toggle()
    case 4: client.proxy.conditions.cutAfterBytes = 500 + random.below(50_000)
    default: client.proxy.conditions = .init()
    }
  }

  // MARK: -

  private func check() async throws {
    for client in clients { client.proxy.conditions = .init() }
    for client in clients { client.process.send("settle") }
    for client in clients {
      let line = try await client.process.line()
      guard line == "settled" else { throw CheckFailure("\(client.name) says \"\(line)\"") }
    }
    // Settled clients have sent everything, but not heard of each other yet.
    let issues = try await serverIssues()
    report.issues = issues.elements.count
    for client in clients {
      var shown = JSONValue.null
      let clock = ContinuousClock()
      let end = clock.now + .seconds(120)
      while true {
        client.process.send("dump")
        let line = try await client.process.line()
        shown = try JSONValue(parsing: String(line.dropFirst("issues ".count)))
        if shown == issues || clock.now >= end { break }
        try await Task.sleep(for: .milliseconds(50))
      }
      try expect(
        shown == issues,
        "\(client.name) shows the server's \(issues.elements.count) issues, not other "
          + "\(shown.elements.count)")
    }
    try await checkMutations(issues)
  }

  /// Every accepted row is there, and every mutation was counted once.
  private func checkMutations(_ issues: JSONValue) async throws {
    var rows: Set<String> = []
    for table in ["issue", "comment"] {
      let answer = try await control(["do": "rows", "table": table])
      rows.formUnion(answer["rows"].elements.map { $0["id"].text })
    }
    let lost = accepted.subtracting(rows)
    try expect(lost.isEmpty, "no accepted row is lost, but \(lost.sorted().prefix(5)) are")
    report.rows = accepted.count
    let counted = try await control(["do": "mutationIDs"])["mutationIDs"].elements
      .reduce(0) { $0 + Int($1["id"].number) }
    try expect(
      (report.mutations...(report.mutations + uncertain)).contains(counted),
      "the server has counted \(counted) mutations; \(report.mutations) were accepted, and up to "
        + "\(uncertain) more may have been")
  }

  /// The server's issues as clients dump them.
  private func serverIssues() async throws -> JSONValue {
    let answer = try await control(["do": "rows", "table": "issue"])
    let issues = answer["rows"].elements.filter { $0["project_id"].text == "p2" }
    let sorted = issues.sorted { a, b in
      if a["created_at"].number != b["created_at"].number {
        return a["created_at"].number > b["created_at"].number
      }
      return TextOrder.utf8(a["id"].text, b["id"].text) < 0
    }
    return .array(
      sorted.map { .array([$0["id"], $0["title"], $0["status"], $0["created_at"]]) })
  }

  private func control(_ command: [String: String]) async throws -> JSONValue {
    guard let url = URL(string: "http://127.0.0.1:\(serverPort)/control") else { return .null }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = try JSONSerialization.data(withJSONObject: command)
    let (data, _) = try await URLSession.shared.data(for: request)
    return try JSONValue(parsing: [UInt8](data))
  }
}

extension JSONValue {
  fileprivate subscript(member: String) -> JSONValue {
    if case .object(let object) = self { object[member] ?? .null } else { .null }
  }

  fileprivate var elements: [JSONValue] {
    if case .array(let elements) = self { elements } else { [] }
  }

  fileprivate var text: String { if case .string(let text) = self { text } else { "" } }

  fileprivate var number: Double { if case .number(let number) = self { number } else { 0 } }
}
