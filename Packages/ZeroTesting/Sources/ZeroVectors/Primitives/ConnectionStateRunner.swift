@_spi(Engine) import ZeroClient
import ZeroProtocol

extension VectorRunner {
  static let connectionStates = VectorRunner(
    fields: ["ops", "states", "options"],
    headerFields: ["defaultOptions", "statuses"],
    prepare: { file in
      let statuses = try file.header("statuses")
      guard case .object(let defaults) = try file.header("defaultOptions") else {
        throw VectorFailure("defaultOptions is not understood")
      }
      try expectEqual(
        .number(ConnectionStateMachine.windowCheckInterval),
        defaults["timeoutCheckIntervalMs"] ?? .null, "timeoutCheckIntervalMs")
      return { test in
        var connection = try ScriptedConnection(
          test.has("options") ? try test.object("options") : [:], defaults: defaults)
        let ops = try test.array("ops")
        let states = try test.array("states")
        try expectEqual(states.count, ops.count + 1, "number of states")
        try expectEqual(connection.json(returned: nil), states[0], "state at the start")
        for (index, (op, expected)) in zip(ops, states.dropFirst()).enumerated() {
          let returned = try connection.run(op)
          try expectEqual(
            withoutGeneratedTexts(connection.json(returned: returned)),
            withoutGeneratedTexts(expected), "state after op \(index)")
          try check(connection.machine, statuses)
        }
      }
    })

  // MARK: -

  /// The texts of reasons that the library makes up itself may differ.
  private static func withoutGeneratedTexts(_ state: JSONValue) -> JSONValue {
    guard case .object(var object) = state, case .string(let text)? = object["visibleReason"],
      !ScriptedConnection.reasons.keys.contains(text)
    else { return state }
    object["visibleReason"] = .bool(true)
    return .object(object)
  }

  private static func check(_ machine: ConnectionStateMachine, _ statuses: JSONValue) throws {
    guard case .object(let statuses) = statuses,
      case .object(let status)? = statuses[machine.state.statusName]
    else { throw VectorFailure("no status \(machine.state.statusName)") }
    try expectEqual(
      .object([
        "isTerminal": .bool(machine.isPaused), "runLoopContinues": .bool(machine.isRunning),
      ]), .object(status), "what depends on the status alone")
  }
}

/// A state machine with a clock that a script moves.
private struct ScriptedConnection {
  private(set) var machine: ConnectionStateMachine
  private var now: Double = 0
  private var nextCheck: Double?
  private var published = 0
  private let checkInterval: Double

  static let reasons: [String: ZeroError] = [
    "offline": .client(ClientError(.offline, "offline")),
    "hidden": .client(ClientError(.hidden, "hidden")),
    "abrupt": .client(ClientError(.abruptClose, "abrupt")),
    "ping": .client(ClientError(.pingTimeout, "ping")),
    "auth": .server(ServerError(.unauthorized, message: "auth", origin: .zeroCache)),
    "fatal": .client(ClientError(.internal, "fatal")),
    "push401": .server(
      ServerError(
        .pushFailed, message: "push401", origin: .zeroCache,
        payload: .push(
          EndpointFailure(.http, status: 401, bodyPreview: "body"), mutationIDs: []))),
    "query403": .server(
      ServerError(
        .transformFailed, message: "query403", origin: .zeroCache,
        payload: .transform(EndpointFailure(.http, status: 403), queryIDs: []))),
  ]

  init(_ options: JSONObject, defaults: JSONObject) throws {
    for (name, _) in options.members + defaults.members
    where !["disconnectTimeout", "timeoutCheckIntervalMs"].contains(name) {
      throw VectorFailure("option \(name) is not understood")
    }
    guard
      case .number(let timeout)? = options["disconnectTimeout"] ?? defaults["disconnectTimeout"],
      case .number(let interval)? = options["timeoutCheckIntervalMs"]
        ?? defaults["timeoutCheckIntervalMs"]
    else { throw VectorFailure("options are no numbers") }
    machine = ConnectionStateMachine(disconnectTimeout: timeout, at: 0)
    checkInterval = interval
    nextCheck = interval
  }

