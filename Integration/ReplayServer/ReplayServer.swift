import Synchronization
import ZeroWebSocket
import ZeroWebSocketServer

/// Plays a recorded conversation to live clients, over real sockets on loopback.
///
/// The first client to connect gets the first connection of the transcript, the next one the second,
/// and so on. What the recorded server sent after a frame of the client is sent after the live client's
/// frame, with the live client's IDs in it; pings that were not recorded are answered.
public final class ReplayServer: Sendable {
  private let service: ReplayService
  private let server: WebSocketServer

  /// - Parameter port: 0 picks a free one.
  /// - Throws: `WebSocketServerError`.
  public init(_ transcript: Transcript, port: UInt16 = 0) throws {
    service = ReplayService(transcript)
    var options = WebSocketServerOptions()
    options.port = port
    server = try WebSocketServer(service, options: options)
  }

  public var port: UInt16 { server.port }

  /// Where a client finds the server, without path.
  public var origin: String { "ws://127.0.0.1:\(port)" }

  /// What live clients did otherwise than the recorded ones.
  public var deviations: [String] { service.deviations }

  /// Whether every frame of the transcript has been played.
  public var isFinished: Bool { service.isFinished }

  public func stop() { server.stop() }
}

/// The replay's side of the server. Its state is behind a lock because it is asked for from outside.
private final class ReplayService: WebSocketService {
  private struct State {
    var accepted = 0
    var sessions: [ServerSocket: Session] = [:]
    var deviations: [String] = []
    var finished = 0
  }

  private struct Session {
    var replay: ReplaySession
    let substitution: IDSubstitution

    /// The action with the live client's IDs.
    func localized(_ action: ReplaySession.Action) -> ReplaySession.Action {
      if case .send(let frame) = action { .send(substitution.apply(to: frame)) } else { action }
    }
  }

  private let transcript: Transcript
  private let state = Mutex(State())

  init(_ transcript: Transcript) { self.transcript = transcript }

  var deviations: [String] {
    state.withLock { $0.deviations + $0.sessions.values.flatMap(\.replay.deviations) }
  }

  var isFinished: Bool {
    state.withLock { state in
      state.finished + state.sessions.values.count { $0.replay.isFinished }
        == transcript.connections.count
    }
  }

  func answer(_ upgrade: HTTPRequest) -> UpgradeAnswer {
    let connection = state.withLock { state -> Transcript.Connection? in
      guard transcript.connections.indices.contains(state.accepted) else { return nil }
      let connection = transcript.connections[state.accepted]
      if !connection.isOpened {
        state.accepted += 1
        state.finished += 1
      }
      return connection
    }
    guard let connection, connection.isOpened else {
      return .refuse(
        HTTPResponse(
          status: 503, reason: "Service Unavailable",
          text: connection == nil
            ? "The transcript has no further connection." : "This connection was not opened."))
    }
    return .accept(subprotocol: upgrade.subprotocols.first)
  }

  func respond(to request: HTTPRequest, reply: @escaping @Sendable (HTTPResponse) -> Void) {
    reply(
      HTTPResponse(
        status: 404, reason: "Not Found", text: "This server replays '\(transcript.name)'."))
  }

  func socketDidOpen(_ socket: ServerSocket, _ request: HTTPRequest) {
    let actions = state.withLock { state -> [ReplaySession.Action] in
      let connection = transcript.connections[state.accepted]
      state.accepted += 1
      var session = Session(
        replay: ReplaySession(connection),
        substitution: IDSubstitution(recordedURL: connection.url, request: request))
      defer { state.sessions[socket] = session }
      return session.replay.start().map { session.localized($0) }
    }
    run(actions, socket)
  }

  func socketDidReceive(_ socket: ServerSocket, _ message: WebSocketEvent) {
    let frame: Transcript.Frame
    switch message {
    case .text(let utf8): frame = .text(utf8)
    case .binary(let bytes): frame = .binary(bytes)
    case .ping, .pong, .closed: return
    }
    let actions = state.withLock { state -> [ReplaySession.Action] in
      guard var session = state.sessions[socket] else { return [] }
      defer { state.sessions[socket] = session }
      return session.replay.receive(frame).map { session.localized($0) }
    }
    run(actions, socket)
  }

  func socketDidClose(_ socket: ServerSocket, _ end: WebSocketEnd) {
    state.withLock { state in
      guard let session = state.sessions.removeValue(forKey: socket) else { return }
      state.deviations += session.replay.deviations
      if session.replay.isFinished { state.finished += 1 }
    }
  }

  // MARK: -

  private func run(_ actions: [ReplaySession.Action], _ socket: ServerSocket) {
    for action in actions {
      switch action {
      case .send(.text(let utf8)): socket.send(text: utf8)
      case .send(.binary(let bytes)): socket.send(binary: bytes)
      case .close(let code, let reason): socket.close(code: code, reason: reason)
      case .drop: socket.drop()
      }
    }
  }
}
