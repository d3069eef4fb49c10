/// The reason of a connection's state: an error that the server sent, or one of this side.
public enum ZeroError: Error, Sendable {
  /// Always with an origin.
  case server(ServerError)
  case client(ClientError)

  /// Takes any error. One that is neither a client error nor a server error with an origin becomes
  /// an internal client error with the original as its cause.
  public init(_ error: any Error) {
    switch error {
    case let error as ZeroError: self = error
    case let error as ClientError: self = .client(error)
    case let error as ServerError where error.origin != nil: self = .server(error)
    default:
      let text = (error as? ServerError)?.message ?? ApplicationError(wrapping: error).message
      self = .client(ClientError(.internal, "Unexpected internal error: \(text)", cause: error))
    }
  }

  /// The text for people.
  public var message: String {
    switch self {
    case .server(let error): error.message
    case .client(let error): error.message
    }
  }

  /// The kind's name on the wire or in the reference.
  public var kindName: String {
    switch self {
    case .server(let error): error.kind.rawValue
    case .client(let error): error.kind.rawValue
    }
  }

  /// Whether a new auth token may help.
  public var needsAuth: Bool {
    if case .server(let error) = self { error.needsAuth } else { false }
  }

  /// Whether the client goes on trying to connect by itself.
  public var isRetryable: Bool { transition == .keepConnecting }

  /// Whether the retry window elapsed without a connection.
  public var isOffline: Bool { clientKind == .offline }

  /// The kind of a client error.
  public var clientKind: ClientError.Kind? {
    if case .client(let error) = self { error.kind } else { nil }
  }

  /// The kind of a server error.
  public var serverKind: ServerError.Kind? {
    if case .server(let error) = self { error.kind } else { nil }
  }

  /// When to try again, if the server asked for it.
  public var backoff: ServerError.Backoff? {
    if case .server(let error) = self { error.backoff } else { nil }
  }

  /// Whether an attempt that ended so failed, rather than being given up or lost after it succeeded.
  public var countsAsConnectError: Bool {
    switch clientKind {
    case .abruptClose, .cleanClose, .clientClosed, .hidden, .userDisconnect: false
    default: true
    }
  }

  /// A name for logs and counters: origin and kind in lower case with underscores, as
  /// `client_ping_timeout`.
  public var metricName: String {
    var name = serverKind == nil ? "client" : "server"
    for letter in kindName.utf8 {
      let isUpper = letter >= UInt8(ascii: "A") && letter <= UInt8(ascii: "Z")
      if isUpper { name.append("_") }
      name.unicodeScalars.append(UnicodeScalar(isUpper ? letter | 0x20 : letter))
    }
    return name
  }
}

extension ZeroError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .server(let error): error.description
    case .client(let error): error.description
    }
  }
}
