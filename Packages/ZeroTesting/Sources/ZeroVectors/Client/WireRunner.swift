@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

/// Runs `client-wire`: a whole client, and every byte it sends.
let wireRunner = VectorRunner(
  fields: ["name", "options", "steps"],
  headerFields: ["schema", "server", "defaultUserID", "clockStart", "timing"]
) { file in
  let schema = try ZeroSchema(json: file.header("schema"))
  guard case .string(let server) = try file.header("server"),
    case .string(let userID) = try file.header("defaultUserID"),
    case .number(let start) = try file.header("clockStart")
  else { throw VectorFailure("the header is not understood") }
  return { test in
    try await MainActor.run {
      let wire = try WireCase(
        schema: schema, server: server, userID: userID, clockStart: start,
        options: test.json("options"))
      defer { wire.close() }
      for (place, step) in try test.array("steps").enumerated() {
        do {
          let fields = try Fields(step)
          try fields.allow(["step", "seen"])
          try wire.run(VectorValue(fields.json("step")), seen: fields.array("seen"))
        } catch {
          throw VectorFailure("step \(place + 1): \(error)")
        }
      }
    }
  }
}

/// The state of one case.
@MainActor private final class WireCase {
  private let schema: ZeroSchema
  private let options: EngineOptions
  private let scheduler: ManualScheduler
  private let sockets = ScenarioSockets()
  private let environment: EngineEnvironment
  private var engine: ClientEngine?
  private var views: [String: EngineView] = [:]
  private var seen: [JSONObject] = []
  private var attemptIDs: [String] = []
  private var profileID: String?

  init(
    schema: ZeroSchema, server: String, userID: String, clockStart: Double, options: JSONValue
  ) throws {
    self.schema = schema
    self.options = try Self.options(
      try Fields(try VectorValue(options).json()), schema: schema, server: server,
      userID: try Fields(options).object["userID"] == nil ? userID : nil)
    scheduler = ManualScheduler(wallStart: clockStart)
    environment = EngineEnvironment(
      storage: MemoryStoreProvider(), sockets: sockets, scheduler: scheduler, inline: true)
    sockets.didOpen = { [weak self] in self?.opened($0) }
    sockets.didSend = { [weak self] socket, text in
      self?.see([
        "socket": Self.number(socket), "send": .string(String(decoding: text, as: UTF8.self)),
      ])
    }
    sockets.reportsLateClose = true
    sockets.didClose = { [weak self] socket, code in
      self?.see([
        "socket": Self.number(socket),
        "close": code.map { .number(Double($0)) } ?? .object(["$": .string("undefined")]),
      ])
    }
  }

  func close() { _ = engine?.close() }

  func run(_ step: VectorValue, seen expected: [JSONValue]) throws {
    seen = []
    guard case .array(var values) = step else { throw VectorFailure("the step is no array") }
    // An argument that is undefined was not given.
    while values.last?.isUndefined == true { values.removeLast() }
    let parts = try values.map { try $0.json() ?? .null }
    guard case .string(let kind)? = parts.first else {
      throw VectorFailure("the step has no name")
    }
    try perform(kind, parts)
    scheduler.advance(by: .zero)
    let actual = seen.map { named(.object($0)) }
    for subject in ["url", "send", "close", "state", "client", "server", "view", "other"] {
      let wanted = try expected.filter { try Self.subject($0) == subject }
      let found = try actual.filter { try Self.subject($0) == subject }
      guard wanted.count == found.count,
        zip(wanted, found).allSatisfy({ Self.matches($0, $1, key: "") })
      else {
        let lines =
          ["\(kind): \(subject)", "  expected:"] + wanted.map { "    \($0.jsonString)" }
          + ["  got:"] + found.map { "    \($0.jsonString)" }
        throw VectorFailure(lines.joined(separator: "\n"))
      }
    }
  }

  // MARK: -

  private func see(_ event: JSONObject) {
    var event = event
    event["at"] = .number(scheduler.monotonicTime)
    seen.append(event)
  }

  private static func number(_ socket: ScenarioSocket) -> JSONValue {
    .number(Double(socket.name.dropFirst()) ?? 0)
  }

  private func opened(_ socket: ScenarioSocket) {
    for pair in socket.request.url.split(separator: "?").last?.split(separator: "&") ?? [] {
      if pair.hasPrefix("wsid=") { attemptIDs.append(String(pair.dropFirst(5))) }
      if pair.hasPrefix("profileID=") { profileID = String(pair.dropFirst(10)) }
    }
    let header = socket.request.subprotocols.first ?? ""
    let token = (try? SocketProtocolToken.json(header: header)) ?? .null
    see([
      "socket": Self.number(socket), "url": .string(socket.request.url),
      "protocol": .string(token.jsonString),
    ])
  }

