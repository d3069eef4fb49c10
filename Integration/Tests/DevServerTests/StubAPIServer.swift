import Synchronization
import ZeroProtocol
import ZeroWebSocket
import ZeroWebSocketServer

/// An API server that gives prepared answers and keeps what it was asked.
final class StubAPIServer: WebSocketService {
  struct Request: Sendable {
    let target: String
    let headers: [(name: String, value: String)]
    let body: JSONValue

    func header(_ name: String) -> String? {
      headers.first { $0.name.lowercased() == name }?.value
    }
  }

  private struct State {
    var requests: [Request] = []
    var answers: [(status: Int, body: String)] = []
  }

  private let state = Mutex(State())

  var requests: [Request] { state.withLock { $0.requests } }

  /// Prepares the next answer; the last one is given again and again.
  func prepare(_ status: Int, _ body: String) {
    state.withLock { $0.answers.append((status, body)) }
  }

  func answer(_ upgrade: HTTPRequest) -> UpgradeAnswer {
    .refuse(HTTPResponse(status: 404, reason: "Not Found"))
  }

  func respond(to request: HTTPRequest, reply: @escaping @Sendable (HTTPResponse) -> Void) {
    let body = (try? JSONValue(parsing: request.body)) ?? .null
    let answer = state.withLock { state in
      state.requests.append(
        Request(target: request.target, headers: request.head.headers, body: body))
      return state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first
    }
    reply(
      HTTPResponse(
        status: answer?.status ?? 500, reason: "Prepared",
        headers: [("Content-Type", "application/json")], body: Array((answer?.body ?? "").utf8)))
  }

  func socketDidOpen(_ socket: ServerSocket, _ request: HTTPRequest) {}
  func socketDidReceive(_ socket: ServerSocket, _ message: WebSocketEvent) {}
  func socketDidClose(_ socket: ServerSocket, _ end: WebSocketEnd) {}
}
