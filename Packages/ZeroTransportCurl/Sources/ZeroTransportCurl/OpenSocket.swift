import CZeroSockets
import ZeroProtocol
import ZeroWebSocket

/// A socket after its opening handshake. Confined to the lock of its channel.
final class OpenSocket {
  private let stream: ByteStream
  private var machine: WebSocketStateMachine
  private let authority: String
  private let delivery: SocketDelivery

  /// When the closing handshake, or the wait for the peer to hang up, is given up.
  private var deadline: ContinuousClock.Instant?
  private var isClosing = false
  private var cannotSend = false
  private var hasMoreToRead = false
  private let isCompressed: Bool
  /// Everything is over; the connection can go.
  private(set) var isDone = false

  /// How long the peer may take to hang up after the close frames, so that the last bytes reach it.
  private static let lingering = Duration.seconds(2)
  private static let bytesPerRound = 1 << 20
  /// Compressed bytes taken at a time: they may unfold to a thousand times as many.
  private static let compressedBytesPerRound = 16 << 10

  init(
    _ stream: ByteStream, _ acceptance: ClientHandshake.Acceptance, maxMessageBytes: Int,
    authority: String, delivery: SocketDelivery
  ) {
    self.stream = stream
    self.authority = authority
    self.delivery = delivery
    isCompressed = acceptance.compression != nil
    machine = WebSocketStateMachine(
      role: .client, maxMessageBytes: maxMessageBytes, compression: acceptance.compression)
  }

  var hasEnded: Bool { machine.hasEnded }
  var bufferedBytes: Int { machine.bufferedBytes }

  var status: Channel.Status {
    if isDone { return .finished }
    return hasMoreToRead || cannotSend && !hasEnded
      ? .busy(until: deadline) : .waiting(until: deadline)
  }

  func send(text utf8: [UInt8]) { machine.send(text: utf8) }

  func send(binary bytes: [UInt8]) { machine.send(binary: bytes) }

  func close(code: UInt16?, reason: String, within limit: Duration) {
    guard !isClosing else { return }
    isClosing = true
    machine.close(code: code, reason: reason)
    if !hasEnded { deadline = .now + limit }
    flush()
  }

  /// Takes what came together with the server's answer to the handshake.
  func start(_ rest: [UInt8]) {
    var events: [WebSocketEvent] = []
    rest.withUnsafeBytes { machine.receive($0, into: &events) }
    post(events)
    hasMoreToRead = stream.hasHiddenBuffer
    flush()
  }

  /// Reads what has arrived, up to 1 MiB, or 16 KiB if it is compressed, unless the main actor has too
  /// much to do already.
  func read(_ buffer: ReadBuffer) {
    hasMoreToRead = false
    var events: [WebSocketEvent] = []
    let wholeBudget = isCompressed ? Self.compressedBytesPerRound : Self.bytesPerRound
    var budget = isPaused && !cannotSend ? 0 : wholeBudget
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer.bytes.prefix(wholeBudget))
    reading: while budget > 0 {
      switch stream.receive(room) {
      case .moved(let count):
        machine.receive(UnsafeRawBufferPointer(rebasing: room[..<count]), into: &events)
        budget -= count
        // Less than was asked for means that a plain socket is empty.
        if count < room.count && !stream.hasHiddenBuffer { break reading }
        if budget <= 0 { hasMoreToRead = stream.hasHiddenBuffer || cannotSend }
      case .wouldBlock:
        if cannotSend { end("the peer has hung up", &events) }
        break reading
      case .end:
        end(nil, &events)
        break reading
      case .failed(let problem):
        end(problem, &events)
        break reading
      }
    }
    post(events)
    flush()
  }

  /// Sends what is queued, as far as the system takes it.
  func flush() {
    var isBlocked = false
    while !isBlocked && !cannotSend {
      let isEmpty = machine.withOutput { bytes in
        switch stream.send(bytes) {
        case .moved(let count): return count
        case .wouldBlock: isBlocked = true
        case .end, .failed: cannotSend = true
        }
        return 0
      }
      if isEmpty { break }
    }
    if machine.wantsDisconnect && !isDone && endsByFailure {
      stream.endSending()
      endsByFailure = false
    }
    if cannotSend && hasEnded { isDone = true }
    let reads = isPaused ? 0 : Int32(CZERO_READABLE)
    stream.watch(reads | (isBlocked ? Int32(CZERO_WRITABLE) : 0))
  }

  /// The time for the closing handshake, or for hanging up, is over.
  func expire() {
    guard let deadline, deadline <= .now else { return }
    isDone = true
    guard !hasEnded else { return }
    delivery.post(
      .closed(
        SocketClose(
          code: CloseCode.abnormal, wasClean: false,
          error: SocketError(
            .timeout, message: "\(authority) did not answer our close frame in time."))))
  }

  // MARK: -

  /// Whether this side gave up, so that it hangs up first.
  private var endsByFailure = false

  private var isPaused: Bool {
    !isClosing && !hasEnded && delivery.waitingBytes > Channel.pauseBytes
  }

  /// The connection is at its end, for the reason `problem` if it broke.
  private func end(_ problem: String?, _ events: inout [WebSocketEvent]) {
    isDone = true
    guard !hasEnded else { return }
    let before = events.count
    machine.receiveEnd(into: &events)
    guard let problem, events.count > before else { return }
    events[before] = .closed(
      WebSocketEnd(
        code: CloseCode.abnormal,
        error: WebSocketError(.connectionLost, "The connection broke: \(problem).")))
  }

  private func post(_ events: [WebSocketEvent]) {
    var messages: [SocketMessage] = []
    for event in events {
      switch event {
      case .text(let utf8): messages.append(.text(utf8))
      case .binary(let bytes): messages.append(.binary(bytes))
      case .ping, .pong: break
      case .closed(let end):
        postMessages(messages)
        messages = []
        finish(end)
      }
    }
    postMessages(messages)
  }

  private func postMessages(_ messages: [SocketMessage]) {
    guard !messages.isEmpty, !isClosing else { return }
    delivery.post(.messages(messages))
  }

  private func finish(_ end: WebSocketEnd) {
    endsByFailure = end.error != nil
    deadline = .now + Self.lingering
    delivery.post(
      .closed(
        SocketClose(
          code: end.code, reason: end.reason, wasClean: end.error == nil,
          error: end.error.map {
            SocketError(
              SocketError.Code($0.code), message: "\(authority): \($0.message)")
          })))
  }
}

extension SocketError.Code {
  /// The transport's word for a failure of the WebSocket protocol.
  init(_ code: WebSocketError.Code) {
    switch code {
    case .messageTooLarge: self = .messageTooLarge
    case .connectionLost: self = .connectionLost
    default: self = .protocolViolation
    }
  }
}
