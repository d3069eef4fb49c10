import Testing
import ZeroWebSocket

struct ReadmeTests {
  @Test("the README's example does what it says")
  func example() {
    var server = WebSocketStateMachine(role: .server, maxMessageBytes: 1 << 20)
    var client = WebSocketStateMachine(role: .client)
    client.send(text: Array("hello".utf8))

    var events: [WebSocketEvent] = []
    client.withOutput { bytes in
      server.receive(bytes, into: &events)
      return bytes.count
    }
    #expect(events == [.text([104, 101, 108, 108, 111])])
  }
}
