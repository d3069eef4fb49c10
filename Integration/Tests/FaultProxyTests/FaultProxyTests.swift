import FaultProxy
import Testing
import ZeroProtocol
import ZeroTransportCurl
import ZeroWebSocket
import ZeroWebSocketServer

@MainActor @Suite("the proxy that misbehaves", .serialized) struct FaultProxyTests {
  let server: WebSocketServer
  let proxy: FaultProxy

  init() throws {
    server = try WebSocketServer(EchoService())
    proxy = try FaultProxy(upstream: server.port)
  }

  private func open() -> (EchoClient, any SocketConnection) {
    let client = EchoClient()
    let socket = CurlSocketFactory().open(
      SocketRequest(url: "ws://127.0.0.1:\(proxy.port)/"), events: client)
    client.socket = socket
    return (client, socket)
  }

  @Test("carries bytes both ways, large ones too")
  func carries() async {
    let (client, socket) = open()
    await client.wait { $0.isOpen }
    let large = [UInt8](repeating: 7, count: 3_000_000)
    socket.send(binary: large)
    socket.send(text: Array("end".utf8))
    await client.wait { $0.messages.count == 2 }
    #expect(client.messages == [.binary(large), .text(Array("end".utf8))])
    socket.close(code: 1000, reason: "")
    await client.wait { $0.close != nil }
    #expect(client.close?.wasClean == true)
  }

  @Test("cuts connections, and refuses new ones while told to")
  func cuts() async {
    let (client, _) = open()
    await client.wait { $0.isOpen }
    proxy.cut()
    await client.wait { $0.close != nil }
    #expect(client.close?.code == 1006)
    proxy.conditions.isRefusing = true
    let (refused, _) = open()
    await refused.wait { $0.close != nil }
    #expect(!refused.isOpen)
    proxy.conditions.isRefusing = false
    let (again, socket) = open()
    await again.wait { $0.isOpen }
    socket.close(code: 1000, reason: "")
  }

  @Test("freezes a connection that goes on when it thaws")
  func freezes() async {
    let (client, socket) = open()
    await client.wait { $0.isOpen }
    proxy.conditions.isFrozen = true
    socket.send(text: Array("late".utf8))
    #expect(client.messages.isEmpty && client.close == nil)
    proxy.conditions.isFrozen = false
    await client.wait { !$0.messages.isEmpty }
    socket.close(code: 1000, reason: "")
  }

  @Test("cuts a connection in the middle of a message")
  func cutsInside() async {
    proxy.conditions.cutAfterBytes = 100_000
    let (client, socket) = open()
    await client.wait { $0.isOpen }
    socket.send(binary: [UInt8](repeating: 1, count: 1_000_000))
    await client.wait { $0.close != nil }
    #expect(client.messages.isEmpty && client.close?.wasClean == false)
  }

  @Test("leads to another server after a restart, and resets where nobody listens")
  func redirects() async throws {
    server.stop()
    let other = try WebSocketServer(EchoService())
    proxy.redirect(to: other.port)
    let (client, socket) = open()
    await client.wait { $0.isOpen }
    socket.close(code: 1000, reason: "")
    other.stop()
  }

  @Test("holds bytes back for the delay")
  func delays() async {
    let clock = ContinuousClock()
    proxy.conditions.delay = 60
    let start = clock.now
    let (client, socket) = open()
    await client.wait { $0.isOpen }
    #expect(clock.now - start >= .milliseconds(120))
    socket.close(code: 1000, reason: "")
  }
}

private final class EchoService: WebSocketService {
  func answer(_ upgrade: HTTPRequest) -> UpgradeAnswer { .accept(subprotocol: nil) }

  func respond(to request: HTTPRequest, reply: @escaping @Sendable (HTTPResponse) -> Void) {
    reply(HTTPResponse(status: 404, reason: "Not Found"))
  }

  func socketDidOpen(_ socket: ServerSocket, _ request: HTTPRequest) {}
  func socketDidClose(_ socket: ServerSocket, _ end: WebSocketEnd) {}

  func socketDidReceive(_ socket: ServerSocket, _ message: WebSocketEvent) {
    switch message {
    case .text(let bytes): socket.send(text: bytes)
    case .binary(let bytes): socket.send(binary: bytes)
    case .ping, .pong, .closed: break
    }
  }
}

@MainActor private final class EchoClient: SocketEvents {
  /// Held, since a socket that is released closes.
  var socket: (any SocketConnection)?
  private(set) var isOpen = false
  private(set) var messages: [SocketMessage] = []
  private(set) var close: SocketClose?
  private var waiting:
    (isMet: (EchoClient) -> Bool, continuation: CheckedContinuation<Void, Never>)?

  /// Returns when the condition is met.
  func wait(until isMet: @escaping (EchoClient) -> Bool) async {
    await withCheckedContinuation { continuation in
      waiting = (isMet, continuation)
      wake()
    }
  }

  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {
    isOpen = true
    wake()
  }

  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    self.messages += messages
    wake()
  }

  func socketDidDrain(_ socket: any SocketConnection) {}

  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    self.close = close
    wake()
  }

  private func wake() {
    guard let waiting, waiting.isMet(self) else { return }
    self.waiting = nil
    waiting.continuation.resume()
  }
}
