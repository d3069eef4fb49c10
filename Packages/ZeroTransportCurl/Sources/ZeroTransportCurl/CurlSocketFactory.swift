public import ZeroProtocol

/// Opens WebSockets with libcurl, which resolves names, connects, speaks TLS and finds the way through
/// proxies; the WebSocket protocol is `ZeroWebSocket`'s. Works with any libcurl from 7.62, whether it
/// has WebSocket support or not.
///
/// All sockets of the process share one I/O thread, which exists while there are sockets. Pings are
/// answered there, so a busy main actor does not lose the connection. While more than 16 MiB (or one
/// larger message) wait for the main actor, reading stops.
public struct CurlSocketFactory: SocketFactory {
  /// How sockets connect.
  public let options: CurlTransportOptions

  /// Opens nothing yet and starts no thread.
  public init(options: CurlTransportOptions = CurlTransportOptions()) { self.options = options }

  public func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection {
    CurlSocket(request, options: options, events: events)
  }
}

extension SocketFactory where Self == CurlSocketFactory {
  /// Sockets on libcurl.
  public static func curl(_ options: CurlTransportOptions = CurlTransportOptions()) -> Self {
    CurlSocketFactory(options: options)
  }
}
