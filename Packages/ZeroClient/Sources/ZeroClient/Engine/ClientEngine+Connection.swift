@_spi(Engine) import ZeroProtocol

extension ClientEngine {
  /// The connection's state as the app sees it.
  public var connectionState: ConnectionState { ConnectionState(manager.state) }

  /// Calls `listener` on every publication of the state, also of an equal one; not at once.
  /// - Returns: ends the calls.
  public func onConnectionState(
    _ listener: @escaping @MainActor (ConnectionState) -> Void
  ) -> @MainActor () -> Void {
    guard !manager.isClosed else { return {} }
    let id = stateListeners.add(listener)
    return { [weak self] in self?.stateListeners.remove(id) }
  }

  /// Takes a new token, and leaves a paused state.
  ///
  /// The token is sent if connected. From a paused state it completes when the state changes, otherwise
  /// at once; nothing is sped up.
  /// - Parameter auth: nil keeps the token, an empty one removes it.
  public func connect(auth: String? = nil) -> Deferred<Void> {
    loop.dispatch {
      let result = Deferred<Void>(loop)
      if let auth {
        do {
          try OptionRules.checkIdentity(userID: options.userID, auth: auth)
        } catch {
          result.fail(error)
          return result
        }
        self.auth = auth
        if !auth.isEmpty { sendIfConnected(.updateAuth(UpdateAuth(auth: auth))) }
      }
      guard serverURL != nil else {
        log.error("connect was called, but no server is configured")
        result.succeed()
        return result
      }
      guard manager.isPaused else {
        result.succeed()
        return result
      }
      manager.requestConnect()
      manager.onNextChange { _ in result.succeed() }
      runLoop.connectRequested()
      return result
    }
  }

  /// The network is usable again after it was not: attempts need not wait.
  public func networkBecameAvailable() { loop.dispatch { runLoop.networkBecameAvailable() } }

  /// The device moved to another network: find out now whether the connection still works.
  public func networkChanged() { loop.dispatch { runLoop.networkChanged() } }
}
