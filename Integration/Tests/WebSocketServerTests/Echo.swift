import ZeroWebSocket
import ZeroWebSocketServer

/// Sends everything back; answers plain requests with what they said.
final class Echo: WebSocketService {
  func answer(_ upgrade: HTTPRequest) -> UpgradeAnswer {
    upgrade.path == "/refused"
      ? .refuse(HTTPResponse(status: 403, reason: "Forbidden", text: "not you"))
      : .accept(subprotocol: upgrade.subprotocols.first)
  }

  func respond(to request: HTTPRequest, reply: @escaping @Sendable (HTTPResponse) -> Void) {
    reply(
      HTTPResponse(
        status: 200, reason: "OK",
        body: Array("\(request.method) \(request.target) ".utf8) + request.body))
  }

  func socketDidOpen(_ socket: ServerSocket, _ request: HTTPRequest) {
    if let greeting = request.parameter("greeting") { socket.send(text: greeting) }
  }

  func socketDidReceive(_ socket: ServerSocket, _ message: WebSocketEvent) {
    switch message {
    case .text(let utf8) where utf8 == Array("bye".utf8): socket.close(code: 3000, reason: "bye")
    case .text(let utf8) where utf8 == Array("crash".utf8): socket.drop(reset: true)
    case .text(let utf8): socket.send(text: utf8)
    case .binary(let bytes): socket.send(binary: bytes)
    case .ping, .pong, .closed: break
    }
  }

  func socketDidClose(_ socket: ServerSocket, _ end: WebSocketEnd) {}
}
