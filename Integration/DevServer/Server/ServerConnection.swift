public import ZeroProtocol

/// One client's connection to the development server.
@MainActor public final class ServerConnection {
  let id: ConnectionID
  private unowned let server: DevServer
  let outbox: Outbox
  /// Nil if the request was not understood.
  let parameters: ConnectParameters?
  /// Messages that came in while the client was paused.
  private var held: [SocketMessage] = []

  var clientID: String { parameters?.clientID ?? "" }

  init(
    id: ConnectionID, server: DevServer, socket: any DevServerSocket, parameters: ConnectParameters?
  ) {
    self.id = id
    self.server = server
    self.parameters = parameters
    outbox = Outbox(socket, scheduler: server.scheduler)
  }

  /// A message has come in, text or binary: a client may send either.
  public func receive(_ message: SocketMessage) {
    guard !outbox.isClosed, let parameters else { return }
    if outbox.isPaused {
      held.append(message)
      return
    }
    let bytes =
      switch message {
      case .text(let bytes), .binary(let bytes): bytes
      }
    do throws(JSONError) {
      server.receive(try UpstreamMessage(text: bytes), from: self, parameters)
    } catch {
      server.fail(
        self, GroupError(kind: "InvalidMessage", message: "\(error)"))
    }
  }

  /// The socket is gone.
  public func closed() {
    outbox.closed()
    server.closed(self)
  }

  /// Lets nothing in or out, or lets all through that was held.
  func setPaused(_ isPaused: Bool) {
    guard isPaused != outbox.isPaused else { return }
    outbox.isPaused = isPaused
    guard !isPaused else { return }
    let messages = held
    held.removeAll()
    for message in messages { receive(message) }
  }

  func send(_ json: JSONValue) { send(.text(json.jsonText)) }

  func send(_ frame: PokeEncoder.Frame) {
    outbox.add(.frame(frame), delay: server.faults.delay(of: clientID))
  }

  func close(code: UInt16? = nil, reason: String = "") {
    outbox.add(
      .close(code: code, reason: Self.cut(reason)), delay: server.faults.delay(of: clientID))
  }

  func abort() { outbox.add(.abort, delay: 0) }

  /// A reason fits a close frame with 123 bytes; longer ones end in dots.
  private static func cut(_ reason: String) -> String {
    guard reason.utf8.count > 123 else { return reason }
    var cut = ""
    for character in reason {
      if cut.utf8.count + String(character).utf8.count > 120 { break }
      cut.append(character)
    }
    return cut + "..."
  }
}
