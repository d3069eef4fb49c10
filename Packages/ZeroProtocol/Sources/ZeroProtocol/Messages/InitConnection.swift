/// The first message of a connection, which usually travels in the request that opens it.
public struct InitConnection: Sendable, Equatable {
  /// What the client wants, relative to what its snapshot says that the server knows.
  public var desiredQueriesPatch: [DesiredQueryOp]
  /// Clients that are gone; left out rather than empty.
  public var deleted: DeleteClients?
  /// Sent if and only if the client has no cookie.
  public var clientSchema: ClientSchema?
  /// Mutate endpoint to use instead of the configured one.
  public var userPushURL: String?
  /// Extra headers for the mutate endpoint.
  public var userPushHeaders: NamedValues<String>?
  /// Query endpoint to use instead of the configured one.
  public var userQueryURL: String?
  /// Extra headers for the query endpoint.
  public var userQueryHeaders: NamedValues<String>?
  /// All clients of the group that are alive, this one included. The server deletes the others.
  public var activeClients: [String]?
  /// W3C trace context. Not sent in the request that opens a connection.
  public var traceparent: String?

  public init(
    desiredQueriesPatch: [DesiredQueryOp], deleted: DeleteClients? = nil,
    clientSchema: ClientSchema? = nil, userPushURL: String? = nil,
    userPushHeaders: NamedValues<String>? = nil, userQueryURL: String? = nil,
    userQueryHeaders: NamedValues<String>? = nil, activeClients: [String]? = nil,
    traceparent: String? = nil
  ) {
    self.desiredQueriesPatch = desiredQueriesPatch
    self.deleted = deleted
    self.clientSchema = clientSchema
    self.userPushURL = userPushURL
    self.userPushHeaders = userPushHeaders
    self.userQueryURL = userQueryURL
    self.userQueryHeaders = userQueryHeaders
    self.activeClients = activeClients
    self.traceparent = traceparent
  }
}

extension InitConnection: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    desiredQueriesPatch = try members.required("desiredQueriesPatch")
    deleted = try members.optional("deleted")
    clientSchema = try members.optional("clientSchema")
    userPushURL = try members.optional("userPushURL")
    userPushHeaders = try members.optional("userPushHeaders")
    userQueryURL = try members.optional("userQueryURL")
    userQueryHeaders = try members.optional("userQueryHeaders")
    activeClients = try members.optional("activeClients")
    traceparent = try members.optional("traceparent")
  }

  func write(_ members: inout MemberWriter) {
    members.put("desiredQueriesPatch", desiredQueriesPatch)
    members.putIfPresent("deleted", deleted)
    members.putIfPresent("clientSchema", clientSchema)
    members.putIfPresent("userPushURL", userPushURL)
    members.putIfPresent("userPushHeaders", userPushHeaders)
    members.putIfPresent("userQueryURL", userQueryURL)
    members.putIfPresent("userQueryHeaders", userQueryHeaders)
    members.putIfPresent("activeClients", activeClients)
    members.putIfPresent("traceparent", traceparent)
  }
}

extension ClientSchema: Equatable {
  /// The same tables with the same columns, types and keys.
  public static func == (a: ClientSchema, b: ClientSchema) -> Bool { a.jsonValue == b.jsonValue }
}

extension ClientSchema: MessagePart {
  static func read(
    _ json: JSONValue, _ decoder: inout JSONTreeDecoder
  ) throws(JSONError) -> ClientSchema {
    ClientSchema(tables: try decoder.clientTables(json))
  }
}
