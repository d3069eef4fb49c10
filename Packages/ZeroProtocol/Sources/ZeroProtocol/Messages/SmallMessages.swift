/// The client has seen the results of its mutations up to an ID; the server may forget them.
public struct AckMutationResponses: Sendable, Equatable {
  /// The client that made the mutations.
  public var clientID: String
  /// The largest ID among the results.
  public var id: Double

  public init(clientID: String, id: Double) {
    self.clientID = clientID
    self.id = id
  }
}

extension AckMutationResponses: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    clientID = try members.required("clientID")
    id = try members.required("id")
  }

  func write(_ members: inout MemberWriter) {
    members.put("clientID", clientID)
    members.put("id", id)
  }
}

/// A new auth token for the connection.
public struct UpdateAuth: Sendable, Equatable {
  /// The token. Not empty.
  public var auth: String

  public init(auth: String) { self.auth = auth }
}

extension UpdateAuth: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) { auth = try members.required("auth") }

  func write(_ members: inout MemberWriter) { members.put("auth", auth) }
}

/// A body without members.
struct EmptyBody: MessageObject, Equatable {
  init() {}
  init(_ members: inout MemberReader) throws(JSONError) {}
  func write(_ members: inout MemberWriter) {}
}
