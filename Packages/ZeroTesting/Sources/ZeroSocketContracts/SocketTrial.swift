import ZeroContracts
import ZeroProtocol

/// One factory under test, with what a rule needs to ask of it. Keeps the sockets it opened.
@MainActor final class SocketTrial {
  let factory: any SocketFactory
  let recorder = SocketRecorder()
  /// How long a handshake may take that is to succeed, on a machine that is busy.
  static let patience = Duration.seconds(60)
  private var sockets: [any SocketConnection] = []

  init(factory: any SocketFactory) { self.factory = factory }

  @discardableResult func open(_ request: SocketRequest) -> any SocketConnection {
    let socket = factory.open(request, events: recorder)
    sockets.append(socket)
    return socket
  }

  /// Opens a socket to a peer and waits for its handshake.
  @discardableResult func connect<Value>(
    to peer: ScriptedPeer<Value>, maxMessageBytes: Int = 64 << 20
  ) async throws -> any SocketConnection {
    let socket = open(
      SocketRequest(
        url: peer.url, connectTimeout: Self.patience, maxMessageBytes: maxMessageBytes))
    await recorder.waitForOpen()
    try expect(recorder.isOpen, "the socket did not open: \(recorder.events)")
    return socket
  }

  /// Waits for the end and compares it.
  func expectClose(
    _ code: UInt16, _ reason: String = "", wasClean: Bool, error: SocketError.Code? = nil
  ) async throws {
    guard let close = await recorder.waitForClose() else {
      throw SocketContract.Violation(description: "the end was not reported")
    }
    try expect(close.code == code, "the code is \(close.code), not \(code)")
    try expect(close.reason == reason, "the reason is '\(close.reason)', not '\(reason)'")
    try expect(close.wasClean == wasClean, "wasClean is \(close.wasClean)")
    try expect(
      close.error?.code == error,
      "the error is \(close.error.map(\.description) ?? "none"), not \(error.map(\.description) ?? "none")"
    )
  }

  func expect(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    if !condition { throw SocketContract.Violation(description: message()) }
  }
}
