import ReplayServer
@_spi(Engine) import ZeroProtocol
import ZeroTransportCurl

/// A client without an engine: it says what the recorded client said, decodes what the server sends
/// and prints it in words.
@MainActor final class Demo: SocketEvents {
  private let connection: Transcript.Connection?
  private let origin: String
  private var steps: ArraySlice<Transcript.Step> = []
  private var socket: (any SocketConnection)?
  private var poke = PokeAssembler()
  private var rows = RowLog()
  private var isComplete = false
  private var finish: CheckedContinuation<Bool, Never>?

  /// - Parameter origin: scheme, host and port of the server.
  init(_ transcript: Transcript, origin: String) {
    connection = transcript.connections.first { $0.isOpened }
    self.origin = origin
  }

  /// - Returns: whether everything that was recorded arrived and was understood.
  func run() async -> Bool {
    guard let connection else {
      print("The transcript has no connection.")
      return false
    }
    steps = connection.steps[...]
    let path = connection.url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
    return await withCheckedContinuation { continuation in
      finish = continuation
      socket = CurlSocketFactory().open(
        SocketRequest(
          url: origin + path, subprotocols: connection.subprotocol.map { [$0] } ?? []),
        events: self)
    }
  }

  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {
    print(
      "The WebSocket is open; the server chose our subprotocol of \(subprotocol?.count ?? 0)"
        + " characters, which holds the first message.")
    say()
  }

  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    do {
      for message in messages {
        if case .receive? = steps.first { steps.removeFirst() }
        try show(message)
      }
      say()
    } catch {
      print("A message was not understood: \(error)")
      steps = []
      socket.close(code: nil, reason: "")
    }
  }

  func socketDidDrain(_ socket: any SocketConnection) {}

  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    if let error = close.error { print("The connection failed: \(error.message)") }
    print("The socket is closed with code \(close.code).\n")
    rows.printSummary()
    finish?.resume(returning: isComplete && close.error == nil && rows.count > 0)
    finish = nil
  }

  // MARK: -

  /// Sends what the recorded client sent at this point, and closes at the end.
  private func say() {
    while case .send(let frame)? = steps.first {
      steps.removeFirst()
      print("\nWe send \(frame.messageType ?? "a binary frame").")
      switch frame {
      case .text(let utf8): socket?.send(text: utf8)
      case .binary(let bytes): socket?.send(binary: bytes)
      }
    }
    if case .receive? = steps.first { return }
    isComplete = true
    socket?.close(code: 1000, reason: "")
  }

  private func show(_ message: SocketMessage) throws {
    switch message {
    case .binary(let bytes): try poke.add(bytes)
    case .text(let utf8):
      switch try DownstreamMessage(text: utf8) {
      case .connected: print("The server says that we are connected.")
      case .pokeStart(let start):
        poke = PokeAssembler()
        print("\nPoke \(start.pokeID), on top of \(start.baseCookie ?? "nothing"):")
      case .pokePart(let part): rows.add(part)
      case .pokeEnd(let end): try endPoke(end)
      case .error(let error): print("The server reports an error: \(error)")
      case let other: print("The server sends \(other.type).")
      }
    }
  }

  private func endPoke(_ end: PokeEnd) throws {
    if !poke.isEmpty {
      for part in try PokePart.parts(json: JSONValue(parsing: poke.payload)) { rows.add(part) }
      poke = PokeAssembler()
    }
    print("  End of the poke; we are at \(end.cookie).")
  }
}
