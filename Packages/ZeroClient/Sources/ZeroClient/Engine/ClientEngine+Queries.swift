public import ZeroIVM
public import ZeroProtocol

extension ClientEngine {
  /// Opens a live view. A query without a name shows local rows only.
  /// - Throws: `EngineError` for a query that cannot be run.
  public func materialize(
    _ query: AST, _ format: Format, _ id: CustomQueryID?, ttl: TTL = .standard
  ) throws -> EngineView {
    try loop.dispatch {
      let started = scheduler.monotonicTime
      let view = try EngineView(
        self, query, format, name: id.map { QueryName($0) }, ttl: clamped(ttl))
      view.whenSettled { [weak self] error in
        guard let self, error == nil else { return }
        let elapsed = scheduler.monotonicTime - started
        if elapsed > options.slowMaterializeThreshold.inMilliseconds {
          log.warn("a query took \(elapsed) ms to be complete: \(id?.name ?? "unnamed")")
        }
      }
      return view
    }
  }

  /// The rows of a query as they are here now. A named query is asked for and released, so that the
  /// server keeps it for its TTL.
  public func run(
    _ query: AST, _ format: Format, _ id: CustomQueryID?, ttl: TTL = .standard
  ) throws -> ViewData {
    let view = try materialize(query, format, id, ttl: ttl)
    defer { view.destroy() }
    return view.data
  }

  /// The rows of a query once the server has confirmed them.
  public func runComplete(
    _ query: AST, _ format: Format, _ id: CustomQueryID?, ttl: TTL = .standard
  ) throws -> Deferred<ViewData> {
    let result = Deferred<ViewData>(loop)
    let view = try materialize(query, format, id, ttl: ttl)
    if let id, let error = failure(of: QueryName(id)) {
      view.destroy()
      result.fail(error)
      return result
    }
    view.whenSettled { error in
      let data = view.data
      view.destroy()
      if let error { result.fail(error) } else { result.succeed(data) }
    }
    return result
  }

  /// Asks for a query's rows without showing them.
  /// One without a name has local rows only: nothing is asked for, and it is never complete.
  public func preload(_ id: CustomQueryID?, ttl: TTL = .none) -> EnginePreload {
    loop.dispatch { EnginePreload(self, id.map { QueryName($0) }, ttl: clamped(ttl)) }
  }

  /// A TTL in milliseconds as the server takes it.
  func clamped(_ ttl: TTL) -> Double {
    let (milliseconds, isReduced) = ttl.clamped
    if isReduced { log.warn("a TTL of \(ttl) is cut to 10 minutes, the longest the server keeps") }
    return milliseconds.isNaN ? 0 : milliseconds
  }
}
