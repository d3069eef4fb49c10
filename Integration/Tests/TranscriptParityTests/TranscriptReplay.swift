import IssueTracker
import IssueTrackerServer
import ZeroContracts
import ZeroProtocol

@testable import ZeroDevServer

/// Plays the client side of a recording against the development server and keeps what both servers
/// said.
@MainActor final class TranscriptReplay {
  private let scheduler = ManualScheduler()
  private let server: DevServer
  private let script: SQLScript
  private var sockets: [Int: ReplaySocket] = [:]
  private(set) var recorded: [Int: Conversation] = [:]
  /// Cookies of ours by those of the recording.
  private var cookies: [String: String] = [:]
  /// The last connection of each client.
  private var connections: [String: Int] = [:]
  /// Whether the recorded server is stopped: connections are not answered.
  private var isDown = false
  /// Statements that only Postgres can run, and what they lead to.
  private let substitutes: [String: (DatabaseTransaction) throws -> Void]

  init(substitutes: [String: (DatabaseTransaction) throws -> Void] = [:]) throws {
    let schema = try DatabaseSchema.issueTracker()
    server = DevServer(
      schema: schema, registry: .issueTracker, tokens: .issueTracker, scheduler: scheduler)
    try server.load(try SeedRows.small().tables)
    script = SQLScript(database: server.database)
    self.substitutes = substitutes
  }

  /// - Parameter end: the step before which to stop; nil to play all.
  func run(_ transcript: Transcript, until end: String? = nil) throws {
    for (time, event) in transcript.events {
      if case .step(let text) = event, let end, text == end { return }
      scheduler.advance(by: .milliseconds(max(0, time - scheduler.monotonicTime)))
      try play(event)
    }
  }

  var actual: [Int: Conversation] { sockets.mapValues(\.conversation) }

  // MARK: -

  private func play(_ event: Transcript.Event) throws {
    switch event {
    case .connect(let conn, let target, let subprotocol):
      let socket = ReplaySocket()
      sockets[conn] = socket
      recorded[conn] = Conversation()
      let client = Self.parameter("clientID", target)
      if Self.parameter("baseCookie", target) != "", let last = connections[client] {
        let rows = recorded[last]?.rows ?? [:]
        recorded[conn]?.rows = rows
        socket.conversation.rows = sockets[last]?.conversation.rows ?? [:]
      }
      connections[client] = conn
      guard !isDown else { return }
      var headers: [(name: String, value: String)] = []
      if let subprotocol { headers.append(("Sec-WebSocket-Protocol", subprotocol)) }
      let request = UpgradeRequest(target: translated(target), headers: headers)
      socket.connection = server.open(request, socket)
    case .send(let conn, let bytes):
      recorded[conn]?.sent(bytes)
      sockets[conn]?.conversation.sent(bytes)
      sockets[conn]?.connection?.receive(.text(bytes))
    case .receive(let conn, let message):
      recorded[conn]?.received(message)
      learnCookie(of: conn)
    case .clientClose(let conn): sockets[conn]?.connection?.closed()
    case .close(let conn, let code, let reason):
      recorded[conn]?.closed(code: code, reason: reason)
      sockets[conn]?.recordedClose(code: code, reason: reason)
      sockets[conn]?.connection?.closed()
    case .sql(let text):
      try server.write { transaction in
        if let substitute = substitutes[text] {
          try substitute(transaction)
        } else {
          try script.run(text, transaction)
        }
      }
    case .step(let text):
      if text == "zero-cache is told to stop" {
        isDown = true
        for conn in sockets.keys.sorted() { sockets[conn]?.shutDown() }
      }
      if text == "zero-cache answers its health check" { isDown = false }
      if text.contains("revokes the renewed token") {
        server.registryBackend?.tokens.revoke("token-u1-renewed")
      }
      if text.contains("revokes token-u1;") { server.registryBackend?.tokens.revoke("token-u1") }
      if text.contains("claims userID u2") { server.registryBackend?.tokens.restore("token-u1") }
    }
  }

  /// The recorded cookie of the last poke stands for the one this server has sent last.
  private func learnCookie(of conn: Int) {
    guard case .string(let theirs)? = recorded[conn]?.cookies.last?.cookie,
      case .string(let ours)? = sockets[conn]?.conversation.cookies.last?.cookie
    else { return }
    cookies[theirs] = ours
  }

  private static func parameter(_ name: String, _ target: String) -> String {
    guard let start = target.firstRange(of: "\(name)=") else { return "" }
    return String(target[start.upperBound...].prefix { $0 != "&" })
  }

  private func translated(_ target: String) -> String {
    guard let start = target.firstRange(of: "baseCookie=") else { return target }
    let rest = target[start.upperBound...]
    let value = rest.prefix { $0 != "&" }
    let cookie = PercentEncoding.decode(form: value)
    guard let ours = cookies[cookie] else { return target }
    return target[..<start.upperBound] + ours.replacing(":", with: "%3A")
      + rest.dropFirst(value.count)
  }
}

/// The client's end of a connection to the development server.
@MainActor final class ReplaySocket: DevServerSocket {
  var connection: ServerConnection?
  var conversation = Conversation()
  private var isClosed = false

  func send(text: [UInt8]) { conversation.received(WireMessage(text, isBinary: false)) }
  func send(binary: [UInt8]) { conversation.received(.chunk(binary)) }

  func close(code: UInt16?, reason: String) {
    isClosed = true
    conversation.closed(code: code.map(Int.init) ?? 1005, reason: reason)
  }

  /// The server closes as it stops.
  func shutDown() {
    guard !isClosed, let connection else { return }
    close(code: nil, reason: "")
    connection.closed()
  }

  func abort() { close(code: 1006, reason: "") }

  /// The recorded client has closed: its code says nothing about the server.
  func recordedClose(code: Int, reason: String) {
    if !isClosed { conversation.closed(code: code, reason: reason) }
  }
}
