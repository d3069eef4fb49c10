public import Observation
public import ZeroIVM
import ZeroProtocol

/// A live result that user interfaces observe.
@MainActor @Observable public final class LiveQuery<Output: QueryOutput> {
  /// How long to wait for in ``settled(_:)``.
  public enum Settlement: Sendable {
    /// Until there are some rows, or the server has confirmed that there are none.
    case partial
    /// Until the server has confirmed the rows.
    case complete
  }

  /// The result now.
  public private(set) var data: Output
  public private(set) var resultType: ResultType
  /// Why the server refuses the query, or why rows cannot be read.
  public private(set) var error: (any Error)?

  @ObservationIgnored private var view: MaterializedView<Output>
  @ObservationIgnored private let open: @MainActor () throws -> MaterializedView<Output>
  @ObservationIgnored private let host: ClientHost
  @ObservationIgnored private var waiting: [(settlement: Settlement, result: Deferred<Output>)] = []

  init(_ host: ClientHost, open: @escaping @MainActor () throws -> MaterializedView<Output>) throws
  {
    self.host = host
    self.open = open
    view = try open()
    data = view.data
    resultType = view.resultType
    error = view.error
    follow()
  }

  /// Asks for the query anew, as after an error of the server.
  /// - Throws: what made the query impossible to build.
  public func retry() throws {
    view.destroy()
    view = try open()
    follow()
  }

  /// Waits for rows.
  /// - Throws: the error of a query that the server refuses, or that the client is closed.
  public func settled(_ settlement: Settlement) async throws -> Output {
    let result = Deferred<Output>(host.engine.loop)
    waiting.append((settlement, result))
    wake()
    return try await result.value
  }

  // MARK: -

  private func follow() {
    view.addListener { [weak self] snapshot in
      guard let self else { return }
      data = snapshot.data
      resultType = snapshot.resultType
      error = snapshot.error
      wake()
    }
  }

  private func wake() {
    let entries = waiting
    waiting = []
    for (settlement, result) in entries {
      switch resultType {
      case .complete: result.succeed(data)
      case .error: if let error { result.fail(error) }
      case .unknown:
        if settlement == .partial, !Output.rows(of: data).isEmpty {
          result.succeed(data)
        } else if host.hasEnded {
          result.fail(ClientEngine.closedError)
        } else {
          waiting.append((settlement, result))
        }
      }
    }
  }
}
