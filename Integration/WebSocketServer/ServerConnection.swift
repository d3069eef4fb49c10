import CZeroSockets
import ZeroWebSocket

/// One connection of a server, from its first byte on. Confined to the server's I/O thread.
final class ServerConnection {
  private enum Phase {
    case head(ServerHandshake)
    case body(ServerHandshake.Request, HTTPBodyReader)
    /// A plain request is with the service, or its answer is being sent.
    case answering
    case open
  }

  /// When the connection is ended for lack of progress.
  private(set) var deadline: ContinuousClock.Instant?
  /// The connection is over and may be forgotten.
  private(set) var isDone = false

  private let fd: Int32
  private let id: UInt32
  private let core: ServerCore
  private var phase = Phase.head(ServerHandshake())
  private var machine: WebSocketStateMachine?
  private var socket: ServerSocket?
  /// Plain HTTP that is to be sent, ahead of what the machine has.
  private var output: [UInt8] = []
  private var isLastOutput = false
  private var isWatched: Int32 = 0

  private static let lingering = Duration.seconds(2)

  init(_ fd: Int32, id: UInt32, core: ServerCore) {
    self.fd = fd
    self.id = id
    self.core = core
  }

  deinit { czero_close(fd) }

  func send(text utf8: [UInt8]) {
    machine?.send(text: utf8)
    flush()
  }

  func send(binary bytes: [UInt8]) {
    machine?.send(binary: bytes)
    flush()
  }

  func close(_ code: UInt16?, _ reason: String) {
    guard machine?.isOpen == true else { return }
    machine?.close(code: code, reason: reason)
    deadline = .now + core.options.closeTimeout
    flush()
  }

  func respond(_ response: HTTPResponse) {
    guard case .answering = phase, !isLastOutput else { return }
    output += ServerHandshake.response(
      status: response.status, reason: response.reason, headers: response.headers,
      body: response.body)
    isLastOutput = true
    flush()
  }

  /// Ends the connection without further words.
  func end(reset: Bool) {
    guard !isDone else { return }
    isDone = true
    if reset { czero_reset_on_close(fd) }
    guard machine?.hasEnded == false else { return }
    var events: [WebSocketEvent] = []
    machine?.receiveEnd(into: &events)
    deliver(events)
  }

  /// Reads what has arrived, up to 1 MiB.
  func read(_ buffer: UnsafeMutableRawBufferPointer) {
    var budget = 1 << 20
    while budget > 0, !isDone {
      let count = czero_receive(fd, buffer.baseAddress, buffer.count)
      if czero_would_block(count) != 0 { break }
      guard count > 0 else {
        end(reset: false)
        return
      }
      budget -= count
      receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      if count < buffer.count { break }
    }
    if !isDone { flush() }
  }

  /// Sends what is there, as far as the system takes it.
  func flush() {
    var isBlocked = false
    if !output.isEmpty {
      let count = output.withUnsafeBytes { czero_send(fd, $0.baseAddress, $0.count) }
      if count >= 0 { output.removeFirst(count) }
      isBlocked = !output.isEmpty
      if count < 0, czero_would_block(count) == 0 { return end(reset: false) }
    }
    if output.isEmpty { isBlocked = sendFrames() }
    guard !isDone else { return }
    socket?.setBuffered(machine?.bufferedBytes ?? 0)
    finishIfSaid()
    let events = Int32(CZERO_READABLE) | (isBlocked ? Int32(CZERO_WRITABLE) : 0)
    guard events != isWatched, !isDone else { return }
    isWatched = events
    czero_poller_set(core.poller, fd, events, UInt64(id))
  }

  // MARK: -

  /// - Returns: whether the system takes no more for now.
  private func sendFrames() -> Bool {
    var isBlocked = false
    var isBroken = false
    while !isBlocked, !isBroken {
      let isEmpty = machine?.withOutput { bytes in
        let count = czero_send(fd, bytes.baseAddress, bytes.count)
        if count >= 0 { return count }
        if czero_would_block(count) != 0 { isBlocked = true } else { isBroken = true }
        return 0
      }
      if isEmpty ?? true { break }
    }
    if isBroken { end(reset: false) }
    return isBlocked
  }

  /// Hangs up when everything is said; after an error only once the client has had time to read why.
  private func finishIfSaid() {
    if machine?.wantsDisconnect == true {
      if endsByError {
        if deadline == nil { czero_shutdown_write(fd) }
        deadline = deadline ?? .now + Self.lingering
      } else {
        isDone = true
      }
    } else if isLastOutput, output.isEmpty {
      if deadline == nil { czero_shutdown_write(fd) }
      deadline = deadline ?? .now + Self.lingering
    }
  }

  private var endsByError = false

  private func receive(_ bytes: UnsafeRawBufferPointer) {
    switch phase {
    case .head(var handshake):
      let outcome = handshake.receive(bytes)
      phase = .head(handshake)
      switch outcome {
      case .needsMore: break
      case .invalid:
        phase = .answering
        respond(HTTPResponse(status: 400, reason: "Bad Request", text: "This is not HTTP."))
      case .request(let request): begin(request)
      }
    case .body(let request, var reader):
      reader.append(bytes)
      proceed(request, reader)
    case .answering: break
    case .open:
      var events: [WebSocketEvent] = []
      machine?.receive(bytes, into: &events)
      deliver(events)
    }
  }

  private func begin(_ request: ServerHandshake.Request) {
    guard request.isUpgrade else {
      var reader = HTTPBodyReader(request.head, limit: core.options.maxBodyBytes)
      request.rest.withUnsafeBytes { reader.append($0) }
      if request.head.value(of: "expect")?.lowercased() == "100-continue" {
        output += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
      }
      return proceed(request, reader)
    }
    let plain = HTTPRequest(request, body: [])
    switch core.service.answer(plain) {
    case .refuse(let response):
      phase = .answering
      respond(response)
    case .accept(let subprotocol):
      let (bytes, compression) = request.accept(
        subprotocol: subprotocol, compresses: core.options.compresses)
      output += bytes
      machine = WebSocketStateMachine(
        role: .server, maxMessageBytes: core.options.maxMessageBytes, compression: compression)
      phase = .open
      let socket = ServerSocket(id: id, core: core)
      self.socket = socket
      core.service.socketDidOpen(socket, plain)
      request.rest.withUnsafeBytes { receive($0) }
    }
  }

  private func proceed(_ request: ServerHandshake.Request, _ reader: HTTPBodyReader) {
    switch reader.outcome {
    case .needsMore: phase = .body(request, reader)
    case .tooLarge:
      phase = .answering
      respond(
        HTTPResponse(
          status: 413, reason: "Content Too Large",
          text: "The body is larger than \(core.options.maxBodyBytes) bytes."))
    case .invalid:
      phase = .answering
      respond(HTTPResponse(status: 400, reason: "Bad Request", text: "The body is not valid."))
    case .complete(let body):
      phase = .answering
      core.service.respond(to: HTTPRequest(request, body: body)) { [core, id] response in
        core.post(.respond(id, response))
      }
    }
  }

  private func deliver(_ events: [WebSocketEvent]) {
    guard let socket else { return }
    for event in events {
      switch event {
      case .text, .binary: core.service.socketDidReceive(socket, event)
      case .ping, .pong: break
      case .closed(let end):
        endsByError = end.error != nil
        core.service.socketDidClose(socket, end)
      }
    }
  }
}

extension HTTPRequest {
  init(_ request: ServerHandshake.Request, body: [UInt8]) {
    self.init(
      method: request.method, target: request.target, head: request.head, body: body,
      subprotocols: request.subprotocols)
  }
}
