import Foundation
import ReplayServer
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroTransportCurl

@MainActor @Suite(.serialized) struct ReplayServerTests {
  nonisolated static let flows: [String] = {
    let folder = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../Tests/Conformance/Vectors/transcripts").standardized
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".json") }.sorted().map { folder.path + "/" + $0 }
  }()

  @Test("the recorded flows are there")
  func isComplete() { #expect(Self.flows.count == 15) }

  @Test("a client that says what the recorded ones said hears what they heard", arguments: flows)
  func replay(path: String) async throws {
    let transcript = try Transcript(contentsOf: path)
    let server = try ReplayServer(transcript)
    for connection in transcript.connections { await play(connection, server) }
    #expect(server.deviations.isEmpty)
    #expect(server.isFinished)
  }

  /// Plays the client's part of one connection and compares what comes.
  private func play(_ connection: Transcript.Connection, _ server: ReplayServer) async {
    let recorder = SocketRecorder()
    let path = connection.url.drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" }
    let socket = CurlSocketFactory().open(
      SocketRequest(
        url: server.origin + path, subprotocols: connection.subprotocol.map { [$0] } ?? []),
      events: recorder)
    guard connection.isOpened else {
      #expect(await recorder.waitForClose()?.error?.code == .httpStatus)
      return
    }
    await recorder.waitForOpen()
    var received = 0
    for step in connection.steps {
      switch step {
      case .send(.text(let utf8)): socket.send(text: utf8)
      case .send(.binary(let bytes)): socket.send(binary: bytes)
      case .receive(let frame):
        received += 1
        let count = received
        await recorder.wait { $0.receivedCount >= count }
        #expect(recorder.messages.dropFirst(count - 1).first == frame.message)
      case .clientClose(let code, let reason): socket.close(code: code, reason: reason)
      case .close(let code, let reason):
        let isOurs = connection.steps.contains { if case .clientClose = $0 { true } else { false } }
        let close = await recorder.waitForClose()
        if !isOurs { #expect(close?.code == code && close?.reason == reason) }
      }
    }
    socket.close(code: 1000, reason: "")
    _ = await recorder.waitForClose()
    #expect(recorder.receivedCount == received)
  }

  @Test("the live client's IDs stand where the recorded ones stood")
  func substitution() async throws {
    let transcript = try Transcript(contentsOf: try #require(Self.flows.first))
    let server = try ReplayServer(transcript)
    let recorder = SocketRecorder()
    let socket = CurlSocketFactory().open(
      SocketRequest(
        url: server.origin + "/sync/v52/connect?clientID=mine&clientGroupID=ours&wsid=attempt",
        subprotocols: ["e30%3D"]), events: recorder)
    await recorder.wait { $0.receivedCount >= 3 }
    let texts = recorder.messages.prefix(3).map { message in
      switch message {
      case .text(let bytes), .binary(let bytes): String(decoding: bytes, as: UTF8.self)
      }
    }
    #expect(texts[0].contains(#""wsid":"attempt""#))
    #expect(texts[2].contains(#""desiredQueriesPatches":{"mine":"#))
    socket.close(code: 1000, reason: "")
  }
}

extension Transcript.Frame {
  fileprivate var message: SocketMessage {
    switch self {
    case .text(let utf8): .text(utf8)
    case .binary(let bytes): .binary(bytes)
    }
  }
}
