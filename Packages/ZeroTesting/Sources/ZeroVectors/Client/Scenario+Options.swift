@_spi(Engine) import ZeroClient
import ZeroProtocol

extension Scenario {
  func options(_ fields: Fields, _ name: String) throws -> EngineOptions {
    try fields.allow([
      "userID", "auth", "storageKey", "context", "queryURL", "queryHeaders", "mutateURL",
      "mutateHeaders", "maxHeaderLength", "hiddenTabDisconnectDelay", "disconnectTimeoutMs",
      "pingTimeoutMs", "queryChangeThrottleMs", "maxRecentQueries", "logLevel", "cacheURL",
      "schema", "mutators", "traceparent", "batchViewUpdates", "onOnlineChange", "traceMutators",
    ])
    let schema = try schemas.entry(try fields.optionalString("schema") ?? "tracker").schema
    var options = EngineOptions(schema: schema)
    if case .null? = fields.object["cacheURL"] {
      options.serverURL = nil
    } else {
      options.serverURL = try fields.optionalString("cacheURL") ?? "https://zero.example"
    }
    options.userID = try fields.optionalString("userID")
    options.auth = try fields.optionalString("auth")
    options.storageKey = try fields.optionalString("storageKey") ?? ""
    options.queryURL = try fields.optionalString("queryURL")
    options.queryHeaders = try headers(fields, "queryHeaders")
    options.mutateURL = try fields.optionalString("mutateURL")
    options.mutateHeaders = try headers(fields, "mutateHeaders")
    if let length = try fields.optionalNumber("maxHeaderLength") {
      options.maxHeaderLength = Int(length)
    }
    func duration(_ name: String, _ set: (Duration) -> Void) throws {
      if let milliseconds = try fields.optionalNumber(name) { set(.milliseconds(milliseconds)) }
    }
    try duration("hiddenTabDisconnectDelay") { options.hiddenDelay = $0 }
    try duration("disconnectTimeoutMs") { options.disconnectTimeout = $0 }
    try duration("pingTimeoutMs") { options.pingTimeout = $0 }
    try duration("queryChangeThrottleMs") { options.queryChangeThrottle = $0 }
    if let count = try fields.optionalNumber("maxRecentQueries") {
      options.keptQueryCount = Int(count)
    }
    options.asksForPerformanceData = try fields.optionalString("logLevel") == "debug"
    if let traceparent = try fields.optionalString("traceparent") {
      options.traceparent = { traceparent }
    }
    if try fields.optionalBool("batchViewUpdates") == true {
      options.batchViewUpdates = { [weak self] apply in
        self?.record(["ev": .string("batch"), "zero": .string(name)])
        apply()
      }
    }
    try setCallbacks(&options, fields, name)
    try setMutators(&options, fields, name)
    return options
  }

  static func json(_ state: ConnectionState) -> JSONValue {
    var object: JSONObject = ["name": .string(state.name.rawValue)]
    switch state {
    case .connecting(let reason): if let reason { object["reason"] = .string(reason) }
    case .connected: break
    case .disconnected(let reason), .error(let reason), .closed(let reason):
      object["reason"] = .string(reason)
    case .needsAuth(let reason): object["reason"] = json(reason)
    }
    return .object(object)
  }

  func recordState(_ state: ConnectionState, _ name: String, isInitial: Bool) {
    var event: JSONObject = [
      "ev": .string("state"), "zero": .string(name), "state": Self.json(state),
    ]
    if isInitial { event["initial"] = .bool(true) }
    record(event)
  }

  // MARK: -

  private func headers(_ fields: Fields, _ name: String) throws -> NamedValues<String>? {
    guard let json = fields.object[name] else { return nil }
    let headers = try Fields(json)
    return NamedValues(try headers.object.members.map { ($0.key, try headers.string($0.key)) })
  }

  private func setCallbacks(_ options: inout EngineOptions, _ fields: Fields, _ name: String) throws
  {
    func callback(_ kind: String, _ members: JSONObject = [:]) {
      var event: JSONObject = [
        "ev": .string("callback"), "zero": .string(name), "name": .string(kind),
      ]
      for (key, value) in members.members { event[key] = value }
      record(event)
    }
    options.onUpdateNeeded = { update in
      callback(
        "onUpdateNeeded",
        [
          "reason": .object([
            "type": .string(update.reason.rawValue), "message": .string(update.message),
          ])
        ])
    }
    options.onClientStateNotFound = { callback("onClientStateNotFound") }
    if try fields.optionalBool("onOnlineChange") == true {
      options.onOnlineChange = { callback("onOnlineChange", ["online": .bool($0)]) }
    }
  }

  private func setMutators(_ options: inout EngineOptions, _ fields: Fields, _ name: String) throws
  {
    let isTracing = try fields.optionalBool("traceMutators") == true
    options.mutators = try ScenarioMutators.definitions(
      try fields.optionalString("mutators") ?? "default", schema: options.schema,
      context: try fields.object["context"].map { try placeholders.resolve($0) }
    ) { [weak self] mutator, tx in
      guard isTracing else { return }
      self?.record([
        "ev": .string("mutator"), "zero": .string(name), "name": .string(mutator),
        "reason": .string(tx.reason.rawValue), "mutationID": .number(Double(tx.mutationID)),
      ])
    }
  }

  private static func json(_ reason: NeedsAuthReason) -> JSONValue {
    func endpoint(_ type: String, _ status: Int, _ body: String?) -> JSONValue {
      var object: JSONObject = ["type": .string(type), "status": .number(Double(status))]
      if let body { object["body"] = .string(body) }
      return .object(object)
    }
    return switch reason {
    case .mutate(let status, let body): endpoint("mutate", status, body)
    case .query(let status, let body): endpoint("query", status, body)
    case .zeroCache(let reason):
      .object(["type": .string("zero-cache"), "reason": .string(reason)])
    }
  }
}
