import ZeroProtocol

/// A query whose rows are asked for without being shown.
@_spi(Engine) @MainActor public final class EnginePreload {
  /// Settles when the server has confirmed the rows; fails when it refuses the query.
  public let complete: Deferred<Void>
  /// Settles when the server has confirmed the rows, also after it refused the query for a while.
  public let got: Deferred<Void>
  private var registration: QueryManager.Registration?
  private let loop: EventLoop

  init(_ engine: ClientEngine, _ name: QueryName?, ttl: Double) {
    let complete = Deferred<Void>(engine.loop)
    let got = Deferred<Void>(engine.loop)
    self.complete = complete
    self.got = got
    loop = engine.loop
    guard let name else { return }
    registration = engine.queries.add(name, ttl: ttl) { isGot, error in
      if isGot {
        complete.succeed()
        got.succeed()
      } else if let error {
        complete.fail(error)
      }
    }
    if let error = engine.failure(of: name) { complete.fail(error) }
  }

  /// Ends it. Doing it again has no effect.
  public func cancel() { loop.dispatch { registration?.end() } }
}
