@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroProtocol

/// Plays the server's side of a recorded flow to our client, at the recorded times, while the
/// application does what it did then.
@MainActor final class TranscriptReplay {
  private let app: TranscriptApp
  private let plan: TranscriptPlan
  private let events: [VectorCase]
  private let makeStorage: () throws -> any StoreProvider
  private let scheduler = ManualScheduler(wallStart: 1_796_022_788_000)
  private let sockets = InMemorySocketFactory()
  private var clients: [String: TranscriptClient] = [:]
  private var connections: [Int: InMemorySocket] = [:]
  private var taken: Set<ObjectIdentifier> = []
  private var ids = TranscriptIDs()
  private var remaining: ArraySlice<TranscriptPlan.Action>

  init(
    _ app: TranscriptApp, _ events: [VectorCase],
    makeStorage: @escaping () throws -> any StoreProvider
  ) throws {
    self.app = app
    self.events = events
    self.makeStorage = makeStorage
    plan = try TranscriptPlan(events)
    remaining = plan.actions[...]
  }

  /// - Throws: ``VectorFailure`` if the application or the server would have noticed a difference.
  func run() throws {
    defer { for client in clients.values { _ = client.engine.close() } }
    for (index, event) in events.enumerated() {
      do {
        try advance(to: try event.number("t"))
        try play(event)
      } catch {
        throw VectorFailure("event \(index): \(error)")
      }
    }
    try TranscriptComparison(events).check(clients)
    try compareMessages()
  }

  // MARK: -

  private func advance(to time: Double) throws {
    while let action = remaining.first, action.time <= time {
      move(to: action.time)
      guard let client = clients[action.client] else { break }
      remaining.removeFirst()
      try client.perform(action)
    }
    move(to: time)
  }

  private func move(to time: Double) {
    scheduler.advance(by: .milliseconds(max(0, time - scheduler.monotonicTime)))
  }

  private func play(_ event: VectorCase) throws {
    switch try event.string("type") {
    case "client": try playClient(event)
    case "connect": try playConnect(event)
    case "open": connections[try event.int("conn")]?.accept()
    case "recv":
      let socket = connections[try event.int("conn")]
      if event.has("text") {
        socket?.receive([.text(ids.replaced(Array(try event.string("text").utf8)))])
      } else {
        socket?.receive([.binary(ids.replaced(try decodeBase64(try event.string("base64"))))])
      }
    case "close":
      guard let code = UInt16(exactly: try event.int("code")) else {
        throw VectorFailure("a close code out of range")
      }
      connections[try event.int("conn")]?.finish(
        SocketClose(
          code: code, reason: try event.string("reason"), wasClean: try event.bool("wasClean")))
    default: break
    }
  }

  private func playClient(_ event: VectorCase) throws {
    let name = try event.string("client")
    switch try event.string("what") {
    case "created": try create(name, try Fields(event.json("value")))
    case "connectionState":
      guard let client = clients[name] else { return }
      switch try Fields(event.json("value")).string("name") {
      case "closed": _ = client.engine.close()
      case "connecting": resume(client, name, after: try event.number("t"))
      default: break
      }
    default: break
    }
  }

  private func create(_ name: String, _ value: Fields) throws {
    // The recorded clients share no storage.
    let environment = EngineEnvironment(
      storage: try makeStorage(), sockets: sockets, scheduler: scheduler, inline: true)
    let client = try environment.turn {
      let client = try TranscriptClient(
        app, userID: try value.optionalString("userID"), token: plan.tokens[name]?.first?.token,
        environment: environment)
      for action in plan.initial[name] ?? [] { try client.perform(action) }
      return client
    }
    client.listen()
    clients[name] = client
    try ids.add(try value.string("clientID"), client.engine.clientID)
    guard let group = try client.engine.clientGroupID.result?.get() else {
      throw VectorFailure("the storage of \(name) did not open")
    }
    try ids.add(try value.string("clientGroupID"), group)
  }

