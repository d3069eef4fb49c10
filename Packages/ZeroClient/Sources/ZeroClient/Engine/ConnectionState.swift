@_spi(Engine) import ZeroProtocol

/// What an app sees of the connection.
public enum ConnectionState: Sendable, Equatable {
  /// Trying to connect, within the time of `disconnectTimeout`. The reason is that of the last failure.
  case connecting(reason: String?)
  /// Connected; changes go both ways.
  case connected
  /// Not connected for so long that the app should say so, hidden, or without a server. Except for the
  /// last, attempts go on or begin again by themselves.
  case disconnected(reason: String)
  /// Paused: the server, or the app's own endpoint, refuses the token. Call `connect(auth:)`.
  case needsAuth(NeedsAuthReason)
  /// Paused: trying again would not help. `connect()` tries all the same.
  case error(reason: String)
  /// The end.
  case closed(reason: String)

  /// The name of the state, as the JavaScript client has it.
  public enum Name: String, Sendable, CaseIterable {
    case connecting, connected, disconnected
    case needsAuth = "needs-auth"
    case error, closed
  }

  /// The state without what goes with it.
  public var name: Name {
    switch self {
    case .connecting: .connecting
    case .connected: .connected
    case .disconnected: .disconnected
    case .needsAuth: .needsAuth
    case .error: .error
    case .closed: .closed
    }
  }

  init(_ state: ConnectionStateMachine.State) {
    switch state {
    case .connecting(let attempt):
      let message = attempt.reason?.message
      self = .connecting(reason: message?.isEmpty == true ? nil : message)
    case .connected: self = .connected
    case .disconnected(let reason): self = .disconnected(reason: reason.message)
    case .needsAuth(let reason): self = .needsAuth(NeedsAuthReason(reason))
    case .error(let reason): self = .error(reason: reason.message)
    case .closed(let reason): self = .closed(reason: reason.message)
    }
  }
}
