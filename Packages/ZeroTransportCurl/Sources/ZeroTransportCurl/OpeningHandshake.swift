import CZeroSockets
import ZeroWebSocket

/// Sends the upgrade request and reads the answer. Confined to the lock of its channel.
final class OpeningHandshake {
  let stream: ByteStream
  var deadline: ContinuousClock.Instant

  private var handshake: ClientHandshake
  private var sentCount = 0

  init(
    _ stream: ByteStream, _ request: ClientHandshake.Request, deadline: ContinuousClock.Instant
  ) {
    self.stream = stream
    self.deadline = deadline
    var random = SystemRandomNumberGenerator()
    handshake = ClientHandshake(request, random: &random)
  }

  var isRefused: Bool { handshake.isRefused }

  func start() -> ClientHandshake.Outcome { send() ?? .needsMore }

  func handle(
    isReadable: Bool, _ buffer: ReadBuffer
  ) -> ClientHandshake.Outcome {
    if let outcome = send() { return outcome }
    guard isReadable else { return .needsMore }
    while true {
      switch stream.receive(buffer.bytes) {
      case .moved(let count):
        let outcome = handshake.receive(UnsafeRawBufferPointer(rebasing: buffer.bytes[..<count]))
        guard case .needsMore = outcome else { return outcome }
      case .wouldBlock: return .needsMore
      case .end: return handshake.receiveEnd()
      case .failed(let problem):
        return isRefused ? handshake.receiveEnd() : .invalid("the connection broke: \(problem).")
      }
    }
  }

  /// Makes do with what has arrived.
  func end() -> ClientHandshake.Outcome { handshake.receiveEnd() }

  // MARK: -

  /// - Returns: an outcome only if the request cannot be sent.
  private func send() -> ClientHandshake.Outcome? {
    let bytes = handshake.requestBytes
    while sentCount < bytes.count {
      let result = bytes.withUnsafeBytes {
        stream.send(UnsafeRawBufferPointer(rebasing: $0[sentCount...]))
      }
      switch result {
      case .moved(let count): sentCount += count
      case .wouldBlock:
        stream.watch(Int32(CZERO_READABLE | CZERO_WRITABLE))
        return nil
      case .end, .failed:
        // The server may have answered before it hung up: what it said is worth more.
        sentCount = bytes.count
      }
    }
    stream.watch(Int32(CZERO_READABLE))
    return nil
  }
}
