import Testing
import ZeroContracts
import ZeroProtocol

@_spi(Engine) @testable import ZeroClient

/// What states, logs and diagnostics tell, and what they must not.
@MainActor @Suite("Secrecy") struct SecrecyTests {
  @MainActor private final class Recorder: LogSink {
    private(set) var text = ""
    func log(_ record: LogRecord) { text += "\(record)\n" }
  }

  @Test("a message that was too big is named, but nothing of its arguments or the token is told")
  func tooBig() throws {
    let recorder = Recorder()
    let client = try TestClient(options: {
      $0.logSink = recorder
      $0.logLevel = .debug
      $0.queryHeaders = ["x-key": "SECRET-header"]
      $0.maxHeaderLength = 10
      $0.onClientStateNotFound = {}
    })
    _ = client.zero.connection.connect(auth: "SECRET-token")
    let view = try client.zero.materialize(Queries.titled("SECRET-title"))
    client.connect()
    client.scheduler.advance(by: .seconds(1))
    client.zero.mutate(Mutators.create(Rename(id: "SECRET-id", title: "SECRET-text")))
    _ = client.zero.connection.connect(auth: "SECRET-token-2")
    client.socket.finish(SocketClose(code: 1009, reason: "message too big", wasClean: true))
    let diagnostics = client.zero.diagnostics()
    let reason = try #require(diagnostics.connectionReason)
    #expect(reason.contains("push of issue.create 1 of \(client.zero.clientID)"))
    #expect(reason.contains("issue.titled"))
    #expect(reason.contains("updateAuth"))
    #expect(!"\(diagnostics)".contains("SECRET"))
    #expect(!"\(client.zero.connection.state)".contains("SECRET"))
    // What the server says when it closes is in the log, for whoever runs it.
    #expect(recorder.text.contains("message too big"))
    #expect(!recorder.text.contains("SECRET"))
    #expect(view.data.isEmpty)
  }

  @Test("a result of no known form is described by its members")
  func strangeResult() throws {
    let recorder = Recorder()
    let client = try TestClient(options: { $0.logSink = recorder })
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.poke(
      #""lastMutationIDChanges":{"\#(client.zero.clientID)":1},"mutationsPatch":[{"op":"put","#
        + #""mutation":{"id":{"clientID":"\#(client.zero.clientID)","id":1},"#
        + #""result":{"error":"odd","odd":"SECRET"}}}]"#)
    #expect(client.zero.connection.state.name == .error)
    #expect(!"\(client.zero.diagnostics())".contains("SECRET"))
    #expect(!recorder.text.contains("SECRET"))
  }
}
