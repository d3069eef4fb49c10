import ZeroProtocol

/// Names one socket for as long as the server runs.
struct ConnectionID: Hashable, Sendable {
  let number: Int
}

/// A socket of a client group, as the group sees it.
struct GroupConnection: Sendable {
  enum Phase: Sendable {
    /// Waiting for `initConnection`.
    case connected
    /// `initConnection` is being handled.
    case initializing
    /// Takes part in pokes.
    case ready
  }

  let id: ConnectionID
  let clientID: String
  /// As the connection claims; nil for nobody.
  let userID: String?
  var token: String?
  /// What the client had as it connected; not understood if the cookie is not one of ours.
  let baseCookie: String?
  /// Version of the protocol that the client speaks.
  let protocolVersion: Int
  /// `Origin`, `Cookie` and other headers passed on to the backend.
  var headers: [(name: String, value: String)] = []
  var queryEndpoint = Endpoint()
  var pushEndpoint = Endpoint()

  /// Where the client wants the backend to be called.
  struct Endpoint: Sendable {
    var url: String?
    var headers: [(name: String, value: String)] = []
  }

  var phase = Phase.connected
  /// What the client has been sent up to; nil if it began with nothing.
  var cookie: GroupVersion?
  /// Whether it has been sent a poke, which it needs to trust its query set.
  var wasPoked = false

  func caller(of groupID: String, _ endpoint: Endpoint) -> BackendCaller {
    BackendCaller(
      groupID: groupID, userID: userID, token: token, headers: headers, url: endpoint.url,
      clientHeaders: endpoint.headers)
  }
}
