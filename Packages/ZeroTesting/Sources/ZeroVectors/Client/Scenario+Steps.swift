@_spi(Engine) import ZeroClient
import ZeroIVM
import ZeroProtocol

extension Scenario {
  func perform(_ step: Fields) throws {
    switch try step.string("op") {
    case "turn":
      try step.allow(["op", "steps", "expect"])
      try environment.turn {
        for inner in try step.array("steps") { try perform(Fields(inner)) }
      }
      numberGroups()
    case "open": try call { try open(step) }
    case "close", "delete", "inspect", "connectAPI": try call { try performClient(step) }
    case "mutate": try call { try mutate(step) }
    case "materialize", "addListener", "removeListener", "readView", "updateTTL", "destroyView":
      try call { try performView(step) }
    case "preload", "cleanupPreload", "run": try call { try performQuery(step) }
    default: try performServer(step)
    }
  }

  // MARK: -

  /// Runs a call of the app as a turn; what it throws is an event.
  private func call(_ body: () throws -> Void) throws {
    try environment.turn {
      log.isInCall = true
      defer { log.isInCall = false }
      do {
        try body()
      } catch let error as VectorFailure {
        throw error
      } catch {
        record(["ev": .string("throws"), "message": .string("\(error)")])
      }
    }
    numberGroups()
  }

  private func zero(_ step: Fields) throws -> (name: String, zero: Zero) {
    let name = try step.string("zero")
    guard let zero = zeros[name] else { throw VectorFailure("client \(name) is not open") }
    return (name, zero)
  }

  private func open(_ step: Fields) throws {
    try step.allow(["op", "zero", "options", "expect"])
    let name = try step.string("zero")
    let fields = try Fields(step.object["options"] ?? .object([:]))
    let options = try options(fields, name)
    let engine = try ClientEngine(options, environment)
    let context = try fields.object["context"].map { try placeholders.resolve($0) }
    zeros[name] = Zero(
      engine: engine, queries: ScenarioQueries(schema: options.schema, context: context),
      context: context)
    order.append(name)
    placeholders.define("$client:\(name)", engine.clientID)
    recordState(engine.connectionState, name, isInitial: true)
    _ = engine.onConnectionState { [weak self] state in
      self?.recordState(state, name, isInitial: false)
    }
  }

  private func performClient(_ step: Fields) throws {
    let (name, zero) = try zero(step)
    switch try step.string("op") {
    case "close":
      try step.allow(["op", "zero", "expect"])
      zero.engine.close().onSettled { [weak self] _ in
        self?.record(["ev": .string("closed"), "zero": .string(name)])
      }
    case "delete":
      try step.allow(["op", "zero", "expect"])
      zero.engine.delete().onSettled { [weak self] result in
        guard case .success(let report) = result else { return }
        self?.record([
          "ev": .string("deleted"), "zero": .string(name),
          "databases": .number(Double(report.deleted.count)),
          "errors": .number(Double(report.errors.count)),
        ])
      }
    case "inspect":
      try step.allow(["op", "zero", "expect"])
      record([
        "ev": .string("inspect"), "zero": .string(name),
        "state": Self.json(zero.engine.connectionState), "online": .bool(zero.engine.isConnected),
        "closed": .bool(zero.engine.isClosed),
      ])
    default:
      try step.allow(["op", "zero", "id", "auth", "expect"])
      let id = try step.string("id")
      zero.engine.connect(auth: try step.optionalString("auth")).onSettled { [weak self] result in
        var event: JSONObject = ["ev": .string("connectDone"), "id": .string(id)]
        if case .failure(let error) = result {
          event["rejected"] = .string(ZeroError(classifying: error)?.message ?? "\(error)")
        }
        self?.record(event)
      }
    }
  }

  private func mutate(_ step: Fields) throws {
    try step.allow(["op", "zero", "id", "name", "args", "expect"])
    let (_, zero) = try zero(step)
    let id = try step.string("id")
    let args = try step.object["args"].map { try placeholders.resolve($0) }
    let mutation = try zero.engine.mutate(try step.string("name"), args)
    for (side, outcome) in [("client", mutation.client), ("server", mutation.server)] {
      outcome.onSettled { [weak self] result in
        guard case .success(let outcome) = result else { return }
        self?.record([
          "ev": .string("mutation"), "id": .string("\(id).\(side)"),
          "result": Self.json(outcome),
        ])
      }
    }
  }

  static func json(_ outcome: MutationOutcome) -> JSONValue {
    var error: JSONObject
    switch outcome {
    case .success: return .object(["type": .string("success")])
    case .applicationError(let failure):
      error = ["type": .string("app"), "message": .string(failure.message)]
      if let details = failure.details { error["details"] = details }
    case .zeroError(let failure):
      error = ["type": .string("zero"), "message": .string(failure.message)]
    }
    return .object(["type": .string("error"), "error": .object(error)])
  }

