import CZeroCurl
import CZeroSockets
import ZeroProtocol
import ZeroWebSocket

/// The life of one socket from the first packet to the last. Confined to the lock of its ``Channel``.
struct SocketSession {
  private enum State {
    case new(SocketRequest)
    case connecting(CurlConnect, ConnectTarget)
    case handshaking(OpeningHandshake)
    case open(OpenSocket)
    case finished
  }

  private let options: CurlTransportOptions
  private let watcher: SocketWatcher
  private let delivery: SocketDelivery
  private let maxMessageBytes: Int
  private let connectDeadline: ContinuousClock.Instant
  private let connectTimeout: Duration
  private var state: State
  private var authority = ""

  /// How long a refusing server may take to send the body of its answer.
  private static let refusalPatience = Duration.seconds(2)
  private static let quotedCharacters = 200

  init(
    _ request: SocketRequest, options: CurlTransportOptions, watcher: SocketWatcher,
    delivery: SocketDelivery
  ) {
    self.options = options
    self.watcher = watcher
    self.delivery = delivery
    maxMessageBytes = request.maxMessageBytes
    connectTimeout = request.connectTimeout
    connectDeadline = .now + request.connectTimeout
    state = .new(request)
  }

  var isOpen: Bool { if case .open(let socket) = state { !socket.hasEnded } else { false } }

  var bufferedBytes: Int { if case .open(let socket) = state { socket.bufferedBytes } else { 0 } }

  var status: Channel.Status {
    switch state {
    case .new: .waiting(until: connectDeadline)
    case .connecting(let connect, _):
      .waiting(until: min(connectDeadline, connect.deadline ?? connectDeadline))
    case .handshaking(let handshake): .waiting(until: handshake.deadline)
    case .open(let socket): socket.status
    case .finished: .finished
    }
  }

  // MARK: - What may happen

  mutating func run(_ command: Channel.Command) {
    switch (command, state) {
    case (_, .finished): break
    case (.text(let utf8), .open(let socket)): socket.send(text: utf8)
    case (.binary(let bytes), .open(let socket)): socket.send(binary: bytes)
    case (.close(let code, let reason), .open(let socket)):
      socket.close(code: code, reason: reason, within: options.closeTimeout)
    case (.abandon, .open(let socket)):
      socket.close(code: nil, reason: "", within: options.closeTimeout)
    case (.close, _):
      fail(
        SocketError(.closed, message: "The WebSocket was closed on this side before it opened."))
    case (.abandon, _): state = .finished
    case (.text, _), (.binary, _): break
    }
  }

  mutating func attend(_ buffer: ReadBuffer) {
    switch state {
    case .new(let request): connect(request)
    case .open(let socket):
      socket.read(buffer)
      finishIfDone(socket)
    case .connecting, .handshaking, .finished: break
    }
  }

  mutating func handle(fd: Int32, events: Int32, _ buffer: ReadBuffer) {
    let isReadable = events & Int32(CZERO_READABLE | CZERO_FAILED) != 0
    switch state {
    case .connecting(let connect, let target):
      advance(connect, target, connect.advance(fd: fd, events: events))
    case .handshaking(let handshake):
      proceed(handshake.handle(isReadable: isReadable, buffer), handshake)
    case .open(let socket):
      if isReadable { socket.read(buffer) } else { socket.flush() }
      finishIfDone(socket)
    case .new, .finished: break
    }
  }

  mutating func expire() {
    switch state {
    case .connecting(let connect, let target) where ContinuousClock.now < connectDeadline:
      advance(connect, target, connect.advance(fd: nil))
    case .handshaking(let handshake) where handshake.isRefused:
      proceed(handshake.end(), handshake)
    case .new, .connecting, .handshaking:
      fail(
        SocketError(
          .timeout,
          message: "Cannot connect to \(authority): it took longer than \(connectTimeout)."
            + " \(SocketError.Code.timeout.advice)"))
    case .open(let socket):
      socket.expire()
      finishIfDone(socket)
    case .finished: break
    }
  }

  /// Sends what is queued, as far as the system takes it.
  func flush() {
    if case .open(let socket) = state { socket.flush() }
  }

  /// Ends the socket if it has not ended.
  mutating func fail(_ error: SocketError) {
    if case .finished = state { return }
    state = .finished
    delivery.post(.closed(SocketClose(code: CloseCode.abnormal, wasClean: false, error: error)))
  }

  // MARK: - Steps

  private mutating func connect(_ request: SocketRequest) {
    do {
      let target = try ConnectTarget(request, options: options)
      authority = target.authority
      let connect = try CurlConnect(
        target, options: options, timeout: connectTimeout, watcher: watcher)
      state = .connecting(connect, target)
      advance(connect, target, connect.advance(fd: nil))
    } catch {
      fail(error)
    }
  }

  private mutating func advance(
    _ connect: CurlConnect, _ target: ConnectTarget, _ outcome: CurlConnect.Outcome
  ) {
    switch outcome {
    case .pending: break
    case .failed(let error): fail(error)
    case .connected:
      let isPlain =
        !target.isSecure
        && !(options.proxy == .environment && czero_environment_proxy_is_secure() != 0)
      guard let stream = ByteStream(connect, isPlain: isPlain, watcher: watcher) else {
        fail(
          SocketError(
            .tooManyOpenFiles,
            message: "Cannot connect to \(authority): the process has no file descriptor left. "
              + SocketError.Code.tooManyOpenFiles.advice))
        return
      }
      let handshake = OpeningHandshake(stream, target.handshake, deadline: connectDeadline)
      state = .handshaking(handshake)
      proceed(handshake.start(), handshake)
    }
  }

  private mutating func proceed(
    _ outcome: ClientHandshake.Outcome, _ handshake: OpeningHandshake
  ) {
    switch outcome {
    case .needsMore:
      if handshake.isRefused {
        handshake.deadline = min(handshake.deadline, .now + Self.refusalPatience)
      }
    case .accepted(let acceptance):
      let socket = OpenSocket(
        handshake.stream, acceptance, maxMessageBytes: maxMessageBytes, authority: authority,
        delivery: delivery)
      state = .open(socket)
      delivery.post(.opened(subprotocol: acceptance.subprotocol))
      socket.start(acceptance.rest)
      finishIfDone(socket)
    case .refused(let refusal):
      fail(
        SocketError(
          .httpStatus,
          message: "\(authority) answered the WebSocket handshake with \(refusal.status)"
            + (refusal.reason.isEmpty ? "" : " \(refusal.reason.prefix(Self.quotedCharacters))")
            + ", not 101. Check the URL, the credentials and what the server logs.",
          httpStatus: refusal.status, bodyExcerpt: refusal.bodyExcerpt))
    case .invalid(let problem):
      fail(
        SocketError(
          .handshake,
          message: "\(authority) is not a WebSocket server, or something in between interferes:"
            + " \(problem)"))
    }
  }

  private mutating func finishIfDone(_ socket: OpenSocket) {
    if socket.isDone { state = .finished }
  }
}
