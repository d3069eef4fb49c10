public import Observation
public import ZeroIVM
public import ZeroProtocol

/// A live result that user interfaces observe.
///
/// Users of one client that ask for the same share one object, and so one view; see
/// ``Zero/liveQuery(_:ttl:)-(QueryRequest<Output,Context>?,_)``. When the last of them has released it,
/// the view stays for another 10 ms: a part of a user interface that is made anew finds its rows, and no
/// query ends and begins again for it.
@MainActor @Observable public final class LiveQuery<Output: QueryOutput> {
  /// How long to wait for in ``settled(_:)``.
  public enum Settlement: Sendable {
    /// Until there are some rows, or the server has confirmed that there are none.
    case partial
    /// Until the server has confirmed the rows.
    case complete
  }

  /// The result now; without a request there are no rows. Rows that did not change are not decoded again.
  public private(set) var data: Output
  /// How far ``data`` can be trusted; without a request `unknown`.
  public private(set) var resultType = ResultType.unknown
  /// Why the server refuses the query, or why rows cannot be read or followed. ``data`` is then the last
  /// that could.
  public private(set) var error: (any Error)?

  /// Nil without a request.
  @ObservationIgnored private var source: Source?
  @ObservationIgnored private let loop: EventLoop
  @ObservationIgnored private var waiting: [(settlement: Settlement, result: Deferred<Output>)] = []

  private struct Source {
    let request: EngineQuery
    let key: LiveQueryKey
    weak var host: ClientHost?
    var view: MaterializedView<Output>
    var subscription: Subscription?
  }

  /// A live query without a request.
  init(_ loop: EventLoop) {
    self.loop = loop
    data = Output.make(from: [])
  }

  /// A live query that shows `view`.
  init(
    _ host: ClientHost, _ request: EngineQuery, _ key: LiveQueryKey,
    _ view: MaterializedView<Output>
  ) {
    loop = host.engine.loop
    data = view.data
    source = Source(request: request, key: key, host: host, view: view)
    follow()
  }

  isolated deinit {
    guard let source else { return }
    source.subscription?.cancel()
    source.host?.liveQueries.keep(source.view, for: source.key)
  }

  /// How long the server keeps the rows after the last use. Only a longer time has an effect.
  public var ttl: TTL {
    get { source?.view.ttl ?? .none }
    set { source?.view.ttl = newValue }
  }

  /// Asks for the query anew, as after an error of the server, for all users. ``data`` stays until there
  /// is another one. Without a request it has no effect.
  /// - Throws: `ZeroError` if the query cannot be run, or the client is gone. It can be tried again.
  public func retry() throws {
    guard var source else { return }
    guard let host = source.host else {
      throw ClientEngine.closedError
    }
    source.subscription?.cancel()
    source.view.destroy()
    do {
      source.view = try host.view(source.request)
    } catch {
      self.error = error
      throw error
    }
    self.source = source
    follow()
  }

  /// Waits for rows. Without a request it does not wait.
  /// - Throws: the error of a query that the server refuses, or that is never complete because it is not
  ///   asked for, or of rows that cannot be read, or that the client is closed.
  public func settled(_ settlement: Settlement) async throws -> Output {
    guard let source else { return data }
    if settlement == .complete { try source.request.checkCompletes() }
    let result = Deferred<Output>(loop)
    waiting.append((settlement, result))
    wake()
    return try await result.value
  }

  // MARK: -

  private func follow() {
    let subscription = source?.view.addListener { [weak self] snapshot in
      guard let self else { return }
      data = snapshot.data
      if resultType != snapshot.resultType { resultType = snapshot.resultType }
      if error != nil || snapshot.error != nil { error = snapshot.error }
      wake()
    }
    source?.subscription = subscription
  }

  private func wake() {
    let entries = waiting
    waiting = []
    for (settlement, result) in entries {
      if let error {
        result.fail(error)
      } else if resultType == .complete
        || settlement == .partial && !Output.rows(of: data).isEmpty
      {
        result.succeed(data)
      } else if source?.host?.hasEnded != false {
        result.fail(ClientEngine.closedError)
      } else {
        waiting.append((settlement, result))
      }
    }
  }
}
