import ZeroProtocol

/// One socket of a client, from opening to its end. When the client has given it up, nothing it does is
/// heard any more.
@MainActor final class SocketSession: SocketEvents {
  private weak var engine: ClientEngine?
  private let loop: EventLoop
  private var connection: (any SocketConnection)?

  init(_ engine: ClientEngine, _ factory: any SocketFactory, _ request: SocketRequest) {
    self.engine = engine
    loop = engine.loop
    connection = factory.open(request, events: self)
  }

  func send(_ text: [UInt8]) { connection?.send(text: text) }

  /// Gives the socket up.
  func close(code: UInt16?) {
    let connection = self.connection
    self.connection = nil
    engine = nil
    connection?.close(code: code, reason: "")
  }

  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {
    engine?.log.info("the socket is open")
  }

  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    for message in messages {
      guard let engine, engine.session === self else { return }
      loop.dispatch { engine.receive(message) }
    }
  }

  func socketDidDrain(_ socket: any SocketConnection) {}

  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    guard let engine, engine.session === self else { return }
    loop.dispatch { engine.socketClosed(close) }
  }
}
