import ZeroProtocol

/// Opens the sockets of a client whose server is in this process: no network, no delay.
@MainActor final class BenchSockets: SocketFactory {
  private(set) var latest: BenchSocket?

  nonisolated init() {}

  func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection {
    let socket = BenchSocket(events)
    latest = socket
    return socket
  }
}

/// One of them. What the client sends is counted and timed, not kept.
@MainActor final class BenchSocket: SocketConnection {
  let bufferedBytes = 0
  private(set) var sentCount = 0
  /// When pushes were sent.
  private(set) var pushes: [ContinuousClock.Instant] = []
  private weak var events: (any SocketEvents)?
  private var isOpen = false

  init(_ events: any SocketEvents) { self.events = events }

  func accept() {
    isOpen = true
    events?.socketDidOpen(self, subprotocol: nil)
  }

  func receive(_ messages: [SocketMessage]) {
    if isOpen { events?.socketDidReceive(self, messages) }
  }

  func receive(text: String) { receive([.text(Array(text.utf8))]) }

  /// The connection breaks.
  func drop() {
    isOpen = false
    events?.socketDidClose(self, SocketClose(code: 1006, wasClean: false))
  }

  func send(text utf8: [UInt8]) {
    sentCount += 1
    if utf8.starts(with: "[\"push\"".utf8) { pushes.append(.now) }
  }

  func send(binary bytes: [UInt8]) { sentCount += 1 }

  func close(code: UInt16?, reason: String) { isOpen = false }
}