  private static func subject(_ event: JSONValue) throws -> String {
    let fields = try Fields(event)
    let subjects = ["url", "send", "close", "state", "client", "server", "view"]
    return subjects.first { fields.object[$0] != nil } ?? "other"
  }

  /// Texts for people count only by being there.
  private static func matches(_ expected: JSONValue, _ actual: JSONValue, key: String) -> Bool {
    switch (expected, actual) {
    case (.string(let a), .string(let b)):
      if key == "reason" || key == "message" { return a.isEmpty == b.isEmpty }
      return a.utf8.elementsEqual(b.utf8)
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { matches($0, $1, key: key) }
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && a.members.allSatisfy { key, value in
          b[key].map { matches(value, $0, key: key) } ?? false
        }
    default: return expected == actual
    }
  }

  private func named(_ json: JSONValue) -> JSONValue {
    Self.map(json) { text in
      var text = text
      for (value, name) in names { text = Self.replacing(value, name, in: text) }
      return Self.namingRequest(text)
    }
  }

  private func resolved(_ json: JSONValue) -> JSONValue {
    Self.map(json) { text in
      var text = text
      for (value, name) in names { text = Self.replacing(name, value, in: text) }
      return text
    }
  }

  private var names: [(value: String, name: String)] {
    var names: [(String, String)] = []
    if let engine {
      names.append((engine.clientID, "<clientID>"))
      if case .success(let group)? = engine.clientGroupID.result {
        names.append((group, "<clientGroupID>"))
      }
    }
    if let profileID { names.append((profileID, "<profileID>")) }
    for id in attemptIDs { names.append((id, "<wsid>")) }
    return names
  }

  private static func map(_ json: JSONValue, _ change: (String) -> String) -> JSONValue {
    switch json {
    case .string(let text): .string(change(text))
    case .array(let elements): .array(elements.map { map($0, change) })
    case .object(let object):
      .object(JSONObject(object.members.map { (change($0.key), map($0.value, change)) }))
    default: json
    }
  }

