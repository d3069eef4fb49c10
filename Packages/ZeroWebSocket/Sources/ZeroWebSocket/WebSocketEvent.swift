/// What came in on a WebSocket.
public enum WebSocketEvent: Sendable, Equatable {
  /// A complete text message in valid UTF-8.
  case text([UInt8])
  case binary([UInt8])
  /// A ping, which has been answered.
  case ping([UInt8])
  case pong([UInt8])
  /// The conversation is over. Comes once, as the last event.
  case closed(WebSocketEnd)
}

/// How a conversation ended.
public struct WebSocketEnd: Sendable, Equatable {
  /// The code of the peer's close frame, 1005 when it had none, 1006 when there was no such frame.
  public var code: UInt16
  /// The peer's reason.
  public var reason: String
  /// Why it ended, when not by close frames.
  public var error: WebSocketError?

  /// An end with the code that is reported for it.
  public init(code: UInt16, reason: String = "", error: WebSocketError? = nil) {
    self.code = code
    self.reason = reason
    self.error = error
  }
}
