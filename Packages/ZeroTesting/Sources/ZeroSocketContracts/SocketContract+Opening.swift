import ZeroContracts
import ZeroProtocol

extension SocketContract {
  static let opening: [Case] = [
    Case("path, query, headers and a long subprotocol arrive as given, and the echo comes back") {
      trial in
      let token = String(repeating: "abc%2F", count: 1600)
      let peer = try ScriptedPeer { connection in
        let head = try connection.upgrade()
        try connection.answerClose()
        return head
      }
      let socket = trial.open(
        SocketRequest(
          url: peer.url + "sync/v52/connect?a=b%20c&d=", subprotocols: [token],
          headers: [("X-First", "one"), ("X-Second", "two words")],
          connectTimeout: SocketTrial.patience))
      await trial.recorder.waitForOpen()
      try trial.expect(
        trial.recorder.events == [.opened(subprotocol: token)],
        "the echo is missing: \(trial.recorder.events.count) events")
      socket.close(code: nil, reason: "")
      let head = try await peer.value()
      try trial.expect(
        head.hasPrefix("GET /sync/v52/connect?a=b%20c&d= HTTP/1.1\r\n"), "the target is changed")
      for (name, value) in [
        ("Sec-WebSocket-Protocol", token), ("X-First", "one"), ("X-Second", "two words"),
        ("Host", "127.0.0.1:\(peer.port)"), ("Sec-WebSocket-Version", "13"),
      ] {
        try trial.expect(
          PeerConnection.header(name, in: head) == value, "the header \(name) is not as given")
      }
    },
    Case("nothing is reported while open runs") { trial in
      let peer = try ScriptedPeer { try $0.upgrade() }
      let socket = trial.open(SocketRequest(url: peer.url))
      try trial.expect(trial.recorder.events.isEmpty, "an event came during open")
      try trial.expect(socket.bufferedBytes == 0, "something is buffered")
      _ = await trial.recorder.waitForClose()
    },
    Case("what is sent before the socket is open is dropped") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        return try connection.readFrame()
      }
      let socket = trial.open(
        SocketRequest(url: peer.url, connectTimeout: SocketTrial.patience))
      socket.send(text: Array("early".utf8))
      await trial.recorder.waitForOpen()
      socket.send(text: Array("late".utf8))
      let frame = try await peer.value()
      try trial.expect(frame.payload == Array("late".utf8), "the early message was sent")
    },
    Case("closing before the socket is open gives up the attempt") { trial in
      let peer = try ScriptedPeer { _ = $0.readToEnd() }
      let socket = trial.open(SocketRequest(url: peer.url))
      socket.close(code: 1000, reason: "never mind")
      try await trial.expectClose(1006, wasClean: false, error: .closed)
      try trial.expect(trial.recorder.events.count == 1, "more than the end was reported")
    },
  ]
}