  private func performView(_ step: Fields) throws {
    let op = try step.string("op")
    if op == "removeListener" {
      try step.allow(["op", "listener", "expect"])
      let remove = listeners.removeValue(forKey: try step.string("listener"))
      guard let remove else { throw VectorFailure("no such listener") }
      return remove()
    }
    let name = try step.string("view")
    if op == "materialize" { return try materialize(step, name) }
    guard let view = views[name] else { throw VectorFailure("view \(name) does not exist") }
    switch op {
    case "addListener":
      try step.allow(["op", "view", "listener", "expect"])
      let listener = try step.string("listener")
      listeners[listener] = listen(view, name, listener)
    case "readView":
      try step.allow(["op", "view", "expect"])
      record([
        "ev": .string("data"), "view": .string(name),
        "data": JSONValue(view.view.data, view.format),
      ])
    case "updateTTL":
      try step.allow(["op", "view", "ttl", "expect"])
      if let ttl = try ttl(step) { view.view.raiseTTL(to: ttl) }
    default:
      try step.allow(["op", "view", "expect"])
      view.view.destroy()
    }
  }

  private func materialize(_ step: Fields, _ name: String) throws {
    try step.allow(["op", "zero", "view", "query", "ttl", "listen", "expect"])
    let (zeroName, zero) = try zero(step)
    let query = try zero.queries.query(try placeholders.resolve(step.json("query")))
    let view = View(
      view: try zero.engine.materialize(
        query.ast, query.format, query.customQueryID, ttl: try ttl(step) ?? .standard),
      zero: zeroName, format: query.format)
    views[name] = view
    if try step.optionalBool("listen") == false {
      record([
        "ev": .string("data"), "view": .string(name),
        "data": JSONValue(view.view.data, view.format),
      ])
    } else {
      _ = listen(view, name, nil)
    }
  }

  private func listen(
    _ view: View, _ name: String, _ listener: String?
  ) -> @MainActor () -> Void {
    view.view.addListener { [weak self] data, type, error in
      var event: JSONObject = [
        "ev": .string("view"), "view": .string(name), "zero": .string(view.zero),
        "data": JSONValue(data, view.format), "type": .string(type.rawValue),
      ]
      if let listener { event["listener"] = .string(listener) }
      if let error { event["error"] = Self.json(error) }
      self?.record(event)
    }
  }

  static func json(_ error: QueryError) -> JSONValue {
    var object: JSONObject = [
      "error": .string(error.kind.rawValue), "id": .string(error.id), "name": .string(error.name),
    ]
    if let message = error.message { object["message"] = .string(message) }
    if let details = error.details { object["details"] = details }
    return .object(object)
  }

  private func performQuery(_ step: Fields) throws {
    let id = try step.string("id")
    if try step.string("op") == "cleanupPreload" {
      try step.allow(["op", "id", "expect"])
      guard let preload = preloads[id] else { throw VectorFailure("preload \(id) does not exist") }
      return preload.cancel()
    }
    let (_, zero) = try zero(step)
    let query = try zero.queries.query(try placeholders.resolve(step.json("query")))
    if try step.string("op") == "preload" {
      try step.allow(["op", "zero", "id", "query", "ttl", "expect"])
      let preload = zero.engine.preload(query.customQueryID, ttl: try ttl(step) ?? .none)
      preloads[id] = preload
      preload.got.onSettled { [weak self] _ in
        self?.record(["ev": .string("preload"), "id": .string(id)])
      }
      return
    }
    try step.allow(["op", "zero", "id", "query", "type", "ttl", "expect"])
    let ttl = try ttl(step) ?? .standard
    func done(_ data: ViewData) {
      record([
        "ev": .string("run"), "id": .string(id), "data": JSONValue(data, query.format),
      ])
    }
    switch try step.optionalString("type") ?? "unknown" {
    case "unknown":
      done(try zero.engine.run(query.ast, query.format, query.customQueryID, ttl: ttl))
    case "complete":
      try zero.engine.runComplete(query.ast, query.format, query.customQueryID, ttl: ttl)
        .onSettled { [weak self] result in
          if case .success(let data) = result { return done(data) }
          self?.record(["ev": .string("run"), "id": .string(id), "rejected": Self.rejection])
        }
    case let type: throw VectorFailure("run type \(type) is not understood")
    }
  }

  /// Stands for what a run is rejected with: here it is the error, in the reference the data.
  static let rejection = JSONValue.object([:])

  private func ttl(_ step: Fields) throws -> TTL? {
    switch step.object["ttl"] {
    case nil: return nil
    case .number(let milliseconds)?: return .milliseconds(milliseconds)
    case .string(let text)?: return TTL(text)
    default: throw VectorFailure("ttl is neither a number nor a string")
    }
  }
}
