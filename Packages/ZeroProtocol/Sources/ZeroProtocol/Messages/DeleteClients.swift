/// Clients that are gone: as a request, those that a client collected; as an answer, those that the
/// server deleted.
public struct DeleteClients: Sendable, Equatable {
  /// The clients. Nil is left out.
  public var clientIDs: [String]?
  /// Ignored by current servers.
  public var clientGroupIDs: [String]?

  public init(clientIDs: [String]? = nil, clientGroupIDs: [String]? = nil) {
    self.clientIDs = clientIDs
    self.clientGroupIDs = clientGroupIDs
  }
}

extension DeleteClients: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    clientIDs = try members.optional("clientIDs")
    clientGroupIDs = try members.optional("clientGroupIDs")
  }

  func write(_ members: inout MemberWriter) {
    members.putIfPresent("clientIDs", clientIDs)
    members.putIfPresent("clientGroupIDs", clientGroupIDs)
  }
}
