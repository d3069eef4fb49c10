@_spi(Engine) import ZeroClient
import ZeroIVM
import ZeroProtocol

/// A client as it is in an app: real time, storage and decoding on a queue in the background.
@MainActor final class LiveClient {
  let engine: ClientEngine
  private var views: [EngineView] = []

  init(_ storage: any StoreProvider, _ sockets: any SocketFactory, serverURL: String) throws {
    engine = try ClientEngine(
      BenchClient.options(serverURL: serverURL),
      EngineEnvironment(storage: storage, sockets: sockets, scheduler: SystemScheduler.shared))
  }

  /// - Parameter listener: gets the view's rows, now and whenever they change.
  @discardableResult
  func open(_ query: AnyQuery, _ listener: @escaping @MainActor (ViewData) -> Void = { _ in })
    throws
    -> EngineView
  {
    let view = try engine.materialize(query.ast, query.format, query.customQueryID)
    view.addListener { data, _, _ in listener(data) }
    views.append(view)
    return view
  }

  /// Waits until a condition is met, looking every few milliseconds.
  /// - Throws: ``BenchFailure`` after a minute.
  func wait(for what: String, until isMet: @MainActor () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !isMet() {
      guard .now < end else {
        let state = engine.diagnostics()
        throw BenchFailure(
          "after a minute still not so: \(what); the client is \(state.connectionState) "
            + "\(state.connectionReason ?? "")")
      }
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  func close() async throws {
    for view in views { view.destroy() }
    try await engine.close().value
  }
}
