public import ZeroProtocol

/// A socket without a network: what the client did with it can be read, and the test plays the peer.
///
/// Everything happens during the call that causes it, on the main actor, so a test needs no waiting.
@MainActor public final class InMemorySocket: SocketConnection {
  /// Where a socket is in its life.
  public enum State: Equatable, Sendable {
    case connecting, open, closing, closed
  }

  /// What the client asked for.
  public let request: SocketRequest
  public private(set) var state = State.connecting
  /// Messages the client sent while the socket was open, in order.
  public private(set) var sent: [SocketMessage] = []
  /// The arguments of the client's call of `close`, if there was one.
  public private(set) var closeCall: (code: UInt16?, reason: String)?
  /// Makes the peer a slow reader: messages count as buffered until ``drain()``.
  public var isReadingSlowly = false
  public private(set) var bufferedBytes = 0

  init(request: SocketRequest, events: any SocketEvents) {
    self.request = request
    self.events = events
  }

  public func send(text utf8: [UInt8]) { record(.text(utf8), byteCount: utf8.count) }

  public func send(binary bytes: [UInt8]) { record(.binary(bytes), byteCount: bytes.count) }

  public func close(code: UInt16?, reason: String) {
    guard closeCall == nil, state == .connecting || state == .open else { return }
    closeCall = (code, reason)
    state = .closing
  }

  /// The text messages among ``sent``.
  public var sentTexts: [String] {
    sent.compactMap {
      if case .text(let utf8) = $0 { String(decoding: utf8, as: UTF8.self) } else { nil }
    }
  }

  /// Removes and returns what was sent so far.
  public func takeSent() -> [SocketMessage] {
    defer { sent.removeAll() }
    return sent
  }

  /// Completes the handshake. Does nothing when the client has closed the socket meanwhile.
  /// - Parameter subprotocol: the server's choice; by default the first one offered.
  public func accept(subprotocol: String? = nil) {
    guard state == .connecting else { return }
    state = .open
    events?.socketDidOpen(self, subprotocol: subprotocol ?? request.subprotocols.first)
  }

  /// Delivers messages in one batch. They are lost when the socket is not open, as on a real one.
  public func receive(_ messages: [SocketMessage]) {
    guard state == .open else { return }
    events?.socketDidReceive(self, messages)
  }

  /// Delivers one text message.
  public func receive(text: String) { receive([.text(Array(text.utf8))]) }

  /// Delivers one binary message.
  public func receive(binary bytes: [UInt8]) { receive([.binary(bytes)]) }

  /// Takes everything that is buffered.
  public func drain() {
    guard bufferedBytes > 0 else { return }
    bufferedBytes = 0
    events?.socketDidDrain(self)
  }

  /// Ends the socket as the peer or the network would. Later calls do nothing.
  public func finish(_ close: SocketClose) {
    guard state != .closed else { return }
    state = .closed
    bufferedBytes = 0
    events?.socketDidClose(self, close)
  }

  /// The peer closes with a close frame; 1005 stands for one without a code.
  public func finish(code: UInt16 = 1005, reason: String = "") {
    finish(SocketClose(code: code, reason: reason, wasClean: true))
  }

  /// The connection breaks, or could not be made.
  public func fail(_ error: SocketError) {
    finish(SocketClose(code: 1006, wasClean: false, error: error))
  }

  /// The peer answers the client's close frame, or the attempt the client gave up ends.
  public func acknowledgeClose() {
    guard state == .closing, let closeCall else { return }
    finish(code: closeCall.code ?? 1005, reason: closeCall.reason)
  }

  // MARK: -

  private weak var events: (any SocketEvents)?

  private func record(_ message: SocketMessage, byteCount: Int) {
    guard state == .open else { return }
    sent.append(message)
    if isReadingSlowly { bufferedBytes += byteCount }
  }
}
