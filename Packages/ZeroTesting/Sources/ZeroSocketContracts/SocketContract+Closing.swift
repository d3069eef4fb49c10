import ZeroContracts
import ZeroProtocol

extension SocketContract {
  static let closing: [Case] = [
    Case("the peer's code and reason are reported, and its close frame is answered") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        try connection.writeClose(3000, "not today")
        return try connection.readFrame()
      }
      try await trial.connect(to: peer)
      try await trial.expectClose(3000, "not today", wasClean: true)
      let frame = try await peer.value()
      try trial.expect(frame.opcode == 8 && frame.closeCode == 3000, "the answer is \(frame)")
    },
    Case("a close frame without a code is 1005") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        try connection.writeClose(nil)
        return try connection.readFrame()
      }
      try await trial.connect(to: peer)
      try await trial.expectClose(1005, wasClean: true)
      let frame = try await peer.value()
      try trial.expect(frame.opcode == 8 && frame.payload.isEmpty, "the answer is \(frame)")
    },
    Case("our code and reason reach the peer behind what was queued") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        let message = try connection.readFrame()
        let close = try connection.readFrame()
        try connection.writeFrame(1, Array("too late".utf8))
        try connection.write(PeerConnection.frame(8, close.payload))
        return (message, close)
      }
      let socket = try await trial.connect(to: peer)
      socket.send(text: Array("last words".utf8))
      socket.close(code: 1000, reason: "done")
      socket.close(code: 4000, reason: "twice")
      socket.send(text: Array("after".utf8))
      try await trial.expectClose(1000, "done", wasClean: true)
      let (message, close) = try await peer.value()
      try trial.expect(message.payload == Array("last words".utf8), "the message is lost")
      try trial.expect(
        close.opcode == 8 && close.closeCode == 1000 && close.closeReason == "done",
        "the peer heard \(close)")
      try trial.expect(
        trial.recorder.receivedCount == 0, "a message was delivered after close")
    },
    Case("closing without a code sends none") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        let close = try connection.readFrame()
        try connection.writeClose(nil)
        return close
      }
      let socket = try await trial.connect(to: peer)
      socket.close(code: nil, reason: "unsaid")
      try await trial.expectClose(1005, wasClean: true)
      let close = try await peer.value()
      try trial.expect(close.opcode == 8 && close.payload.isEmpty, "the peer heard \(close)")
    },
    Case("a long reason is cut between characters") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        let close = try connection.readFrame()
        try connection.write(PeerConnection.frame(8, close.payload))
        return close.closeReason
      }
      let socket = try await trial.connect(to: peer)
      socket.close(code: 4999, reason: String(repeating: "ä", count: 100))
      let reason = try await peer.value()
      try trial.expect(reason == String(repeating: "ä", count: 61), "the reason is '\(reason)'")
      _ = await trial.recorder.waitForClose()
    },
    Case("releasing the last reference closes without a code") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        return try connection.readFrame()
      }
      var socket: (any SocketConnection)? = trial.factory.open(
        SocketRequest(url: peer.url, connectTimeout: SocketTrial.patience), events: trial.recorder)
      await trial.recorder.waitForOpen()
      try trial.expect(socket != nil, "the socket is gone")
      socket = nil
      let frame = try await peer.value()
      try trial.expect(frame.opcode == 8 && frame.payload.isEmpty, "the peer heard \(frame)")
    },
  ]
}
