/// What a server said in an `error` message, word for word.
///
/// Decide by ``kind`` and the predicates, never by ``message``, which is written for people. A body
/// without an origin is legal on the wire but not trusted: see ``ZeroError``.
public struct ServerError: Error, Sendable, Equatable {
  /// What went wrong, as the protocol names it. A new kind needs a new protocol version.
  public enum Kind: String, Sendable, CaseIterable {
    /// The auth token cannot be decoded.
    case authInvalidated = "AuthInvalidated"
    /// The server does not know the client group, or forgot it while the client has a cookie.
    case clientNotFound = "ClientNotFound"
    /// The group is new and its schema is missing, or differs from the one stored.
    case invalidConnectionRequest = "InvalidConnectionRequest"
    /// The client's cookie is ahead of what the server knows of the group.
    case invalidConnectionRequestBaseCookie = "InvalidConnectionRequestBaseCookie"
    /// Not sent by current servers.
    case invalidConnectionRequestLastMutationID = "InvalidConnectionRequestLastMutationID"
    /// Not sent by current servers.
    case invalidConnectionRequestClientDeleted = "InvalidConnectionRequestClientDeleted"
    /// A message of the client does not have a known form.
    case invalidMessage = "InvalidMessage"
    /// A push for another group, or none is possible.
    case invalidPush = "InvalidPush"
    /// The app's mutate endpoint failed as a whole.
    case pushFailed = "PushFailed"
    /// A mutation of the legacy kind failed.
    case mutationFailed = "MutationFailed"
    /// Too many mutations of the legacy kind. The connection stays.
    case mutationRateLimited = "MutationRateLimited"
    /// The client should connect to another server.
    case rebalance = "Rebalance"
    /// The group moved to another server.
    case rehome = "Rehome"
    /// The app's query endpoint failed as a whole.
    case transformFailed = "TransformFailed"
    /// Token and user do not fit, or the app's endpoint says they don't.
    case unauthorized = "Unauthorized"
    /// The server does not speak the client's protocol version.
    case versionNotSupported = "VersionNotSupported"
    /// The client's schema does not fit the database.
    case schemaVersionNotSupported = "SchemaVersionNotSupported"
    /// The server asks for patience.
    case serverOverloaded = "ServerOverloaded"
    /// Anything unexpected.
    case `internal` = "Internal"
  }

  /// Who noticed the error.
  public enum Origin: String, Sendable, CaseIterable {
    /// The app's own API server.
    case server
    /// zero-cache.
    case zeroCache
  }

  /// How long to wait before the next attempt, and what to say then.
  public struct Backoff: Sendable, Equatable {
    /// Milliseconds to wait at least; nil if the server leaves it to the client.
    public var minBackoffMs: Double?
    /// Milliseconds to wait at most.
    public var maxBackoffMs: Double?
    /// Parameters for the URL of the next attempts.
    public var reconnectParams: NamedValues<String>?

    public init(
      minBackoffMs: Double? = nil, maxBackoffMs: Double? = nil,
      reconnectParams: NamedValues<String>? = nil
    ) {
      self.minBackoffMs = minBackoffMs
      self.maxBackoffMs = maxBackoffMs
      self.reconnectParams = reconnectParams
    }

    /// Milliseconds to wait before the next attempt: `standard`, raised to the minimum, then lowered
    /// to the maximum.
    public func delay(standard: Double) -> Double {
      min(max(standard, minBackoffMs ?? standard), maxBackoffMs ?? .infinity)
    }
  }

  /// What a kind says beyond its message.
  public enum Payload: Sendable, Equatable {
    case basic
    /// With `Rebalance`, `Rehome` and `ServerOverloaded`.
    case backoff(Backoff)
    /// With `PushFailed`: the mutations that were not processed.
    case push(EndpointFailure, mutationIDs: [MutationID])
    /// With `TransformFailed`: the queries that were not transformed.
    case transform(EndpointFailure, queryIDs: [String])
  }

  /// What went wrong.
  public let kind: Kind
  /// The server's text.
  public let message: String
  /// Nil from servers that do not say.
  public let origin: Origin?
  /// What goes with the kind.
  public let payload: Payload

  public init(_ kind: Kind, message: String, origin: Origin?, payload: Payload = .basic) {
    self.kind = kind
    self.message = message
    self.origin = origin
    self.payload = payload
  }

  /// What the app's endpoint did wrong, for `PushFailed` and `TransformFailed`.
  public var endpointFailure: EndpointFailure? {
    switch payload {
    case .push(let failure, _), .transform(let failure, _): failure
    case .basic, .backoff: nil
    }
  }

  /// Whether a new auth token may help: the token or its user was refused, by the server or with
  /// HTTP status 401 or 403 by the app's endpoint.
  public var needsAuth: Bool {
    switch kind {
    case .authInvalidated, .unauthorized: true
    case .pushFailed, .transformFailed: endpointFailure?.isAuthFailure ?? false
    default: false
    }
  }

  /// When to try again, if that is what the server asks for.
  public var backoff: Backoff? {
    guard isBackoffRequest else { return nil }
    if case .backoff(let backoff) = payload { return backoff }
    return Backoff()
  }

  /// Milliseconds that the server wants the client to wait at least before the next attempt.
  public var minimumBackoff: Double? { backoff?.minBackoffMs }

  /// Whether the client reconnects by itself after this error.
  public var isRetryable: Bool { isBackoffRequest || isNonFatal }

  /// Whether the app has to be updated before it can connect again.
  public var needsUpdate: Bool {
    kind == .versionNotSupported || kind == .schemaVersionNotSupported
  }

  // MARK: -

  private var isBackoffRequest: Bool {
    kind == .rebalance || kind == .rehome || kind == .serverOverloaded
  }

  private var isNonFatal: Bool { kind == .mutationRateLimited || kind == .mutationFailed }
}

extension ServerError: CustomStringConvertible {
  public var description: String {
    "server error \(kind.rawValue) from \(origin?.rawValue ?? "unknown origin"): \(message)"
  }
}
