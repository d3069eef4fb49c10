import ZeroProtocol

/// A WebSocket as the main actor sees it. The work is done by its ``Channel``.
@MainActor final class CurlSocket: SocketConnection {
  private enum State {
    case connecting, open, closing, closed
  }

  private let channel: Channel
  private var state = State.connecting

  init(_ request: SocketRequest, options: CurlTransportOptions, events: any SocketEvents) {
    let receiver = SocketDelivery.Receiver(events: events)
    channel = SocketLoop.shared.add { id, watcher in
      Channel(
        request, options: options, id: id, watcher: watcher, delivery: SocketDelivery(receiver))
    }
    receiver.socket = self
  }

  deinit { channel.abandon() }

  var bufferedBytes: Int { channel.bufferedBytes }

  func send(text utf8: [UInt8]) {
    if state == .open { channel.send(.text(utf8)) }
  }

  func send(binary bytes: [UInt8]) {
    if state == .open { channel.send(.binary(bytes)) }
  }

  func close(code: UInt16?, reason: String) {
    precondition(
      code.map { $0 == 1000 || (3000...4999).contains($0) } ?? true,
      "A WebSocket may be closed with 1000, with 3000 to 4999 or without a code.")
    guard state == .connecting || state == .open else { return }
    state = .closing
    channel.close(code: code, reason: reason)
  }

  // MARK: -

  func deliver(_ messages: [SocketMessage], to events: (any SocketEvents)?) {
    guard !messages.isEmpty, state == .open else { return }
    events?.socketDidReceive(self, messages)
  }

  func deliver(_ item: SocketDelivery.Item, to events: (any SocketEvents)?) {
    switch item {
    case .opened(let subprotocol):
      guard state == .connecting else { return }
      state = .open
      events?.socketDidOpen(self, subprotocol: subprotocol)
    case .messages(let messages): deliver(messages, to: events)
    case .drained:
      if state == .open { events?.socketDidDrain(self) }
    case .closed(let close):
      guard state != .closed else { return }
      state = .closed
      events?.socketDidClose(self, close)
    }
  }

  /// The main actor has taken so much that reading may have been stopped for it.
  func didCatchUp() { channel.resume() }
}
