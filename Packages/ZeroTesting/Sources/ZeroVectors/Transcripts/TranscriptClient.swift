@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// A client that plays the part of a recorded one.
@MainActor final class TranscriptClient {
  let engine: ClientEngine
  /// What the application saw, in the form of the recording.
  private(set) var states: [JSONValue] = []
  private(set) var views: [String: [Snapshot]] = [:]
  private(set) var serverOutcomes: [(mutation: Int, value: JSONValue)] = []
  private(set) var clientOutcomes: [Int: JSONValue] = [:]
  private(set) var preloads: [EnginePreload] = []

  /// What a view's listener was given.
  struct Snapshot {
    let type: String
    let data: JSONValue
    let error: JSONValue?
  }

  private let app: TranscriptApp
  private let userID: String?
  private var liveViews: [String: [EngineView]] = [:]
  private var livePreloads: [String: EnginePreload] = [:]
  private var mutationCount = 0

  init(
    _ app: TranscriptApp, userID: String?, token: String?, environment: EngineEnvironment
  ) throws {
    self.app = app
    self.userID = userID
    var options = EngineOptions(schema: app.schema)
    options.serverURL = "http://127.0.0.1:4848"
    options.userID = userID
    options.auth = token
    options.mutators = TranscriptApp.mutators
    engine = try ClientEngine(options, environment)
  }

  /// Begins to record the states of the connection. The recorded applications did so after the first
  /// attempt to connect had begun.
  func listen() {
    _ = engine.onConnectionState { [weak self] state in
      self?.states.append(Scenario.json(state))
    }
  }

  func perform(_ action: TranscriptPlan.Action) throws {
    switch action.kind {
    case .register(let query, let label): try register(query, label)
    case .release(let hash):
      for view in liveViews.removeValue(forKey: hash) ?? [] { view.destroy() }
      livePreloads.removeValue(forKey: hash)?.cancel()
    case .mutate(let name, let args): try mutate(name, args)
    case .renew(let token): _ = engine.connect(auth: token)
    }
  }

  // MARK: -

  private func register(_ recorded: TranscriptPlan.Query, _ label: String?) throws {
    let query = try app.query(recorded.name, recorded.args, userID: userID)
    let ttl = recorded.ttl < 0 ? TTL.forever : .milliseconds(recorded.ttl)
    guard let label else {
      let preload = engine.preload(query.customQueryID, ttl: ttl)
      livePreloads[recorded.hash] = preload
      return preloads.append(preload)
    }
    let view = try engine.materialize(query.ast, query.format, query.customQueryID, ttl: ttl)
    liveViews[recorded.hash, default: []].append(view)
    let format = query.format
    view.addListener { [weak self] data, type, error in
      self?.views[label, default: []].append(
        Snapshot(
          type: type.rawValue, data: JSONValue(data, format), error: error.map { Scenario.json($0) }
        ))
    }
  }

  private func mutate(_ name: String, _ args: JSONValue) throws {
    mutationCount += 1
    let number = mutationCount
    let mutation = try engine.mutate(name, args)
    mutation.client.onSettled { [weak self] result in
      if case .success(let outcome) = result {
        self?.clientOutcomes[number] = Scenario.json(outcome)
      }
    }
    mutation.server.onSettled { [weak self] result in
      if case .success(let outcome) = result {
        self?.serverOutcomes.append((number, Scenario.json(outcome)))
      }
    }
  }
}