  /// The application leaves a paused state, with the token that the next header has.
  private func resume(_ client: TranscriptClient, _ name: String, after time: Double) {
    switch client.engine.connectionState {
    case .needsAuth, .error:
      let token = plan.tokens[name]?.first { $0.time > time }?.token
      _ = client.engine.connect(auth: token)
    default: break
    }
  }

  /// Takes the socket that our client has opened last. Our timers may be due a little later than those
  /// of the recorded client were.
  private func playConnect(_ event: VectorCase) throws {
    let conn = try event.int("conn")
    let name = try event.string("client")
    guard let client = clients[name] else { throw VectorFailure("client \(name) is not there") }
    let marker = "clientID=\(client.engine.clientID)&"
    func opened() -> InMemorySocket? {
      sockets.sockets.last {
        $0.state == .connecting && $0.request.url.contains(marker)
          && !taken.contains(ObjectIdentifier($0))
      }
    }
    for _ in 0..<100 where opened() == nil { scheduler.advance(by: .milliseconds(1)) }
    guard let socket = opened() else { throw VectorFailure("client \(name) does not connect") }
    taken.insert(ObjectIdentifier(socket))
    connections[conn] = socket
    let url = try event.string("url")
    for parameter in ["baseCookie", "lmid"] {
      try expectEqual(
        Self.value(parameter, in: socket.request.url) ?? "none",
        Self.value(parameter, in: url) ?? "none", parameter)
    }
  }

  private static func value(_ parameter: String, in url: String) -> String? {
    url.split(separator: "?").last?.split(separator: "&")
      .first { $0.hasPrefix(parameter + "=") }.map { String($0.dropFirst(parameter.count + 1)) }
  }

  private func compareMessages() throws {
    for (conn, socket) in connections.sorted(by: { $0.key < $1.key }) {
      let sends = try events.filter {
        try $0.string("type") == "send" && $0.int("conn") == conn && $0.has("text")
      }
      let expected = try sends.compactMap {
        try TranscriptMessage.comparable(ids.replaced(Array(try $0.string("text").utf8)))
      }
      let actual = try socket.sentTexts.compactMap {
        try TranscriptMessage.comparable(Array($0.utf8))
      }
      try expectEqual(JSONValue.array(actual), .array(expected), "messages on socket \(conn)")
    }
  }
}

/// The IDs of the recorded clients and groups, and ours.
struct TranscriptIDs {
  private var pairs: [(recorded: [UInt8], own: [UInt8])] = []

  /// - Throws: ``VectorFailure`` if the two differ in length, which would move the ends of frames.
  mutating func add(_ recorded: String, _ own: String) throws {
    guard recorded.utf8.count == own.utf8.count else {
      throw VectorFailure("ID \(recorded) has another length than \(own)")
    }
    pairs.append((Array(recorded.utf8), Array(own.utf8)))
  }

  /// The frame with our IDs in place of the recorded ones.
  func replaced(_ frame: [UInt8]) -> [UInt8] {
    var frame = frame
    for (recorded, own) in pairs {
      var start = frame.startIndex
      while let found = frame[start...].firstRange(of: recorded) {
        frame.replaceSubrange(found, with: own)
        start = found.upperBound
      }
    }
    return frame
  }
}

/// A client's message without what differs from run to run.
enum TranscriptMessage {
  /// Nil for a ping, whose time depends on how busy the socket was.
  static func comparable(_ text: [UInt8]) throws -> JSONValue? {
    guard case .array(var parts) = try JSONValue(parsing: text), parts.count == 2,
      case .object(var body) = parts[1]
    else { throw VectorFailure("a message is no pair") }
    if parts[0] == .string("ping") { return nil }
    body["timestamp"] = nil
    body["requestID"] = nil
    if case .array(let mutations)? = body["mutations"] {
      body["mutations"] = .array(
        mutations.map { mutation in
          guard case .object(var mutation) = mutation else { return mutation }
          mutation["timestamp"] = nil
          return .object(mutation)
        })
    }
    parts[1] = .object(body)
    return .array(parts)
  }
}
