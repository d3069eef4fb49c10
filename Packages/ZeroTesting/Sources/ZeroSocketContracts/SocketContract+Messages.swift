import Dispatch
import ZeroContracts
import ZeroProtocol

extension SocketContract {
  static let messages: [Case] = [
    Case("text and binary of every length encoding come back as they were, in order") { trial in
      let lengths = [0, 1, 125, 126, 127, 65535, 65536, 1 << 20]
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        for _ in 0..<(lengths.count * 2) {
          let frame = try connection.readFrame()
          try connection.writeFrame(frame.opcode, frame.payload)
        }
        try connection.answerClose()
      }
      let socket = try await trial.connect(to: peer)
      var sent: [SocketMessage] = []
      for length in lengths {
        let text = (0..<length).map { UInt8(97 + $0 % 26) }
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        socket.send(text: text)
        socket.send(binary: bytes)
        sent += [.text(text), .binary(bytes)]
      }
      await trial.recorder.wait { $0.receivedCount == sent.count }
      try trial.expect(trial.recorder.messages == sent, "the echo differs")
      socket.close(code: nil, reason: "")
    },
    Case("fragments with empty first, middle and last frames and a ping between make one message") {
      trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        let euro = Array("€".utf8)
        try connection.writeFrame(1, [], isFinal: false)
        try connection.writeFrame(0, [euro[0]], isFinal: false)
        try connection.writeFrame(9, [1, 2, 3])
        try connection.writeFrame(0, [], isFinal: false)
        try connection.writeFrame(0, [euro[1], euro[2]], isFinal: false)
        try connection.writeFrame(0, [])
        let pong = try connection.readFrame()
        try connection.answerClose()
        return pong
      }
      let socket = try await trial.connect(to: peer)
      await trial.recorder.wait { $0.receivedCount == 1 }
      try trial.expect(
        trial.recorder.messages == [.text(Array("€".utf8))], "the message is not whole")
      socket.close(code: nil, reason: "")
      let pong = try await peer.value()
      try trial.expect(pong.opcode == 10 && pong.payload == [1, 2, 3], "the ping is not answered")
    },
    Case("a thousand small messages arrive complete and in order") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        var bytes: [UInt8] = []
        for number in 0..<1000 { bytes += PeerConnection.frame(1, Array("\(number)".utf8)) }
        try connection.write(bytes)
        try connection.answerClose()
      }
      let socket = try await trial.connect(to: peer)
      await trial.recorder.wait { $0.receivedCount == 1000 }
      try trial.expect(
        trial.recorder.messages == (0..<1000).map { .text(Array("\($0)".utf8)) },
        "messages are missing or out of order")
      socket.close(code: nil, reason: "")
    },
    Case("a slow reader is visible in bufferedBytes, and the drain is reported") { trial in
      let hasLooked = DispatchSemaphore(value: 0)
      defer { hasLooked.signal() }
      let peer = try ScriptedPeer(receiveBuffer: 64 << 10) { connection in
        try connection.upgrade()
        let go = try connection.readFrame()
        hasLooked.wait()
        let large = try connection.readFrame()
        let last = try connection.readFrame()
        return (go.payload, large.payload.count, last.payload)
      }
      let socket = try await trial.connect(to: peer)
      let large = [UInt8](repeating: 120, count: 8 << 20)
      socket.send(text: [103])
      socket.send(text: large)
      try trial.expect(socket.bufferedBytes > 0, "8 MiB are gone at once")
      hasLooked.signal()
      socket.send(text: [122])
      await trial.recorder.wait { $0.events.contains(.drained) && socket.bufferedBytes == 0 }
      let (go, count, last) = try await peer.value()
      try trial.expect(
        go == [103] && count == large.count && last == [122], "the messages are not as sent")
    },
    Case("a message over the limit ends the socket, and the peer hears 1009") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        try connection.writeFrame(2, [UInt8](repeating: 1, count: 1000))
        try connection.writeFrame(2, [UInt8](repeating: 1, count: 1001))
        return try connection.readFrame()
      }
      try await trial.connect(to: peer, maxMessageBytes: 1000)
      try await trial.expectClose(1006, wasClean: false, error: .messageTooLarge)
      try trial.expect(trial.recorder.receivedCount == 1, "the message at the limit is missing")
      let frame = try await peer.value()
      try trial.expect(frame.opcode == 8 && frame.closeCode == 1009, "the peer heard \(frame)")
    },
    Case("text that is not UTF-8 ends the socket, and the peer hears 1007") { trial in
      let peer = try ScriptedPeer { connection in
        try connection.upgrade()
        try connection.writeFrame(1, [0xC0, 0x80])
        return try connection.readFrame()
      }
      try await trial.connect(to: peer)
      try await trial.expectClose(1006, wasClean: false, error: .protocolViolation)
      let frame = try await peer.value()
      try trial.expect(frame.opcode == 8 && frame.closeCode == 1007, "the peer heard \(frame)")
    },
  ]
}
