/// Mutations for the app's API server.
public struct Push: Sendable, Equatable {
  /// Wall-clock time of the push, in milliseconds since 1970.
  public var timestamp: Double
  /// Must be the connection's.
  public var clientGroupID: String
  /// In order of their IDs per client.
  public var mutations: [MutationMessage]
  /// 1.
  public var pushVersion: Double
  /// Not sent with custom mutations.
  public var schemaVersion: Double?
  /// For logs.
  public var requestID: String
  /// Deprecated, not to be sent.
  public var auth: String?
  /// W3C trace context.
  public var traceparent: String?

  public init(
    timestamp: Double, clientGroupID: String, mutations: [MutationMessage],
    pushVersion: Double = SyncProtocol.pushVersion, schemaVersion: Double? = nil,
    requestID: String, auth: String? = nil, traceparent: String? = nil
  ) {
    self.timestamp = timestamp
    self.clientGroupID = clientGroupID
    self.mutations = mutations
    self.pushVersion = pushVersion
    self.schemaVersion = schemaVersion
    self.requestID = requestID
    self.auth = auth
    self.traceparent = traceparent
  }

  /// Reads the body of a push, as the mutate endpoint receives it too.
  /// - Throws: `wrongType`, `missingMember`, `invalidValue`, `invalidLength`, `unknownMember`.
  public init(json: JSONValue, unknownMembers: UnknownMembers = .refused) throws(JSONError) {
    self = try Self.decode(json, unknownMembers: unknownMembers)
  }

  /// The JSON form.
  public var json: JSONValue { jsonValue }
}

extension Push: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    timestamp = try members.required("timestamp")
    clientGroupID = try members.required("clientGroupID")
    mutations = try members.required("mutations")
    pushVersion = try members.required("pushVersion")
    schemaVersion = try members.optional("schemaVersion")
    requestID = try members.required("requestID")
    auth = try members.optional("auth")
    traceparent = try members.optional("traceparent")
  }

  func write(_ members: inout MemberWriter) {
    members.put("timestamp", timestamp)
    members.put("clientGroupID", clientGroupID)
    members.put("mutations", mutations)
    members.put("pushVersion", pushVersion)
    members.putIfPresent("schemaVersion", schemaVersion)
    members.put("requestID", requestID)
    members.putIfPresent("auth", auth)
    members.putIfPresent("traceparent", traceparent)
  }
}
