public import ZeroProtocol

/// Opens ``InMemorySocket``s, so that a client can be tested without a network.
@MainActor public final class InMemorySocketFactory: SocketFactory {
  /// Every socket opened so far, in order.
  public private(set) var sockets: [InMemorySocket] = []
  /// Called with every new socket, during `open`; it must not deliver events before it returns.
  public var didOpen: (@MainActor (InMemorySocket) -> Void)?

  public nonisolated init() {}

  /// The socket opened last.
  public var latest: InMemorySocket? { sockets.last }

  public func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection {
    let socket = InMemorySocket(request: request, events: events)
    sockets.append(socket)
    didOpen?(socket)
    return socket
  }
}
