import Testing
import ZeroWebSocket

struct ConversationTests {
  @Test("a ping is answered before messages that have not begun")
  func pongFirst() {
    let client = Conversation()
    let server = Conversation(.server, maxMessageBytes: 1 << 22)
    client.machine.send(binary: [UInt8](repeating: 1, count: 1 << 20))
    client.machine.send(binary: [2])
    var sent: [UInt8] = []
    client.machine.withOutput {
      sent.append(contentsOf: $0)
      return $0.count
    }
    client.receive(frame(9, [42]))
    server.receive(sent + client.output())
    #expect(
      server.events == [
        .binary([UInt8](repeating: 1, count: 1 << 20)), .pong([42]), .binary([2]),
      ])
  }

  @Test("a peer that pings without reading cannot make the queue grow")
  func pingFlood() {
    let client = Conversation()
    for number in 0..<1000 { client.receive(frame(9, [UInt8(number & 0xFF)])) }
    #expect(client.bufferedBytes <= 128)
    let server = Conversation(.server)
    server.receive(client.output())
    #expect(server.events.last == .pong([UInt8(999 & 0xFF)]))
  }

  @Test("bytes taken a few at a time are the same bytes", arguments: [1, 7, 1000])
  func partialWrites(size: Int) {
    let client = Conversation()
    let server = Conversation(.server)
    let payload = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
    client.machine.send(binary: payload)
    client.machine.send(text: [65])
    var sent: [UInt8] = []
    while !client.machine.withOutput({
      sent.append(contentsOf: $0.prefix(size))
      return min($0.count, size)
    }) {}
    server.receive(sent)
    #expect(server.events == [.binary(payload), .text([65])])
  }

  @Test("both sides closing at once is a clean end for both")
  func simultaneousClose() {
    let client = Conversation()
    let server = Conversation(.server)
    client.machine.close(code: 1000, reason: "a")
    server.machine.close(code: 3001, reason: "b")
    let fromClient = client.output()
    client.receive(server.output())
    server.receive(fromClient)
    #expect(client.events == [.closed(WebSocketEnd(code: 3001, reason: "b"))])
    #expect(server.events == [.closed(WebSocketEnd(code: 1000, reason: "a"))])
    #expect(client.wantsDisconnect && server.wantsDisconnect)
  }

  @Test("nothing is sent or delivered after close, and pings are not answered")
  func afterClose() {
    let client = Conversation()
    client.machine.close(code: nil)
    client.machine.send(text: [65])
    client.receive(frame(1, [65]) + frame(9))
    #expect(client.events.isEmpty)
    #expect(client.output().count == 6)
  }

  @Test("an end without a close frame is 1006, also when ours was on its way")
  func lostConnection() {
    let client = Conversation()
    client.machine.close(code: 1000)
    client.machine.receiveEnd(into: &client.events)
    guard case .closed(let end)? = client.events.first else {
      Issue.record("no end")
      return
    }
    #expect(end.code == 1006 && end.error?.code == .connectionLost)
  }

  @Test("the peer's close drops what has not begun and answers with its code")
  func peerCloses() {
    let client = Conversation()
    client.machine.send(text: Array("unsent".utf8))
    client.receive(frame(8, [15, 160] + Array("over".utf8)))
    #expect(client.events == [.closed(WebSocketEnd(code: 4000, reason: "over"))])
    #expect(Conversation.closeCode(client.output()) == 4000)
  }
}
