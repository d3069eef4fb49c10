/// Something that went wrong on this side of the connection.
public struct ClientError: Error, Sendable {
  /// What went wrong, as the reference names it.
  public enum Kind: String, Sendable, CaseIterable {
    /// The socket was lost without a closing handshake.
    case abruptClose = "AbruptClose"
    /// The server closed the socket.
    case cleanClose = "CleanClose"
    /// The app closed the client.
    case clientClosed = "ClientClosed"
    /// An attempt to connect took too long.
    case connectTimeout = "ConnectTimeout"
    /// The app went out of sight.
    case hidden = "Hidden"
    /// Bad options, a broken poke, or anything unexpected.
    case `internal` = "Internal"
    /// A message of the server does not have a known form, or one of ours was too big.
    case invalidMessage = "InvalidMessage"
    /// There is no server to connect to.
    case noSocketOrigin = "NoSocketOrigin"
    /// No connection could be made for the whole retry window.
    case offline = "Offline"
    /// The server did not answer a ping.
    case pingTimeout = "PingTimeout"
    /// The server did not answer a pull. Not raised.
    case pullTimeout = "PullTimeout"
    /// A poke does not start from the client's state.
    case unexpectedBaseCookie = "UnexpectedBaseCookie"
    /// Not raised.
    case userDisconnect = "UserDisconnect"
  }

  /// What went wrong.
  public let kind: Kind
  /// What failed, on what, and what to do.
  public let message: String
  /// The error behind this one.
  public let cause: (any Error)?

  public init(_ kind: Kind, _ message: String, cause: (any Error)? = nil) {
    self.kind = kind
    self.message = message
    self.cause = cause
  }
}

extension ClientError: CustomStringConvertible {
  public var description: String { "client error \(kind.rawValue): \(message)" }
}
