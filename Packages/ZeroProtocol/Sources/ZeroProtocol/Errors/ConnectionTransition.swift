/// What an error does to the state of the connection.
public enum ConnectionTransition: Sendable, Hashable {
  /// No change of its own: keep trying to connect, after the server's back-off if it asked for one.
  case keepConnecting
  /// Stop until the app calls `connect`, if possible with a new token.
  case needsAuth
  /// Stop until the app calls `connect`.
  case error
  /// Not connected, for a reason that is no failure.
  case disconnected
  /// The end.
  case closed
}

extension ZeroError {
  /// What this error does to the connection.
  public var transition: ConnectionTransition {
    switch self {
    case .client(let error): Self.transition(after: error.kind)
    case .server(let error):
      if error.needsAuth {
        .needsAuth
      } else if error.isRetryable {
        .keepConnecting
      } else {
        .error
      }
    case .application, .storage, .inputValidation, .transactionClosed, .decoding, .queryBuild:
      .error
    }
  }

  // MARK: -

  private static func transition(after kind: ClientError.Kind) -> ConnectionTransition {
    switch kind {
    case .abruptClose, .cleanClose, .connectTimeout, .pingTimeout, .pullTimeout,
      .unexpectedBaseCookie:
      .keepConnecting
    case .internal, .invalidMessage, .userDisconnect: .error
    case .hidden, .offline, .noSocketOrigin: .disconnected
    case .clientClosed: .closed
    }
  }
}
