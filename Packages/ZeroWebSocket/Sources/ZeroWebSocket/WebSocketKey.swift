/// The proof that a server understood the handshake.
@_spi(Testing) public enum WebSocketKey {
  /// Value of `Sec-WebSocket-Accept` for a value of `Sec-WebSocket-Key`.
  public static func accept(for key: String) -> String {
    Base64.encode(SHA1.hash(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }
}
