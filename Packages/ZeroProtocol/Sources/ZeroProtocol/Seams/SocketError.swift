/// Why a socket could not be opened or failed.
public struct SocketError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure. New kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Base: String, Hashable, Sendable {
      case invalidRequest, nameResolution, connectionRefused, unreachable, timeout, tls
      case certificate, proxy, httpStatus, handshake, protocolViolation, messageTooLarge
      case connectionLost, closed, tooManyOpenFiles
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// The URL, a header or a subprotocol is malformed.
    public static let invalidRequest = Self(.invalidRequest)
    /// The host name has no address.
    public static let nameResolution = Self(.nameResolution)
    /// Nothing listens at the address.
    public static let connectionRefused = Self(.connectionRefused)
    /// No route, or the network is down.
    public static let unreachable = Self(.unreachable)
    /// Not connected within `connectTimeout`, or the peer did not finish the closing handshake.
    public static let timeout = Self(.timeout)
    /// The TLS handshake failed for a reason other than the certificate.
    public static let tls = Self(.tls)
    /// The server's certificate is expired, self-signed, for another host, or not the pinned one.
    public static let certificate = Self(.certificate)
    /// The proxy could not be reached or refused.
    public static let proxy = Self(.proxy)
    /// The server answered the upgrade with another status than 101.
    public static let httpStatus = Self(.httpStatus)
    /// The answer to the upgrade is not a valid WebSocket handshake.
    public static let handshake = Self(.handshake)
    /// The peer broke RFC 6455.
    public static let protocolViolation = Self(.protocolViolation)
    /// An incoming message is over the limit.
    public static let messageTooLarge = Self(.messageTooLarge)
    /// The connection broke without a close frame.
    public static let connectionLost = Self(.connectionLost)
    /// The socket was closed on this side before it opened.
    public static let closed = Self(.closed)
    /// The process or the system has no file descriptor left; trying again later can help.
    public static let tooManyOpenFiles = Self(.tooManyOpenFiles)

    public var description: String { base.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// What failed, on what, and what to do. Never contains subprotocols, which carry tokens.
  public let message: String
  /// For `httpStatus`: the status of the response.
  public let httpStatus: Int?
  /// For `httpStatus`: the first 512 characters of the response's body.
  public let bodyExcerpt: String?

  /// An error of that kind; the message says what failed, on what, and what to do.
  public init(
    _ code: Code, message: String, httpStatus: Int? = nil, bodyExcerpt: String? = nil
  ) {
    self.code = code
    self.message = message
    self.httpStatus = httpStatus
    self.bodyExcerpt = bodyExcerpt
  }

  public var description: String { "socket error \(code): \(message)" }
}
