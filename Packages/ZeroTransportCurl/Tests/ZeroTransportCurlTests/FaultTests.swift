import Synchronization
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroSocketContracts
import ZeroTransportCurl
import ZeroWebSocket

@MainActor @Suite(.serialized) struct FaultTests {
  @Test("an answer and frames that arrive byte by byte are understood")
  func byteByByte() async throws {
    let peer = try ScriptedPeer { connection in
      let head = try connection.readHead()
      let answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(try PeerConnection.acceptKey(head))\r\n\r\n"
      let frames =
        PeerConnection.frame(1, Array("häppchen".utf8))
        + PeerConnection.frame(2, [UInt8](repeating: 9, count: 300))
      try connection.write(Array(answer.utf8) + frames, inPiecesOf: 1)
      try connection.answerClose()
    }
    let test = SocketUnderTest(peer.url)
    await test.recorder.wait { $0.receivedCount == 2 }
    #expect(
      test.recorder.messages == [
        .text(Array("häppchen".utf8)), .binary([UInt8](repeating: 9, count: 300)),
      ])
    test.socket.close(code: 1000, reason: "")
    #expect(await test.recorder.waitForClose()?.wasClean == true)
  }

  @Test("1 MB in segments of 100 bytes is one message")
  func smallSegments() async throws {
    let payload = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
    let peer = try ScriptedPeer { connection in
      try connection.upgrade()
      try connection.write(PeerConnection.frame(2, payload), inPiecesOf: 100)
      try connection.answerClose()
    }
    let test = SocketUnderTest(peer.url)
    await test.recorder.wait { $0.receivedCount == 1 }
    #expect(test.recorder.messages == [.binary(payload)])
  }

  @Test("a connection that ends in the middle of a frame is lost")
  func endInFrame() async throws {
    let peer = try ScriptedPeer { connection in
      try connection.upgrade()
      try connection.write(Array(PeerConnection.frame(1, Array("hello".utf8)).prefix(4)))
    }
    let test = SocketUnderTest(peer.url)
    #expect(await test.failure() == .connectionLost)
    #expect(test.recorder.receivedCount == 0)
  }

  @Test("a reset is a lost connection, and what came before it is delivered")
  func reset() async throws {
    let peer = try ScriptedPeer { connection in
      try connection.upgrade()
      try connection.writeFrame(1, [65])
      _ = try connection.readFrame()
      connection.reset()
    }
    let test = SocketUnderTest(peer.url)
    await test.recorder.wait { $0.receivedCount == 1 }
    test.socket.send(text: [66])
    #expect(await test.failure() == .connectionLost)
  }

  @Test("a reset during the handshake fails the attempt")
  func resetInHandshake() async throws {
    let peer = try ScriptedPeer { connection in
      _ = try connection.readHead()
      connection.reset()
    }
    let test = SocketUnderTest(peer.url)
    #expect(await test.failure() == .handshake)
  }

  @Test("a peer that stops answering does not hold up a close for longer than the limit")
  func halfOpen() async throws {
    let isDone = Atomic(false)
    let peer = try ScriptedPeer(receiveBuffer: 64 << 10) { connection in
      try connection.upgrade()
      while !isDone.load(ordering: .acquiring) { _ = try? connection.read(1) }
    }
    var options = CurlTransportOptions.forTests
    options.closeTimeout = .milliseconds(100)
    let test = SocketUnderTest(peer.url, options: options)
    await test.recorder.waitForOpen()
    test.socket.send(binary: [UInt8](repeating: 1, count: 16 << 20))
    test.socket.close(code: 1000, reason: "")
    #expect(await test.failure() == .timeout)
    #expect(test.recorder.close?.code == 1006)
    isDone.store(true, ordering: .releasing)
  }

  @Test(
    "frames that break the protocol end the socket, and the peer hears 1002",
    arguments: [
      ("opcode 3", PeerConnection.frame(3, [])), ("opcode 11", PeerConnection.frame(11, [])),
      ("first reserved bit", PeerConnection.frame(1, [65], reserved: 4)),
      ("third reserved bit", PeerConnection.frame(1, [65], reserved: 1)),
      ("ping of 126 bytes", PeerConnection.frame(9, [UInt8](repeating: 0, count: 126))),
      ("fragmented close", PeerConnection.frame(8, [], isFinal: false)),
      ("masked", [0x81, 0x81, 1, 2, 3, 4, 64]),
      ("stray continuation", PeerConnection.frame(0, [65])),
    ] as [(String, [UInt8])])
  func protocolViolation(name: String, bytes: [UInt8]) async throws {
    let peer = try ScriptedPeer { connection in
      try connection.upgrade()
      try connection.write(bytes)
      return try connection.readFrame()
    }
    let test = SocketUnderTest(peer.url)
    #expect(await test.failure() == .protocolViolation, "\(name)")
    let heard = try await peer.value()
    #expect(heard.opcode == 8 && heard.closeCode == 1002, "\(name)")
  }

  @Test("a host without an address is a failure of name resolution")
  func unknownHost() async {
    let test = SocketUnderTest("ws://\(SocketUnderTest.unknownHost)/")
    #expect(await test.failure() == .nameResolution)
  }

  @Test("giving up during name resolution does not wait for it")
  func giveUpResolution() async {
    let test = SocketUnderTest("ws://no-such-host.invalid/")
    test.socket.close(code: nil, reason: "")
    let failure = await test.failure()
    // This thread may be held up for longer than the answer takes.
    #expect(failure == .closed || failure == .nameResolution)
  }

  @Test("a ping is answered while the main actor is busy")
  func busyMainActor() async throws {
    let isAnswered = Atomic(false)
    let peer = try ScriptedPeer { connection in
      defer { isAnswered.store(true, ordering: .releasing) }
      try connection.upgrade()
      _ = try connection.readFrame()
      try connection.writeFrame(9, [1])
      let pong = try connection.readFrame()
      return pong.opcode
    }
    let test = SocketUnderTest(peer.url)
    await test.recorder.waitForOpen()
    test.socket.send(text: [65])
    while !isAnswered.load(ordering: .acquiring) {}
    #expect(try await peer.value() == 10)
  }

  @Test("reading stops while the main actor has more than it can take, and goes on after")
  func inboundBackPressure() async throws {
    let sent = Atomic(0)
    let isDone = Atomic(false)
    let total = 64
    let peer = try ScriptedPeer { connection in
      defer { isDone.store(true, ordering: .releasing) }
      try connection.upgrade()
      let frame = PeerConnection.frame(2, [UInt8](repeating: 1, count: 1 << 20))
      _ = try connection.readFrame()
      for _ in 0..<total {
        try connection.write(frame)
        sent.add(1, ordering: .acquiringAndReleasing)
      }
      try connection.answerClose()
    }
    let test = SocketUnderTest(peer.url)
    test.recorder.countsOnly = true
    await test.recorder.waitForOpen()
    test.socket.send(text: [65])
    // Busy until the peer cannot send any more: its count stands still for a million looks.
    var last = -1
    var looks = 0
    while looks < 1_000_000, !isDone.load(ordering: .acquiring) {
      let now = sent.load(ordering: .acquiring)
      looks = now == last && now >= 16 ? looks + 1 : 0
      last = now
    }
    #expect(last < total)
    await test.recorder.wait { $0.receivedCount == total }
    #expect(test.recorder.receivedBytes == total << 20)
  }

  @Test("messages that unfold to much more than they took on the wire stop reading as well")
  func compressedBackPressure() async throws {
    let isSent = Atomic(false)
    let size = 4 << 20
    let total = 48
    let peer = try ScriptedPeer { connection in
      defer { isSent.store(true, ordering: .releasing) }
      try connection.upgrade(headers: "Sec-WebSocket-Extensions: permessage-deflate\r\n")
      var machine = WebSocketStateMachine(role: .server, compression: DeflateParameters())
      var bytes: [UInt8] = []
      for _ in 0..<total { machine.send(binary: [UInt8](repeating: 0, count: size)) }
      while !machine.withOutput({
        bytes.append(contentsOf: $0)
        return $0.count
      }) {}
      _ = try connection.readFrame()
      try connection.write(bytes)
      isSent.store(true, ordering: .releasing)
      try connection.answerClose()
    }
    let test = SocketUnderTest(peer.url)
    test.recorder.countsOnly = true
    await test.recorder.waitForOpen()
    test.socket.send(text: [65])
    while !isSent.load(ordering: .acquiring) {}
    await test.recorder.wait { $0.receivedCount == total }
    #expect(test.recorder.receivedBytes == total * size)
    // What may wait, what one more piece of 16 KiB unfolds to, and the message that is over the limit.
    #expect(test.recorder.batchSizes.allSatisfy { $0 * size <= 2 * (16 << 20) + 2 * size })
  }

  @Test("what a server says in its status line is quoted only in part when it is very long")
  func longReason() async throws {
    let peer = try ScriptedPeer { connection in
      _ = try connection.readHead()
      let reason = String(repeating: "x", count: 100_000)
      try connection.write("HTTP/1.1 503 \(reason)\r\nContent-Length: 0\r\n\r\n")
      _ = connection.readToEnd()
    }
    let test = SocketUnderTest(peer.url)
    let error = await test.recorder.waitForClose()?.error
    #expect(error?.httpStatus == 503)
    #expect((error?.message.utf8.count ?? 0) < 1000)
  }
}
