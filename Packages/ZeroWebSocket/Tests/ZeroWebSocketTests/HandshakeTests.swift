import Testing

@testable @_spi(Testing) import ZeroWebSocket

struct HandshakeTests {
  private func make(_ subprotocols: [String] = []) -> ClientHandshake {
    var random = SeededRandom(seed: 1)
    return ClientHandshake(
      ClientHandshake.Request(
        host: "localhost:4848", target: "/sync?a=b", subprotocols: subprotocols,
        headers: [("X-Test", "yes")]), random: &random)
  }

  private func receive(_ text: String, by handshake: inout ClientHandshake)
    -> ClientHandshake.Outcome
  {
    Array(text.utf8).withUnsafeBytes { handshake.receive($0) }
  }

  private func accept(_ handshake: ClientHandshake) -> String {
    let request = String(decoding: handshake.requestBytes, as: UTF8.self)
    let key = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
    return WebSocketKey.accept(for: String((key ?? "").dropFirst(19)))
  }

  @Test("client and server agree, byte by byte, and the first frames are not lost")
  func agreement() throws {
    var client = make(["token%3D"])
    var server = ServerHandshake()
    var request: ServerHandshake.Request?
    for byte in client.requestBytes {
      guard case .request(let complete) = [byte].withUnsafeBytes({ server.receive($0) }) else {
        continue
      }
      request = complete
    }
    let complete = try #require(request)
    #expect(complete.isUpgrade && complete.target == "/sync?a=b")
    #expect(complete.subprotocols == ["token%3D"])
    #expect(complete.head.value(of: "x-test") == "yes")
    let answer = complete.accept(subprotocol: "token%3D", compresses: true)
    var outcome = ClientHandshake.Outcome.needsMore
    for byte in answer.bytes.dropLast() {
      outcome = [byte].withUnsafeBytes { client.receive($0) }
      #expect(outcome == .needsMore)
    }
    outcome = [UInt8(ascii: "\n"), 0x81, 0].withUnsafeBytes { client.receive($0) }
    #expect(
      outcome
        == .accepted(
          ClientHandshake.Acceptance(
            subprotocol: "token%3D", compression: DeflateParameters(), rest: [0x81, 0])))
  }

  @Test("an interim answer is skipped")
  func interim() {
    var client = make()
    let text =
      "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 101 OK\r\nUpgrade: WebSocket\r\n"
      + "Connection: keep-alive, Upgrade\r\nSec-WebSocket-Accept: \(accept(client))\r\n\r\n"
    guard case .accepted = receive(text, by: &client) else {
      Issue.record("not accepted")
      return
    }
  }

  @Test("a refusal keeps status, reason, and the beginning of a chunked body")
  func refusal() {
    var client = make()
    let head = "HTTP/1.1 401 Unauthorized\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(receive(head + "5\r\nhello\r\n", by: &client) == .needsMore)
    #expect(client.isRefused)
    guard case .refused(let refusal) = receive("6;x=y\r\n world\r\n0\r\n\r\n", by: &client) else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.status == 401 && refusal.reason == "Unauthorized")
    #expect(refusal.bodyExcerpt == "hello world")
  }

  @Test("a body without a length ends with the connection")
  func refusalToEnd() {
    var client = make()
    #expect(receive("HTTP/1.1 500 Oops\r\n\r\nhalf", by: &client) == .needsMore)
    guard case .refused(let refusal) = client.receiveEnd() else {
      Issue.record("not refused")
      return
    }
    #expect(refusal.bodyExcerpt == "half")
  }

  @Test(
    "an answer that is no handshake is refused",
    arguments: [
      "SSH-2.0-OpenSSH\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 101 OK\r\n\r\n",
      "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: close\r\nSec-WebSocket-Accept: KEY\r\n\r\n",
      "HTTP/1.1 101 OK\r\nUpgrade: h2c\r\nConnection: upgrade\r\nSec-WebSocket-Accept: KEY\r\n\r\n",
      "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n",
      "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: KEY\r\n"
        + "Sec-WebSocket-Protocol: other\r\n\r\n",
      "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: KEY\r\n"
        + "Sec-WebSocket-Extensions: x-own\r\n\r\n",
    ])
  func invalid(answer: String) {
    var client = make()
    let text = answer.split(separator: "KEY", omittingEmptySubsequences: false)
      .joined(separator: accept(client))
    guard case .invalid = receive(text, by: &client) else {
      Issue.record("accepted: \(answer)")
      return
    }
  }

  @Test("a server that offers nothing back is refused when a subprotocol was offered")
  func missingSubprotocol() {
    var client = make(["token"])
    let text =
      "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accept(client))\r\n\r\n"
    guard case .invalid(let problem) = receive(text, by: &client) else {
      Issue.record("accepted")
      return
    }
    #expect(!problem.contains("token"))
  }

  @Test("an answer without end is given up")
  func endless() {
    var client = make()
    let line = "X: " + String(repeating: "y", count: 1020) + "\r\n"
    var outcome = receive("HTTP/1.1 200 OK\r\n", by: &client)
    for _ in 0..<200 where outcome == .needsMore { outcome = receive(line, by: &client) }
    guard case .invalid = outcome else {
      Issue.record("still waiting")
      return
    }
  }
}
