/// The errors of a client: what its calls throw, what its deferred results fail with, and why its
/// connection is in the state it is in.
///
/// A query that the server refuses fails with a ``QueryError`` instead. What the app's own code throws,
/// in the body of a query definition for instance, comes out as it is.
public enum ZeroError: Error, Sendable {
  /// An error of zero-cache or of the app's endpoints behind it. Always with an origin.
  case server(ServerError)
  /// Something on this side of the connection, or options or a query that cannot be.
  case client(ClientError)
  /// The app's own error, in a mutator for instance.
  case application(ApplicationError)
  /// The store failed.
  case storage(StoreError)
  /// The definition of a query or a mutator refused its arguments.
  case inputValidation(InputValidationError)
  /// A transaction was used after its mutator had returned.
  case transactionClosed
  /// A row cannot be read as the struct of its table.
  case decoding(RowDecodingError)
  /// A query cannot be built as asked.
  case queryBuild(QueryBuildError)

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

  /// Sorts an error into its case; nil for one that has none, such as an error of the app's own code.
  public init?(classifying error: any Error) {
    switch error {
    case let error as ZeroError: self = error
    case let error as ServerError where error.origin != nil: self = .server(error)
    case let error as ClientError: self = .client(error)
    case let error as ApplicationError: self = .application(error)
    case let error as StoreError: self = .storage(error)
    case let error as InputValidationError: self = .inputValidation(error)
    case let error as RowDecodingError: self = .decoding(error)
    case let error as QueryBuildError: self = .queryBuild(error)
    case let error as OptionError:
      self = .client(ClientError(.internal, error.description, cause: error))
    default: return nil
    }
  }

  /// The text for people.
  public var message: String {
    switch self {
    case .server(let error): error.message
    case .client(let error): error.message
    case .application(let error): error.message
    case .storage(let error): error.message
    case .inputValidation(let error): error.description
    case .transactionClosed: "the transaction is closed; use it only until the mutator returns"
    case .decoding(let error): error.description
    case .queryBuild(let error): error.message
    }
  }

  /// The kind's name on the wire or in the reference; that of the case if there is none.
  public var kindName: String {
    switch self {
    case .server(let error): error.kind.rawValue
    case .client(let error): error.kind.rawValue
    case .application: "Application"
    case .storage: "Storage"
    case .inputValidation: "InputValidation"
    case .transactionClosed: "TransactionClosed"
    case .decoding: "Decoding"
    case .queryBuild: "QueryBuild"
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
    case .application(let error): error.description
    case .storage(let error): error.description
    case .inputValidation(let error): error.description
    case .transactionClosed: message
    case .decoding(let error): error.description
    case .queryBuild(let error): error.description
    }
  }
}
