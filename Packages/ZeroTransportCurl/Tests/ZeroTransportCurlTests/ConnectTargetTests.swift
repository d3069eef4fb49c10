import Testing
import ZeroProtocol
import ZeroWebSocket

@testable import ZeroTransportCurl

struct ConnectTargetTests {
  @Test(
    "a URL is cut into what libcurl connects to and what the server is asked for",
    arguments: [
      (
        "ws://localhost:4848/sync/v52/connect?a=b", "http://localhost:4848/",
        "/sync/v52/connect?a=b"
      ),
      ("wss://example.com", "https://example.com/", "/"),
      ("WSS://[::1]:80?x", "https://[::1]:80/", "/?x"),
    ])
  func parts(url: String, origin: String, target: String) throws {
    let parsed = try ConnectTarget(
      SocketRequest(url: url), options: CurlTransportOptions())
    #expect(parsed.origin == origin)
    #expect(parsed.handshake.target == target)
  }

  @Test(
    "a URL that is no WebSocket's is refused",
    arguments: [
      "", "http://localhost", "ws:/localhost", "ws://", "ws:///path", "ws://:80/", "ws://h/#f",
      "ws://user:password@h/", "ws://user@\u{301}h/", "ws://h/#\u{301}f", "ws://h/a b",
      "ws://h/\r\nX: y",
    ])
  func malformed(url: String) {
    #expect {
      try ConnectTarget(SocketRequest(url: url), options: CurlTransportOptions())
    } throws: { ($0 as? SocketError)?.code == .invalidRequest }
  }

  @Test("a header or subprotocol cannot smuggle in another line, and errors do not quote it")
  func smuggling() {
    let bad = [
      SocketRequest(url: "ws://h", headers: [("X", "a\r\nY: secret")]),
      SocketRequest(url: "ws://h", headers: [("X\n", "secret")]),
      SocketRequest(url: "ws://h", subprotocols: ["secret\r\n"]),
      SocketRequest(url: "ws://h", subprotocols: ["secret,b"]),
      SocketRequest(url: "ws://h", subprotocols: ["secret,\u{301}b"]),
      SocketRequest(url: "ws://h", subprotocols: [""]),
    ]
    for request in bad {
      #expect {
        try ConnectTarget(request, options: CurlTransportOptions())
      } throws: { error in
        guard let error = error as? SocketError else { return false }
        return error.code == .invalidRequest && !error.message.contains("secret")
      }
    }
  }
}
