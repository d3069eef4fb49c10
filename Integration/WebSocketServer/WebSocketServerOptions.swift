/// How a ``WebSocketServer`` listens, and within which limits.
public struct WebSocketServerOptions: Sendable {
  /// Port to listen on; 0 picks a free one.
  public var port: UInt16 = 0
  /// Whether other machines can connect. Otherwise only this one can, through loopback.
  public var isPublic = false
  /// Largest incoming message, after decompression. zero-cache's limit is 10 MiB.
  public var maxMessageBytes = 10 << 20
  /// Largest body of a plain request.
  public var maxBodyBytes = 16 << 20
  /// Whether to agree to compression when a client offers it.
  public var compresses = false
  /// How long a client may take to answer a close frame.
  public var closeTimeout: Duration = .seconds(5)

  public init() {}
}

/// The server cannot be started.
public struct WebSocketServerError: Error, Sendable, CustomStringConvertible {
  public let description: String
}