  /// What the op returned, if it returns anything.
  mutating func run(_ op: JSONValue) throws -> Bool? {
    published = 0
    guard case .array(let parts) = op, case .string(let name)? = parts.first else {
      throw VectorFailure("op \(op.jsonString) is not understood")
    }
    switch (name, parts.count) {
    case ("connecting", 1): perform(machine.connecting(at: now))
    case ("connecting", 2): perform(machine.connecting(reason: try reason(parts[1]), at: now))
    case ("connected", 1): perform(machine.connected())
    case ("disconnected", 2): perform(machine.disconnected(try reason(parts[1])))
    case ("needsAuth", 2): perform(machine.needsAuth(try reason(parts[1])))
    case ("error", 2): perform(machine.error(try reason(parts[1])))
    case ("closed", 1): perform(machine.closed())
    case ("requestConnect", 1): machine.requestConnect()
    case ("resume", 1):
      guard let actions = machine.resume(at: now) else { return false }
      perform(actions)
      return true
    case ("advance", 2):
      guard case .number(let time) = parts[1] else { throw VectorFailure("no time to advance") }
      advance(by: time)
    default: throw VectorFailure("op \(op.jsonString) is not understood")
    }
    return nil
  }

  /// The state in the form of the vectors.
  func json(returned: Bool?) -> JSONValue {
    var object: JSONObject = [
      "name": .string(machine.state.statusName), "published": .number(Double(published)),
    ]
    if case .connecting(let attempt) = machine.state {
      object["attempt"] = .number(Double(attempt.number))
      object["disconnectAt"] = .number(attempt.disconnectAt)
    }
    object["returned"] = returned.map { .bool($0) }
    if let reason = machine.state.reason {
      object["reasonKind"] = .string(reason.kindName)
      object["visibleReason"] = visible(reason)
    }
    if machine.state.failure != nil { object["throwsOnStateChange"] = .bool(true) }
    return .object(object)
  }

  // MARK: -

  private func reason(_ name: JSONValue) throws -> ZeroError {
    guard case .string(let name) = name, let reason = Self.reasons[name] else {
      throw VectorFailure("reason \(name.jsonString) is not understood")
    }
    return reason
  }

  private mutating func perform(_ actions: [ConnectionStateMachine.Action]) {
    for action in actions {
      switch action {
      case .startWindowCheck: nextCheck = nextCheck ?? now + checkInterval
      case .stopWindowCheck: nextCheck = nil
      case .publish: published += 1
      case .dropListeners: break
      }
    }
  }

  private mutating func advance(by time: Double) {
    let end = now + time
    while let check = nextCheck, check <= end {
      now = check
      nextCheck = check + checkInterval
      perform(machine.checkWindow(at: now))
    }
    now = end
  }

  private func visible(_ reason: ZeroError) -> JSONValue {
    guard case .needsAuth = machine.state else { return .string(reason.message) }
    func object(_ type: String, _ status: Int, _ body: String?) -> JSONValue {
      var object: JSONObject = ["type": .string(type), "status": .number(Double(status))]
      object["body"] = body.map { .string($0) }
      return .object(object)
    }
    switch NeedsAuthReason(reason) {
    case .mutate(let status, let body): return object("mutate", status, body)
    case .query(let status, let body): return object("query", status, body)
    case .zeroCache(let reason):
      return .object(["type": .string("zero-cache"), "reason": .string(reason)])
    }
  }
}

extension ConnectionStateMachine.State {
  fileprivate var statusName: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .disconnected: "disconnected"
    case .needsAuth: "needs-auth"
    case .error: "error"
    case .closed: "closed"
    }
  }
}
