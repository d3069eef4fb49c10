/// A WebSocket after its opening handshake, without any I/O: bytes in, events out; messages in, bytes
/// out. One and the same for clients and servers.
///
/// Pings are answered, close frames exchanged and protocol errors reported to the peer by the machine;
/// its owner moves the bytes, keeps the time and closes the connection when ``wantsDisconnect`` says so.
public struct WebSocketStateMachine: ~Copyable {
  private enum State {
    case open
    /// Our close frame is on its way; the peer's has not come.
    case closeSent
    /// The end has been reported; what remains is to write what is queued.
    case ended
  }

  private let role: WebSocketRole
  private var state = State.open
  private var reader: FrameReader
  private var writer: FrameWriter

  /// - Parameters:
  ///   - maxMessageBytes: largest incoming message, after decompression.
  ///   - compression: what the handshake agreed on, or nil.
  ///   - random: source of masking keys, 64 bits for two frames.
  public init(
    role: WebSocketRole, maxMessageBytes: Int = 64 << 20, compression: DeflateParameters? = nil,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.role = role
    let streams = Streams(role: role, compression)
    reader = FrameReader(
      role: role, maxMessageBytes: maxMessageBytes, inflater: streams.makeInflater())
    writer = FrameWriter(role: role, deflater: streams.makeDeflater(), random: random)
  }

  /// Bytes queued and not yet taken from ``withOutput(_:)``.
  public var bufferedBytes: Int { writer.bufferedBytes }

  /// Whether messages can still be sent.
  public var isOpen: Bool { if case .open = state { true } else { false } }

  /// Whether ``WebSocketEvent/closed(_:)`` has been reported.
  public var hasEnded: Bool { if case .ended = state { true } else { false } }

  /// Whether everything is said and written, so that this side should end the connection: at once on
  /// a server, and on a client when the server has not done so within a moment.
  public var wantsDisconnect: Bool { hasEnded && bufferedBytes == 0 }

  /// Takes bytes from the peer and appends what they amount to. Ignored after the end.
  public mutating func receive(
    _ bytes: UnsafeRawBufferPointer, into events: inout [WebSocketEvent]
  ) {
    guard !hasEnded else { return }
    var items: [FrameReader.Item] = []
    var failure: WebSocketError?
    do {
      try reader.read(bytes) { items.append($0) }
    } catch {
      failure = error
    }
    for item in items {
      handle(item, &events)
      if hasEnded { return }
    }
    if let failure { fail(failure, &events) }
  }

  /// The connection is at its end; no more bytes will come.
  public mutating func receiveEnd(into events: inout [WebSocketEvent]) {
    guard !hasEnded else { return }
    fail(
      WebSocketError(.connectionLost, "The connection ended without a close frame."), &events)
  }

  /// Queues a text message, which must be valid UTF-8. Ignored unless ``isOpen``.
  public mutating func send(text utf8: [UInt8]) {
    if isOpen { writer.enqueue(.text, utf8) }
  }

  /// Queues a binary message. Ignored unless ``isOpen``.
  public mutating func send(binary bytes: [UInt8]) {
    if isOpen { writer.enqueue(.binary, bytes) }
  }

  /// Queues a ping before all messages that have not begun.
  /// - Parameter payload: cut to 125 bytes.
  public mutating func ping(_ payload: [UInt8] = []) {
    if isOpen { writer.enqueueControl(.ping, Array(payload.prefix(125))) }
  }

  /// Starts the closing handshake behind everything that is queued. Messages that arrive from now on
  /// are dropped. Ignored unless ``isOpen``.
  /// - Parameters:
  ///   - code: a code that may be sent, or nil for none.
  ///   - reason: cut to 123 bytes of UTF-8; not sent without a code.
  public mutating func close(code: UInt16?, reason: String = "") {
    guard isOpen else { return }
    writer.enqueue(.close, Self.closePayload(code, reason))
    state = .closeSent
  }

  /// Lends the next bytes to send; `take` returns how many it has sent.
  /// - Returns: whether nothing is left to send.
  @discardableResult
  public mutating func withOutput(_ take: (UnsafeRawBufferPointer) -> Int) -> Bool {
    writer.withOutput(take)
  }

  // MARK: -

  private mutating func handle(_ item: FrameReader.Item, _ events: inout [WebSocketEvent]) {
    switch item {
    case .text(let utf8):
      if isOpen { events.append(.text(utf8)) }
    case .binary(let bytes):
      if isOpen { events.append(.binary(bytes)) }
    case .ping(let payload):
      guard isOpen else { return }
      writer.enqueueControl(.pong, payload)
      events.append(.ping(payload))
    case .pong(let payload):
      if isOpen { events.append(.pong(payload)) }
    case .close(let code, let reason):
      if isOpen {
        writer.dropUnsent()
        writer.enqueue(.close, Self.closePayload(code, ""))
      }
      end(WebSocketEnd(code: code ?? CloseCode.none, reason: reason), &events)
    }
  }

  private mutating func fail(_ error: WebSocketError, _ events: inout [WebSocketEvent]) {
    writer.dropUnsent()
    if let code = error.closeCode, isOpen {
      writer.enqueue(.close, Self.closePayload(code, ""))
    }
    end(WebSocketEnd(code: CloseCode.abnormal, error: error), &events)
  }

  private mutating func end(_ end: WebSocketEnd, _ events: inout [WebSocketEvent]) {
    state = .ended
    events.append(.closed(end))
  }

  private static func closePayload(_ code: UInt16?, _ reason: String) -> [UInt8] {
    guard let code else { return [] }
    return [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + CloseCode.fit(reason)
  }

  /// Makes the two halves of permessage-deflate for one end of the connection.
  private struct Streams {
    let role: WebSocketRole
    let parameters: DeflateParameters?

    init(role: WebSocketRole, _ parameters: DeflateParameters?) {
      self.role = role
      self.parameters = parameters
    }

    func makeInflater() -> Inflater? {
      guard let parameters else { return nil }
      return role == .client
        ? Inflater(
          windowBits: parameters.serverMaxWindowBits,
          resetsAfterMessage: parameters.serverNoContextTakeover)
        : Inflater(
          windowBits: parameters.clientMaxWindowBits,
          resetsAfterMessage: parameters.clientNoContextTakeover)
    }

    /// Nil also for a window that zlib cannot write; messages then go uncompressed, which is allowed.
    func makeDeflater() -> Deflater? {
      guard let parameters else { return nil }
      let isClient = role == .client
      let bits = isClient ? parameters.clientMaxWindowBits : parameters.serverMaxWindowBits
      guard bits >= 9 else { return nil }
      return Deflater(
        windowBits: bits,
        resetsAfterMessage: isClient
          ? parameters.clientNoContextTakeover : parameters.serverNoContextTakeover)
    }
  }
}
