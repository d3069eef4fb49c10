import ZeroContracts
import ZeroProtocol

extension SocketContract {
  static let failures: [Case] = [
    Case("a connection that ends without a close frame is 1006 and lost") { trial in
      let peer = try ScriptedPeer { _ = try $0.upgrade() }
      try await trial.connect(to: peer)
      try await trial.expectClose(1006, wasClean: false, error: .connectionLost)
    },
    Case("another status than 101 is reported with the beginning of the body, without the token") {
      trial in
      for status in [401, 403, 200, 301, 500] {
        let trial = SocketTrial(factory: trial.factory)
        let body = "denied: " + String(repeating: "x", count: 600)
        let peer = try ScriptedPeer { connection in
          _ = try connection.readHead()
          try connection.write(
            "HTTP/1.1 \(status) Whatever\r\nLocation: /elsewhere\r\n"
              + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
          connection.readToEnd()
        }
        trial.open(
          SocketRequest(
            url: peer.url, subprotocols: ["secret-token"], connectTimeout: SocketTrial.patience))
        try await trial.expectClose(1006, wasClean: false, error: .httpStatus)
        let error = trial.recorder.close?.error
        try trial.expect(error?.httpStatus == status, "the status is lost")
        try trial.expect(error?.bodyExcerpt == String(body.prefix(512)), "the excerpt differs")
        try trial.expect(
          error?.description.contains("secret-token") == false, "the message holds the token")
      }
    },
    Case("a port where nobody listens refuses the connection") { trial in
      let port = try RefusingPort()
      trial.open(SocketRequest(url: "ws://127.0.0.1:\(port.number)/"))
      try await trial.expectClose(1006, wasClean: false, error: .connectionRefused)
      withExtendedLifetime(port) {}
    },
    Case("a server that never answers is given up after the time limit") { trial in
      let peer = try ScriptedPeer { _ = $0.readToEnd() }
      trial.open(
        SocketRequest(url: peer.url, connectTimeout: .milliseconds(100)))
      try await trial.expectClose(1006, wasClean: false, error: .timeout)
    },
    Case("a wrong proof of the handshake is refused") { trial in
      let peer = try ScriptedPeer { connection in
        _ = try connection.readHead()
        try connection.write(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
        connection.readToEnd()
      }
      trial.open(SocketRequest(url: peer.url))
      try await trial.expectClose(1006, wasClean: false, error: .handshake)
    },
    Case("a malformed URL is reported as an event") { trial in
      trial.open(SocketRequest(url: "http://127.0.0.1/"))
      try trial.expect(trial.recorder.events.isEmpty, "an event came during open")
      try await trial.expectClose(1006, wasClean: false, error: .invalidRequest)
    },
  ]
}
