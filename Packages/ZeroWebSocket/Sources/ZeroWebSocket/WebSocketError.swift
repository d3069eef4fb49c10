/// Why a WebSocket conversation cannot go on.
public struct WebSocketError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of failure.
  public struct Code: Hashable, Sendable {
    private enum Base: Hashable, Sendable {
      case protocolViolation, invalidText, messageTooLarge, connectionLost
    }
    private let base: Base
    private init(_ base: Base) { self.base = base }

    /// The peer broke RFC 6455 or RFC 7692.
    public static let protocolViolation = Self(.protocolViolation)
    /// A text message or a close reason is not UTF-8.
    public static let invalidText = Self(.invalidText)
    /// A message is over the limit, before or after decompression.
    public static let messageTooLarge = Self(.messageTooLarge)
    /// The connection ended without a close frame.
    public static let connectionLost = Self(.connectionLost)
  }

  /// The kind of failure.
  public let code: Code
  /// What was wrong, in words.
  public let message: String

  /// An error in words of its own.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The code of the close frame that tells the peer, if one can be sent.
  public var closeCode: UInt16? {
    switch code {
    case .invalidText: 1007
    case .messageTooLarge: 1009
    case .connectionLost: nil
    default: 1002
    }
  }

  public var description: String { message }
}
