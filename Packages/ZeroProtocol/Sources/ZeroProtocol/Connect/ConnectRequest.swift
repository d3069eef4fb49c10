/// The request that opens a connection: its URL, and the header with the first message and the token.
public struct ConnectRequest: Sendable, Equatable {
  /// Where the socket is opened.
  public let url: ConnectURL
  /// The one entry of the list of subprotocols. The server has to repeat it.
  public let subprotocol: String
  /// Whether the first message travels in the request. If not, it has to be sent once connected.
  public let carriesInitConnection: Bool
  /// Whether even the token alone is longer than the limit, so that the request may be refused.
  public let isTooLong: Bool
  /// Deleted clients that are still to be told; nil if there are none.
  public let deletedLeftToSend: DeleteClients?

  /// The standard limit for the header's value, in characters.
  public static let standardMaxHeaderLength = 8192

  /// - Parameters:
  ///   - url: see ``ConnectURL``.
  ///   - initConnection: the first message, without a trace context.
  ///   - auth: the token; an empty one is none.
  ///   - maxHeaderLength: the longest value of the header that still carries the first message, in
  ///     characters.
  public init(
    url: ConnectURL, initConnection: InitConnection, auth: String?,
    maxHeaderLength: Int = standardMaxHeaderLength
  ) {
    self.url = url
    let auth = auth.flatMap { $0.isEmpty ? nil : $0 }
    let full = SocketProtocolToken(
      initConnectionMessage: UpstreamMessage.initConnection(initConnection).jsonValue,
      authToken: auth
    ).header
    if full.utf8.count <= maxHeaderLength {
      subprotocol = full
      carriesInitConnection = true
      isTooLong = false
      deletedLeftToSend = nil
    } else {
      subprotocol = SocketProtocolToken(authToken: auth).header
      carriesInitConnection = false
      isTooLong = subprotocol.utf8.count > maxHeaderLength
      deletedLeftToSend = initConnection.deleted
    }
  }
}

/// A client that is gone, as a client remembers it until the server knows.
public struct DeletedClient: Sendable, Equatable {
  /// The group that the client belonged to.
  public var clientGroupID: String
  /// The client that is gone.
  public var clientID: String

  public init(clientGroupID: String, clientID: String) {
    self.clientGroupID = clientGroupID
    self.clientID = clientID
  }
}

extension DeleteClients {
  /// The clients of one group among `clients`; nil if there are none.
  public init?(_ clients: [DeletedClient], of clientGroupID: String) {
    let ids = clients.filter {
      $0.clientGroupID.utf8.elementsEqual(clientGroupID.utf8) && !$0.clientID.isEmpty
    }.map(\.clientID)
    guard !ids.isEmpty else { return nil }
    self.init(clientIDs: ids)
  }
}
