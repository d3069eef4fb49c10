import ZeroIVM
import ZeroProtocol

/// A query whose rows are kept here without being shown. Releasing it does not end it: the client keeps
/// it until it is cancelled.
@MainActor public final class Preload {
  /// Settles when the server has confirmed the rows; fails when it refuses the query.
  public let complete: Deferred<Void>

  private var preload: EnginePreload
  private let request: EngineQuery
  private var isCancelled = false
  private weak var host: ClientHost?

  init(_ host: ClientHost, _ request: EngineQuery) {
    self.request = request
    complete = Deferred(host.engine.loop)
    preload = host.engine.preload(request.id, ttl: request.ttl)
    self.host = host
    follow()
    host.keep(self)
  }

  /// Ends it: the server keeps the rows for the query's time to live. Doing it again has no effect.
  public func cancel() {
    isCancelled = true
    preload.cancel()
    host?.release(self)
  }

  // MARK: -

  private func follow() {
    let complete = complete
    preload.complete.onSettled { complete.settle($0) }
  }
}

extension Preload: EngineDependent {
  func move(to engine: ClientEngine) {
    guard !isCancelled else { return }
    preload.cancel()
    preload = engine.preload(request.id, ttl: request.ttl)
    follow()
  }
}
