/// A small server for WebSockets and plain HTTP requests on one port, for development and tests.
///
/// One I/O thread serves all connections. The server stops when it is released or told to.
public final class WebSocketServer: Sendable {
  /// The port it listens on.
  public let port: UInt16
  private let core: ServerCore

  /// Starts to listen.
  /// - Throws: `WebSocketServerError` when the port is taken or may not be used.
  public init(
    _ service: any WebSocketService, options: WebSocketServerOptions = WebSocketServerOptions()
  ) throws(WebSocketServerError) {
    core = try ServerCore(service, options)
    port = core.port
    try core.start()
  }

  deinit { core.post(.stop) }

  /// Ends all connections without a close frame and stops listening. Returns at once; the sockets'
  /// ends are still reported.
  public func stop() { core.post(.stop) }
}
