public import Observation
import ZeroProtocol

/// The connection of a client, observable.
@MainActor @Observable public final class Connection {
  /// What the connection is doing now.
  public private(set) var state: ConnectionState
  /// Why the app has to be updated, once the server said so.
  public private(set) var updateNeeded: UpdateNeeded?

  @ObservationIgnored private let host: ClientHost
  @ObservationIgnored private var listeners = ListenerList<ConnectionState>()
  @ObservationIgnored private let streams = OpenStreams<ConnectionState>()
  @ObservationIgnored private var remove: @MainActor () -> Void = {}

  init(_ host: ClientHost) {
    self.host = host
    state = host.engine.connectionState
    host.onUpdateNeeded = { [weak self] in self?.updateNeeded = $0 }
    host.onEnd = { [weak self, unowned host] in self?.publish(host.engine.connectionState) }
    host.withEngine { [weak self] engine in
      guard let self else { return }
      remove()
      publish(engine.connectionState)
      remove = engine.onConnectionState { [weak self, weak engine] state in
        // Another engine takes over: this is not the end.
        if case .closed = state, engine?.leavesQueriesOpen == true { return }
        self?.publish(state)
      }
    }
  }

  isolated deinit {
    // The client goes too, and nobody is there to hear of it any more.
    streams.yield(.closed(reason: ClientEngine.closedMessage))
  }

  /// Calls `listener` on every publication of the state, also of an equal one; not at once.
  @discardableResult
  public func addListener(_ listener: @escaping @MainActor (ConnectionState) -> Void)
    -> Subscription
  {
    let id = listeners.add(listener)
    return Subscription { [weak self] in self?.listeners.remove(id) }
  }

  /// The states from now on, the present one first; the latest one only for a slow reader. Ends with
  /// the state `closed`.
  public var states: AsyncStream<ConnectionState> {
    let stream = streams.open([state], .bufferingNewest(1))
    if isClosed { streams.finish() }
    return stream
  }

  /// Takes a new token, and leaves a paused state: `needsAuth` or `error`.
  ///
  /// The token is sent at once if connected. Without a token the old one stays; an empty one removes it.
  /// Attempts are not sped up.
  /// - Returns: done at the next change of the state when it was paused, otherwise at once.
  @discardableResult
  public func connect(auth: String? = nil) -> Deferred<Void> { host.engine.connect(auth: auth) }

  /// The network is usable again: do not wait for the next attempt.
  public func networkBecameAvailable() { host.engine.networkBecameAvailable() }

  /// The device is in another network: check now whether the connection still works.
  public func networkChanged() { host.engine.networkChanged() }

  // MARK: -

  private func publish(_ state: ConnectionState) {
    self.state = state
    ListenerList.call(state) { listeners }
    // A listener may have led to yet another state.
    streams.yield(self.state)
    if isClosed { streams.finish() }
  }

  private var isClosed: Bool { if case .closed = state { true } else { false } }
}
