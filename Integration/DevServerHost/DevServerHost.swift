import Dispatch
public import ZeroDevServer
import ZeroProtocol
import ZeroWebSocket
public import ZeroWebSocketServer

/// A development server on a port: WebSockets for clients and `POST /control` for whoever tests
/// them.
///
/// The process has to run its main queue, which is where the server works.
@MainActor public final class DevServerHost {
  public let server: DevServer
  private let service: HostService
  private let sockets: WebSocketServer

  /// The port it listens on.
  public var port: UInt16 { sockets.port }

  /// Starts to listen.
  /// - Parameter options: where to listen; loopback and a free port unless told otherwise.
  /// - Throws: `WebSocketServerError` when the port is taken or may not be used.
  public init(
    _ server: DevServer, options: WebSocketServerOptions = WebSocketServerOptions()
  ) throws {
    self.server = server
    service = HostService(server)
    sockets = try WebSocketServer(service, options: options)
  }

  /// Closes all connections as a server that shuts down does, and stops listening.
  public func stop() {
    server.shutDown()
    sockets.stop()
  }
}

/// Takes what comes in on the I/O thread to the main queue, in order.
final class HostService: WebSocketService {
  private let server: DevServer
  private let connections: HostConnections

  @MainActor init(_ server: DevServer) {
    self.server = server
    connections = HostConnections()
  }

  func answer(_ upgrade: HTTPRequest) -> UpgradeAnswer {
    .accept(subprotocol: upgrade.subprotocols.first)
  }

  func respond(to request: HTTPRequest, reply: @escaping @Sendable (HTTPResponse) -> Void) {
    onMain { [server] in reply(Self.answer(request, server)) }
  }

  func socketDidOpen(_ socket: ServerSocket, _ request: HTTPRequest) {
    onMain { [server, connections] in
      let upgrade = UpgradeRequest(target: request.target, headers: request.head.headers)
      connections.list[socket] = server.open(upgrade, HostSocket(socket))
    }
  }

  func socketDidReceive(_ socket: ServerSocket, _ message: WebSocketEvent) {
    let message: SocketMessage? =
      switch message {
      case .text(let bytes): .text(bytes)
      case .binary(let bytes): .binary(bytes)
      case .ping, .pong, .closed: nil
      }
    guard let message else { return }
    onMain { [connections] in connections.list[socket]?.receive(message) }
  }

  func socketDidClose(_ socket: ServerSocket, _ end: WebSocketEnd) {
    onMain { [connections] in connections.list.removeValue(forKey: socket)?.closed() }
  }

  // MARK: -

  private func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
    DispatchQueue.main.async { MainActor.assumeIsolated(body) }
  }

  @MainActor private static func answer(
    _ request: HTTPRequest, _ server: DevServer
  ) -> HTTPResponse {
    switch (request.method, request.path) {
    case ("POST", "/control"):
      guard let json = try? JSONValue(parsing: request.body) else {
        return HTTPResponse(status: 400, reason: "Bad Request", text: "the body is not JSON\n")
      }
      let answer = server.control(json)
      var isDone = false
      if case .object(let object) = answer, object["ok"] == .bool(true) { isDone = true }
      return HTTPResponse(
        status: isDone ? 200 : 400, reason: isDone ? "OK" : "Bad Request",
        headers: [("Content-Type", "application/json")],
        body: answer.jsonText + [UInt8(ascii: "\n")])
    case ("GET", "/"), ("GET", "/keepalive"):
      return HTTPResponse(status: 200, reason: "OK", text: "OK\n")
    default: return HTTPResponse(status: 404, reason: "Not Found", text: "not found\n")
    }
  }
}

/// The open connections, by their sockets.
@MainActor private final class HostConnections {
  var list: [ServerSocket: ServerConnection] = [:]

  nonisolated init() {}
}

/// A socket of the host as the development server uses it.
@MainActor private final class HostSocket: DevServerSocket {
  private let socket: ServerSocket

  init(_ socket: ServerSocket) { self.socket = socket }

  func send(text: [UInt8]) { socket.send(text: text) }
  func send(binary: [UInt8]) { socket.send(binary: binary) }
  func close(code: UInt16?, reason: String) { socket.close(code: code, reason: reason) }
  func abort() { socket.drop(reset: true) }
}
