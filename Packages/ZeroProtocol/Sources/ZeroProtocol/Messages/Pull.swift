/// A request of old clients for the state of a client group. Servers accept and ignore it.
public struct PullRequest: Sendable, Equatable {
  /// The group that is asked about.
  public var clientGroupID: String
  /// Nil is sent as null.
  public var cookie: String?
  /// For logs.
  public var requestID: String

  public init(clientGroupID: String, cookie: String?, requestID: String) {
    self.clientGroupID = clientGroupID
    self.cookie = cookie
    self.requestID = requestID
  }
}

extension PullRequest: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    clientGroupID = try members.required("clientGroupID")
    cookie = try members.nullable("cookie")
    requestID = try members.required("requestID")
  }

  func write(_ members: inout MemberWriter) {
    members.put("clientGroupID", clientGroupID)
    members.putOrNull("cookie", cookie)
    members.put("requestID", requestID)
  }
}

/// The answer to a pull. Current servers do not send it; clients accept and ignore it.
public struct PullResponse: Sendable, Equatable {
  /// The group's state.
  public var cookie: String
  /// For logs.
  public var requestID: String
  /// Client ID → last mutation ID.
  public var lastMutationIDChanges: NamedValues<Double>

  public init(cookie: String, requestID: String, lastMutationIDChanges: NamedValues<Double>) {
    self.cookie = cookie
    self.requestID = requestID
    self.lastMutationIDChanges = lastMutationIDChanges
  }
}

extension PullResponse: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    cookie = try members.required("cookie")
    requestID = try members.required("requestID")
    lastMutationIDChanges = try members.required("lastMutationIDChanges")
  }

  func write(_ members: inout MemberWriter) {
    members.put("cookie", cookie)
    members.put("requestID", requestID)
    members.put("lastMutationIDChanges", lastMutationIDChanges)
  }
}
