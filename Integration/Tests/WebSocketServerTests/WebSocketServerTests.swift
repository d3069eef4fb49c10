import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroTransportCurl
import ZeroWebSocketServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@MainActor @Suite(.serialized) struct WebSocketServerTests {
  private func connect(
    _ server: WebSocketServer, _ target: String = "/"
  ) -> (any SocketConnection, SocketRecorder) {
    let recorder = SocketRecorder()
    let request = SocketRequest(url: "ws://127.0.0.1:\(server.port)\(target)", subprotocols: ["a"])
    return (CurlSocketFactory().open(request, events: recorder), recorder)
  }

  @Test("messages go there and back, plain and compressed", arguments: [false, true])
  func echo(compresses: Bool) async throws {
    var options = WebSocketServerOptions()
    options.compresses = compresses
    let server = try WebSocketServer(Echo(), options: options)
    let (socket, recorder) = connect(server, "/?greeting=good+m%C3%B6rning")
    await recorder.waitForOpen()
    let large = [UInt8](repeating: 97, count: 3 << 20)
    socket.send(text: large)
    socket.send(binary: [0, 1, 2])
    await recorder.wait { $0.receivedCount == 3 }
    #expect(
      recorder.messages == [.text(Array("good mörning".utf8)), .text(large), .binary([0, 1, 2])])
    #expect(recorder.events.first == .opened(subprotocol: "a"))
    socket.close(code: 1000, reason: "")
    #expect(await recorder.waitForClose()?.wasClean == true)
  }

  @Test("a server can close with a code, or crash")
  func ends() async throws {
    let server = try WebSocketServer(Echo())
    let (socket, recorder) = connect(server)
    await recorder.waitForOpen()
    socket.send(text: Array("bye".utf8))
    let close = await recorder.waitForClose()
    #expect(close?.code == 3000 && close?.reason == "bye" && close?.wasClean == true)
    let (other, otherRecorder) = connect(server)
    await otherRecorder.waitForOpen()
    other.send(text: Array("crash".utf8))
    #expect(await otherRecorder.waitForClose()?.error?.code == .connectionLost)
  }

  @Test("an upgrade can be refused")
  func refusal() async throws {
    let server = try WebSocketServer(Echo())
    let (socket, recorder) = connect(server, "/refused")
    let error = await recorder.waitForClose()?.error
    #expect(error?.httpStatus == 403 && error?.bodyExcerpt == "not you")
    withExtendedLifetime(socket) {}
  }

  @Test("a message over the limit is answered with 1009")
  func limit() async throws {
    var options = WebSocketServerOptions()
    options.maxMessageBytes = 100
    let server = try WebSocketServer(Echo(), options: options)
    let (socket, recorder) = connect(server)
    await recorder.waitForOpen()
    socket.send(binary: [UInt8](repeating: 0, count: 101))
    #expect(await recorder.waitForClose()?.code == 1009)
  }

  @Test("plain requests are served on the same port")
  func post() async throws {
    let server = try WebSocketServer(Echo())
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/push?a=1"))
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    request.httpBody = Data(repeating: 120, count: 200_000)
    let (body, response) = try await URLSession.shared.data(for: request)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(body == Data("POST /push?a=1 ".utf8) + Data(repeating: 120, count: 200_000))
  }

  @Test("many clients talk at once, and hear it when the server stops")
  func manyClients() async throws {
    let server = try WebSocketServer(Echo())
    let clients = (0..<40).map { _ in connect(server) }
    for (number, (socket, recorder)) in clients.enumerated() {
      await recorder.waitForOpen()
      socket.send(text: Array("\(number)".utf8))
    }
    for (number, (_, recorder)) in clients.enumerated() {
      await recorder.wait { $0.receivedCount == 1 }
      #expect(recorder.messages == [.text(Array("\(number)".utf8))])
    }
    server.stop()
    for (_, recorder) in clients { #expect(await recorder.waitForClose()?.code == 1006) }
  }

  @Test("a port that is taken is an error that says so")
  func takenPort() throws {
    let server = try WebSocketServer(Echo())
    var options = WebSocketServerOptions()
    options.port = server.port
    #expect {
      try WebSocketServer(Echo(), options: options)
    } throws: { "\($0)".contains("\(server.port)") }
  }
}
