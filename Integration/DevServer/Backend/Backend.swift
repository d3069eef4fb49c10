public import ZeroProtocol

/// What stands behind the server: named queries and mutators, and who may use them.
///
/// A registry in Swift and an app's API server over HTTP are the two kinds. Used from the isolation
/// of the server, the main actor; `answer` may be called at once or later, and exactly once.
@MainActor public protocol Backend: AnyObject {
  /// Turns named queries into queries. An empty list only asks whose token it is.
  func transform(_ request: TransformCall, answer: @escaping (TransformOutcome) -> Void)

  /// Runs mutations in their order.
  func mutate(_ request: MutateCall, answer: @escaping (MutateOutcome) -> Void)
}

/// On whose behalf a backend is asked.
public struct BackendCaller: Sendable {
  public var groupID: String
  /// As the connection claims; nil for a client that is logged out.
  public var userID: String?
  /// The connection's token, not to be logged.
  public var token: String?
  /// The connection's `Origin` and `Cookie` headers and those its deployment passes on.
  public var headers: [(name: String, value: String)] = []
  /// Endpoint that the client asked for instead of the configured one.
  public var url: String?
  /// Headers that the client asked for.
  public var clientHeaders: [(name: String, value: String)] = []
}

/// Named queries to turn into queries.
public struct TransformCall: Sendable {
  public struct Query: Sendable {
    /// The query's hash, which the answer repeats.
    public let id: String
    public let name: String
    public let arguments: [JSONValue]
  }

  public let caller: BackendCaller
  public let queries: [Query]
}

public enum TransformOutcome: Sendable {
  /// - userID: who the token says it is: absent, null for nobody, or a user.
  case answered(userID: UserClaim, queries: [TransformedQuery])
  case failed(BackendFailure)
}

/// Whom the backend takes the caller for.
public enum UserClaim: Sendable, Equatable {
  /// The backend does not say.
  case unstated
  /// Nobody is logged in.
  case nobody
  case user(String)

  /// Whether a connection of `userID` may go on.
  public func accepts(_ userID: String?) -> Bool {
    switch self {
    case .unstated: true
    case .nobody: userID == nil
    case .user(let user): userID.map { UTF8Key($0) == UTF8Key(user) } ?? false
    }
  }
}

/// What became of one named query.
public enum TransformedQuery: Sendable {
  /// A query in server names.
  case query(id: String, AST)
  /// The refusal as clients get it: `error`, `id`, `name`, `message` and `details`.
  case refused(id: String, JSONObject)

  var id: String {
    switch self {
    case .query(let id, _), .refused(let id, _): id
    }
  }
}

/// A mutation as it was pushed.
public struct PushedMutation: Sendable {
  public let id: UInt64
  public let clientID: String
  public let name: String
  public let arguments: [JSONValue]
  /// The whole mutation, to be passed on.
  public let json: JSONObject

  public init(
    id: UInt64, clientID: String, name: String, arguments: [JSONValue], json: JSONObject
  ) {
    self.id = id
    self.clientID = clientID
    self.name = name
    self.arguments = arguments
    self.json = json
  }
}

/// A push, after those that waited together were joined.
public struct MutateCall: Sendable {
  public let caller: BackendCaller
  public let mutations: [PushedMutation]
  /// The body of the push without its mutations, to be passed on.
  public let body: JSONObject
}

public enum MutateOutcome: Sendable {
  /// All mutations were processed, each with success or an application error.
  case answered(userID: UserClaim)
  /// None of `mutations` was processed.
  case failed(BackendFailure, mutations: [PushedMutation])
}

/// Why a whole request to a backend failed.
public struct BackendFailure: Error, Sendable {
  /// `server` if the backend says so itself, `zeroCache` if it could not be asked.
  public var origin: String
  /// `http`, `parse`, `internal`, `timeout`, `database`, `oooMutation` or `unsupportedPushVersion`.
  public var reason: String
  public var message: String
  public var status: Int?
  public var bodyPreview: String?
  public var details: JSONValue?

  public init(
    origin: String, reason: String, message: String, status: Int? = nil,
    bodyPreview: String? = nil, details: JSONValue? = nil
  ) {
    self.origin = origin
    self.reason = reason
    self.message = message
    self.status = status
    self.bodyPreview = bodyPreview
    self.details = details
  }

  /// An answer with a status that is not success.
  public static func http(status: Int, body: String) -> BackendFailure {
    let preview = body.count > 512 ? String(body.prefix(512)) + "..." : body
    return BackendFailure(
      origin: "zeroCache", reason: "http",
      message: "Fetch from API server returned non-OK status \(status)", status: status,
      bodyPreview: preview)
  }

  func error(kind: String, _ subject: (String, JSONValue)) -> GroupError {
    var details: [(String, JSONValue)] = [("reason", .string(reason))]
    if let status { details.append(("status", .number(Double(status)))) }
    if let bodyPreview { details.append(("bodyPreview", .string(bodyPreview))) }
    if let given = self.details { details.append(("details", given)) }
    details.append(subject)
    return GroupError(kind: kind, message: message, origin: origin, details: details)
  }
}
