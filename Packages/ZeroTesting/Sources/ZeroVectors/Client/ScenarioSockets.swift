import ZeroProtocol

/// Sockets whose peer is the scenario.
@MainActor final class ScenarioSockets: SocketFactory {
  private(set) var sockets: [ScenarioSocket] = []
  /// Whether closing a socket that the peer has closed is reported too.
  var reportsLateClose = false
  var didOpen: @MainActor (ScenarioSocket) -> Void = { _ in }
  var didSend: @MainActor (ScenarioSocket, [UInt8]) -> Void = { _, _ in }
  var didClose: @MainActor (ScenarioSocket, UInt16?) -> Void = { _, _ in }

  nonisolated init() {}

  func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection {
    let socket = ScenarioSocket(
      name: "s\(sockets.count + 1)", request: request, events: events, factory: self)
    sockets.append(socket)
    didOpen(socket)
    return socket
  }

  func socket(_ name: String) throws -> ScenarioSocket {
    guard let socket = sockets.first(where: { $0.name == name }) else {
      throw VectorFailure("socket \(name) was never opened")
    }
    return socket
  }
}

/// One socket. Events reach the client also after it gave the socket up.
@MainActor final class ScenarioSocket: SocketConnection {
  let name: String
  let request: SocketRequest
  private let events: any SocketEvents
  private weak var factory: ScenarioSockets?
  private var isClosed = false

  init(
    name: String, request: SocketRequest, events: any SocketEvents, factory: ScenarioSockets
  ) {
    self.name = name
    self.request = request
    self.events = events
    self.factory = factory
  }

  var bufferedBytes: Int { 0 }

  func send(text utf8: [UInt8]) { factory?.didSend(self, utf8) }
  func send(binary bytes: [UInt8]) { factory?.didSend(self, bytes) }

  func close(code: UInt16?, reason: String) {
    guard let factory, !isClosed || factory.reportsLateClose else { return }
    isClosed = true
    factory.didClose(self, code)
  }

  func accept() { events.socketDidOpen(self, subprotocol: request.subprotocols.first) }

  func deliver(_ message: SocketMessage) { events.socketDidReceive(self, [message]) }

  func finish(_ close: SocketClose) {
    isClosed = true
    events.socketDidClose(self, close)
  }
}
