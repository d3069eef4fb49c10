import ZeroIVM
import ZeroProtocol

/// A query that runs once, until the server has confirmed it: on the client that takes over meanwhile,
/// too. The run of the engine keeps it.
@MainActor final class CompleteRun<Output: QueryOutput> {
  let result: Deferred<Output>
  private let request: EngineQuery
  private var current: Deferred<ViewData>?

  /// - Throws: `EngineError` for a query that cannot be run.
  init(_ host: ClientHost, _ request: EngineQuery) throws {
    self.request = request
    result = Deferred(host.engine.loop)
    try start(on: host.engine)
    host.add(self)
  }

  // MARK: -

  private func start(on engine: ClientEngine) throws {
    let run = try engine.runComplete(
      request.ast, request.format, request.id, ttl: request.ttl)
    current = run
    run.onSettled { [self] outcome in
      guard current === run else { return }
      current = nil
      result.settle(outcome.flatMap { data in Result { try Output(decoding: data) } })
    }
  }
}

extension CompleteRun: EngineDependent {
  func move(to engine: ClientEngine) {
    guard current != nil else { return }
    do { try start(on: engine) } catch { result.fail(error) }
  }
}