  private static func replacing(_ old: String, _ new: String, in text: String) -> String {
    guard !old.isEmpty else { return text }
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: old) {
      result += rest[..<range.lowerBound] + new
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  private static func namingRequest(_ text: String) -> String {
    let start = "\"requestID\":\""
    guard let range = text.firstRange(of: start) else { return text }
    let rest = text[range.upperBound...]
    guard let end = rest.firstIndex(of: "\"") else { return text }
    return text[..<range.upperBound] + "<requestID>" + rest[end...]
  }

  private func perform(_ kind: String, _ parts: [JSONValue]) throws {
    func text(_ place: Int) throws -> String {
      guard place < parts.count, case .string(let text) = parts[place] else {
        throw VectorFailure("\(kind): argument \(place) is no string")
      }
      return text
    }
    func number(_ place: Int) throws -> Double {
      guard place < parts.count, case .number(let number) = parts[place] else {
        throw VectorFailure("\(kind): argument \(place) is no number")
      }
      return number
    }
    switch kind {
    case "create": try create()
    case "open": sockets.sockets.last?.accept()
    case "receive":
      guard parts.count == 2 else { throw VectorFailure("receive without a message") }
      sockets.sockets.last?.deliver(.text(resolved(parts[1]).jsonText))
    case "receiveText": sockets.sockets.last?.deliver(.text(Array(try text(1).utf8)))
    case "receiveBinary": sockets.sockets.last?.deliver(.binary(try decodeBase64(try text(1))))
    case "socketClosed":
      guard let code = UInt16(exactly: try number(1)) else {
        throw VectorFailure("a close code out of range")
      }
      sockets.sockets.last?.finish(
        SocketClose(code: code, wasClean: parts.last == .bool(true)))
    case "advance": scheduler.advance(by: .milliseconds(try number(1)))
    case "query": try query(try Fields(parts.count > 1 ? parts[1] : nil))
    case "updateTTL":
      guard parts.count == 3 else { throw VectorFailure("updateTTL without a TTL") }
      views[try text(1)]?.raiseTTL(to: try Self.ttl(parts[2]))
    case "dropQuery": views.removeValue(forKey: try text(1))?.destroy()
    case "mutate": try mutate(try text(1), parts.count > 2 ? parts[2] : nil)
    case "connect": _ = engine?.connect(auth: parts.count > 1 ? try text(1) : nil)
    case "close": _ = engine?.close()
    default: throw VectorFailure("step \(kind) is not understood")
    }
  }

  private func create() throws {
    try environment.turn {
      var options = options
      options.onUpdateNeeded = { [weak self] update in
        self?.see([
          "updateNeeded": .object([
            "type": .string(update.reason.rawValue), "message": .string(update.message),
          ])
        ])
      }
      options.onClientStateNotFound = { [weak self] in
        self?.see(["clientStateNotFound": .bool(true)])
      }
      let engine = try ClientEngine(options, environment)
      self.engine = engine
      see(["state": Scenario.json(engine.connectionState)])
      _ = engine.onConnectionState { [weak self] in
        self?.see(["state": Scenario.json($0)])
      }
    }
  }

  private func query(_ fields: Fields) throws {
    try fields.allow(["id", "table", "queryName", "args", "ttl"])
    let id = try fields.string("id")
    let query = try AnyQuery(schema, table: try fields.string("table"))
    guard let engine else { throw VectorFailure("no client") }
    let name = CustomQueryID(
      name: try fields.string("queryName"), args: try fields.array("args"))
    let view = try engine.materialize(
      query.ast, query.format, name,
      ttl: try fields.object["ttl"].map { try Self.ttl($0) } ?? .standard)
    views[id] = view
    view.addListener { [weak self] data, type, error in
      var members: JSONObject = [
        "id": .string(id), "rows": JSONValue(data, query.format), "type": .string(type.rawValue),
      ]
      if let error { members["error"] = Scenario.json(error) }
      self?.see(["view": .object(members)])
    }
  }

  private func mutate(_ name: String, _ args: JSONValue?) throws {
    guard let mutation = try engine?.mutate(name, args) else { throw VectorFailure("no client") }
    for (side, outcome) in [("client", mutation.client), ("server", mutation.server)] {
      outcome.onSettled { [weak self] result in
        if case .success(let outcome) = result { self?.see([side: Scenario.json(outcome)]) }
      }
    }
  }

  private static func ttl(_ json: JSONValue) throws -> TTL {
    switch json {
    case .number(let milliseconds): return .milliseconds(milliseconds)
    case .string(let text): if let ttl = TTL(text) { return ttl }
    default: break
    }
    throw VectorFailure("ttl \(json.jsonString)")
  }

  private static func options(
    _ fields: Fields, schema: ZeroSchema, server: String, userID: String?
  ) throws -> EngineOptions {
    try fields.allow([
      "auth", "mutateURL", "queryURL", "getQueriesURL", "traceparent", "maxHeaderLength",
      "disconnectTimeoutMs", "userID", "server", "mutateHeaders", "queryHeaders",
      "queryChangeThrottleMs", "maxRecentQueries", "pingTimeoutMs", "cacheURL", "storageKey",
      "hiddenTabDisconnectDelay", "logLevel",
    ])
    var options = EngineOptions(schema: schema)
    switch fields.object["cacheURL"] ?? fields.object["server"] {
    case nil: options.serverURL = server
    case .null?: options.serverURL = nil
    case .string(let url)?: options.serverURL = url
    default: throw VectorFailure("server is no string")
    }
    options.storageKey = try fields.optionalString("storageKey") ?? ""
    options.asksForPerformanceData = try fields.optionalString("logLevel") == "debug"
    if let milliseconds = try fields.optionalNumber("hiddenTabDisconnectDelay") {
      options.hiddenDelay = .milliseconds(milliseconds)
    }
    options.userID = try fields.optionalString("userID") ?? userID
    options.auth = try fields.optionalString("auth")
    options.mutateURL = try fields.optionalString("mutateURL")
    options.queryURL =
      try fields.optionalString("queryURL") ?? fields.optionalString("getQueriesURL")
    options.mutateHeaders = try headers(fields, "mutateHeaders")
    options.queryHeaders = try headers(fields, "queryHeaders")
    if let traceparent = try fields.optionalString("traceparent") {
      options.traceparent = { traceparent }
    }
    if let length = try fields.optionalNumber("maxHeaderLength") {
      options.maxHeaderLength = Int(length)
    }
    if let milliseconds = try fields.optionalNumber("disconnectTimeoutMs") {
      options.disconnectTimeout = .milliseconds(milliseconds)
    }
    if let milliseconds = try fields.optionalNumber("queryChangeThrottleMs") {
      options.queryChangeThrottle = .milliseconds(milliseconds)
    }
    if let milliseconds = try fields.optionalNumber("pingTimeoutMs") {
      options.pingTimeout = .milliseconds(milliseconds)
    }
    if let count = try fields.optionalNumber("maxRecentQueries") {
      options.keptQueryCount = Int(count)
    }
    options.mutators = [
      MutatorDefinition("noArgs") { _, _ in },
      MutatorDefinition("ticket.touch") { tx, args in
        guard case .object(let args)? = args else { return }
        if case .object(let tag)? = args["tag"] { try tx.table("tag").upsert(tag) }
        if case .string(let message)? = args["fail"] { throw ApplicationError(message) }
      },
    ]
    return options
  }

  private static func headers(_ fields: Fields, _ name: String) throws -> NamedValues<String>? {
    guard let json = fields.object[name] else { return nil }
    let headers = try Fields(json)
    return NamedValues(try headers.object.members.map { ($0.key, try headers.string($0.key)) })
  }
}
