public import ZeroProtocol

/// The network of one client, which can be switched off: open sockets end abruptly and new ones do not
/// open.
@MainActor public final class NetworkSwitch {
  private var sockets: [SwitchedSocket] = []

  public var isOn = true {
    didSet { if !isOn { cut() } }
  }

  /// Open sockets end abruptly; new ones open.
  public func cut() {
    let open = sockets
    sockets = []
    for socket in open { socket.cut() }
  }

  public init() {}

  func add(_ socket: SwitchedSocket) { sockets.append(socket) }
  func remove(_ socket: SwitchedSocket) { sockets.removeAll { $0 === socket } }
}

/// A transport that goes through a ``NetworkSwitch``.
public struct SwitchedSocketFactory: SocketFactory {
  private let base: any SocketFactory
  private let network: NetworkSwitch

  public init(_ base: any SocketFactory, _ network: NetworkSwitch) {
    self.base = base
    self.network = network
  }

  @MainActor
  public func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection {
    let socket = SwitchedSocket(network, events)
    if network.isOn {
      network.add(socket)
      socket.base = base.open(request, events: socket)
    } else {
      Task { socket.cut() }
    }
    return socket
  }
}

/// A socket that hears from the one it stands for until it is cut.
@MainActor final class SwitchedSocket: SocketConnection, SocketEvents {
  var base: (any SocketConnection)?
  private let network: NetworkSwitch
  private weak var events: (any SocketEvents)?
  private var isOver = false

  init(_ network: NetworkSwitch, _ events: any SocketEvents) {
    self.network = network
    self.events = events
  }

  /// Ends as when the link is lost.
  func cut() {
    guard !isOver else { return }
    isOver = true
    base?.close(code: nil, reason: "")
    base = nil
    events?.socketDidClose(
      self, SocketClose(code: 1006, wasClean: false))
  }

  func send(text utf8: [UInt8]) { base?.send(text: utf8) }
  func send(binary bytes: [UInt8]) { base?.send(binary: bytes) }
  var bufferedBytes: Int { base?.bufferedBytes ?? 0 }
  func close(code: UInt16?, reason: String) { base?.close(code: code, reason: reason) }

  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {
    if !isOver { events?.socketDidOpen(self, subprotocol: subprotocol) }
  }

  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    if !isOver { events?.socketDidReceive(self, messages) }
  }

  func socketDidDrain(_ socket: any SocketConnection) {
    if !isOver { events?.socketDidDrain(self) }
  }

  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    network.remove(self)
    guard !isOver else { return }
    isOver = true
    events?.socketDidClose(self, close)
  }
}
