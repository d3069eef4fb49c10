public import ZeroWebSocket

/// What a ``WebSocketServer`` serves.
///
/// All calls come from the server's I/O thread, one after the other, so an implementation must not
/// block; what takes longer goes elsewhere and answers when it is ready.
public protocol WebSocketService: AnyObject, Sendable {
  /// Decides about a client that asks for a WebSocket.
  func answer(_ upgrade: HTTPRequest) -> UpgradeAnswer

  /// Answers a plain HTTP request, now or later and from any thread, by calling `reply` once.
  func respond(to request: HTTPRequest, reply: @escaping @Sendable (HTTPResponse) -> Void)

  /// A client that was accepted is connected. `request` is the one that ``answer(_:)`` has seen.
  func socketDidOpen(_ socket: ServerSocket, _ request: HTTPRequest)

  /// A complete message has arrived: `text` or `binary`.
  func socketDidReceive(_ socket: ServerSocket, _ message: WebSocketEvent)

  /// The socket is gone. Comes once for every socket that opened.
  func socketDidClose(_ socket: ServerSocket, _ end: WebSocketEnd)
}

/// Whether a client may have its WebSocket.
public enum UpgradeAnswer: Sendable {
  /// - Parameter subprotocol: one of those the client offers, or nil for none.
  case accept(subprotocol: String?)
  case refuse(HTTPResponse)
}
