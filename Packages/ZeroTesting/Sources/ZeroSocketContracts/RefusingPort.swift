import CZeroPeer

/// A port of loopback on which nobody listens, and which nobody else can take while this lives.
public final class RefusingPort: Sendable {
  public let number: UInt16
  private let descriptor: Int32

  /// - Throws: ``PeerConnection/Failure`` if no port is free.
  public init() throws {
    var number: UInt16 = 0
    descriptor = czero_peer_reserve(&number)
    self.number = number
    guard descriptor >= 0 else {
      throw PeerConnection.Failure(description: "Cannot take a port of loopback.")
    }
  }

  deinit { czero_peer_close_listener(descriptor) }
}
