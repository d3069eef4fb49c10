/// Opens WebSockets: the transport seam an app chooses in its options.
///
/// `SocketContract` in ZeroTesting is the executable definition of this protocol.
public protocol SocketFactory: Sendable {
  /// Starts to connect and returns at once.
  ///
  /// `events` hears of the outcome later, never during this call: either `socketDidOpen` or
  /// `socketDidClose` comes first. It is held weakly.
  @MainActor func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection
}

/// What to connect to, and within which limits.
public struct SocketRequest: Sendable {
  /// A `ws://` or `wss://` URL, sent as it is.
  public var url: String
  /// Values of `Sec-WebSocket-Protocol`, sent verbatim in one header. Zero offers exactly one, up to
  /// 8,192 characters and more, which the server echoes.
  public var subprotocols: [String]
  /// Further request headers in order. None may contain a line break.
  public var headers: [(name: String, value: String)]
  /// Time for name resolution, TCP, TLS and the handshake together.
  public var connectTimeout: Duration
  /// Largest incoming message in bytes, after decompression. Beyond it the peer is sent a close frame
  /// with code 1009, and the socket ends with 1006 and an error of code `messageTooLarge`.
  public var maxMessageBytes: Int

  public init(
    url: String, subprotocols: [String] = [], headers: [(name: String, value: String)] = [],
    connectTimeout: Duration = .seconds(10), maxMessageBytes: Int = 64 << 20
  ) {
    self.url = url
    self.subprotocols = subprotocols
    self.headers = headers
    self.connectTimeout = connectTimeout
    self.maxMessageBytes = maxMessageBytes
  }
}

/// One WebSocket. Used from the main actor; I/O happens elsewhere.
///
/// Releasing the last reference closes the socket without a code; nothing more is reported then.
@MainActor public protocol SocketConnection: AnyObject {
  /// Queues a text message; `utf8` must be valid UTF-8. Messages are sent in order. After `close`, or
  /// before `socketDidOpen`, it is dropped.
  func send(text utf8: [UInt8])

  /// Queues a binary message under the rules of ``send(text:)``.
  func send(binary bytes: [UInt8])

  /// Bytes accepted by `send` and not yet taken by the operating system, framing included: the
  /// back-pressure a sender watches. When it is not zero as `send` returns, `socketDidDrain` follows
  /// as soon as it is.
  var bufferedBytes: Int { get }

  /// Starts the closing handshake. What was queued before is still sent. Afterwards no more messages
  /// are delivered; `socketDidClose` comes once, at the latest five seconds later. Before
  /// `socketDidOpen` it gives up the attempt: `socketDidClose` brings 1006 and an error of code
  /// `closed`. A second call does nothing.
  /// - Parameters:
  ///   - code: 1000 or 3000…4999, or nil for a close frame without a code.
  ///   - reason: cut to 123 bytes of UTF-8.
  func close(code: UInt16?, reason: String)
}

/// Receives what happens on a socket, on the main actor, in the order in which it happened.
@MainActor public protocol SocketEvents: AnyObject {
  /// The handshake is complete. `subprotocol` is the server's choice.
  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?)

  /// One or more complete messages, in order; several that arrived together come in one call.
  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage])

  /// ``SocketConnection/bufferedBytes`` has returned to zero.
  func socketDidDrain(_ socket: any SocketConnection)

  /// The socket is gone. Comes exactly once for every socket, also for one that never opened.
  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose)
}

/// A complete incoming message.
public enum SocketMessage: Sendable, Equatable {
  /// Valid UTF-8.
  case text([UInt8])
  case binary([UInt8])
}

/// How a socket ended.
public struct SocketClose: Sendable {
  /// The peer's code; 1005 when its close frame had none, 1006 when there was no close frame or this
  /// side gave up first. So 1009 always means that the peer refused a message of ours.
  public var code: UInt16
  /// The peer's reason text.
  public var reason: String
  /// Whether the closing handshake was completed.
  public var wasClean: Bool
  /// Why it ended, when that was a failure on this side of the connection or of the handshake.
  public var error: SocketError?

  public init(code: UInt16, reason: String = "", wasClean: Bool, error: SocketError? = nil) {
    self.code = code
    self.reason = reason
    self.wasClean = wasClean
    self.error = error
  }
}
