import Testing
import ZeroContracts
import ZeroDevServerHost
import ZeroProtocol
import ZeroTransportCurl
import ZeroWebSocketServer

@testable import ZeroDevServer

@MainActor @Suite("the server on a port") struct HostTests {
  @Test("a client connects over a real socket, gets its rows and sees a write of the endpoint")
  func realSocket() async throws {
    let test = try TestServer()
    let host = try DevServerHost(test.server)
    defer { host.stop() }
    let client = SocketLog()
    let request = TestServer.request(
      initialize: "desiredQueriesPatch:[{op:'put',hash:'q1',name:'notes',args:[]}]")
    let socket = CurlSocketFactory().open(
      SocketRequest(
        url: "ws://127.0.0.1:\(host.port)\(request.target)",
        subprotocols: [request["Sec-WebSocket-Protocol"] ?? ""]), events: client)
    await client.wait(for: #""cookie":"02""#)
    _ = test.server.control(
      TestServer.json("do:'write',changes:[{op:'put',table:'note',row:{id:'n9',text:'x'}}]"))
    await client.wait(for: #""cookie":"03""#)
    socket.close(code: 1000, reason: "")
    await client.waitForClose()
    #expect(client.isEchoed)
  }
}

/// The text of what arrives on a socket.
@MainActor final class SocketLog: SocketEvents {
  private(set) var isEchoed = false
  private var text = ""
  private var isClosed = false
  private var waiting: (text: String?, continuation: CheckedContinuation<Void, Never>)?

  func wait(for text: String) async { await suspend(text) }
  func waitForClose() async { await suspend(nil) }

  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {
    isEchoed = subprotocol != nil
  }

  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    for case .text(let bytes) in messages { text += String(decoding: bytes, as: UTF8.self) }
    wake()
  }

  func socketDidDrain(_ socket: any SocketConnection) {}

  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    isClosed = true
    wake()
  }

  private func suspend(_ text: String?) async {
    await withCheckedContinuation { continuation in
      waiting = (text, continuation)
      wake()
    }
  }

  private func wake() {
    guard let waiting, isClosed || waiting.text.map({ text.contains($0) }) ?? false else { return }
    self.waiting = nil
    waiting.continuation.resume()
  }
}
