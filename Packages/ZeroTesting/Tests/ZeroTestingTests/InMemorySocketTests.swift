import Testing
import ZeroContracts
import ZeroProtocol

@MainActor struct InMemorySocketTests {
  let factory = InMemorySocketFactory()
  let recorder = SocketRecorder()

  private func open(_ subprotocols: [String] = []) throws -> (any SocketConnection, InMemorySocket)
  {
    let connection = factory.open(
      SocketRequest(url: "ws://localhost/", subprotocols: subprotocols), events: recorder)
    return (connection, try #require(factory.latest))
  }

  @Test("nothing is heard before the peer accepts, and what was sent before is dropped")
  func accept() throws {
    let (connection, peer) = try open(["token"])
    connection.send(text: Array("early".utf8))
    #expect(recorder.events.isEmpty)
    peer.accept()
    connection.send(text: Array("hello".utf8))
    #expect(recorder.events == [.opened(subprotocol: "token")])
    #expect(peer.sentTexts == ["hello"])
  }

  @Test("after close no message is delivered and the end is heard once")
  func close() throws {
    let (connection, peer) = try open()
    peer.accept()
    connection.close(code: 1000, reason: "bye")
    peer.receive(text: "late")
    peer.acknowledgeClose()
    peer.finish()
    #expect(
      recorder.events == [
        .opened(subprotocol: nil), .closed(code: 1000, reason: "bye", wasClean: true, error: nil),
      ])
  }

  @Test("a slow peer lets bytes pile up until it drains")
  func slowPeer() throws {
    let (connection, peer) = try open()
    peer.accept()
    peer.isReadingSlowly = true
    connection.send(text: [97, 98])
    connection.send(binary: [1])
    #expect(connection.bufferedBytes == 3)
    peer.drain()
    #expect(connection.bufferedBytes == 0)
    #expect(recorder.events.last == .drained)
  }

  @Test("a failure ends a socket that never opened")
  func failure() throws {
    let (_, peer) = try open()
    peer.fail(SocketError(.connectionRefused, message: "nobody listens"))
    #expect(
      recorder.events == [
        .closed(code: 1006, reason: "", wasClean: false, error: .connectionRefused)
      ])
  }
}
