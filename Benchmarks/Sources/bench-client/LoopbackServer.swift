import Synchronization
import ZeroProtocol
import ZeroWebSocket
import ZeroWebSocketServer

/// A WebSocket server in this process, on a thread of its own, that sends one client what it is told.
final class LoopbackServer: WebSocketService {
  private let client = Mutex<ServerSocket?>(nil)

  /// Whether a client is connected.
  var isConnected: Bool { client.withLock { $0 != nil } }

  /// Sends a poke's frames.
  func send(_ poke: PokeWriter.Poke) {
    guard let socket = client.withLock({ $0 }) else { return }
    for message in poke.messages {
      switch message {
      case .text(let text): socket.send(text: text)
      case .binary(let bytes): socket.send(binary: bytes)
      }
    }
  }

  func answer(_ upgrade: HTTPRequest) -> UpgradeAnswer {
    .accept(subprotocol: upgrade.subprotocols.first)
  }

  func respond(to request: HTTPRequest, reply: @escaping @Sendable (HTTPResponse) -> Void) {
    reply(HTTPResponse(status: 404, reason: "Not Found"))
  }

  func socketDidOpen(_ socket: ServerSocket, _ request: HTTPRequest) {
    socket.send(text: PokeWriter.connected)
    client.withLock { $0 = socket }
  }

  func socketDidReceive(_ socket: ServerSocket, _ message: WebSocketEvent) {
    guard case .text(let text) = message, text.starts(with: "[\"ping\"".utf8) else { return }
    socket.send(text: #"["pong",{}]"#)
  }

  func socketDidClose(_ socket: ServerSocket, _ end: WebSocketEnd) { client.withLock { $0 = nil } }
}
