import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroClient

/// How long queries are in use, in odd cases.
@MainActor @Suite("Uses of queries") struct QueryUseTests {
  @Test("a preload that is cancelled twice was one use of its query")
  func cancelTwice() throws {
    let client = try TestClient()
    let view = try client.zero.materialize(Queries.all())
    let preload = try client.zero.preload(Queries.all())
    #expect(client.zero.diagnostics().queries.map(\.users) == [2])
    preload.cancel()
    preload.cancel()
    #expect(client.zero.diagnostics().queries.map(\.users) == [1])
    view.destroy()
    view.destroy()
    #expect(client.zero.diagnostics().queries.isEmpty)
  }

  @Test("without a server nobody confirms a mutation, so that queries do not wait for it")
  func releaseWithoutServer() throws {
    let zero = try TestClient { $0.transport = nil }.zero
    let view = try zero.materialize(Queries.all())
    zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    view.destroy()
    #expect(zero.diagnostics().queries.isEmpty)
  }

  @Test("a view that cannot be opened is no use of its query")
  func unopenedView() throws {
    let client = try TestClient()
    client.connect()
    client.poke(
      #""rowsPatch":[\#(TestClient.put("1", "one")),"#
        + #"{"op":"put","tableName":"issues","value":{"id":"2","title":7,"votes":0}}]"#)
    #expect(throws: ZeroError.self) { try client.zero.materialize(Queries.all()) }
    #expect(client.zero.diagnostics().queries.isEmpty)
    #expect(client.zero.diagnostics().liveViewCount == 0)
  }

  @Test("what has ended does not move to the client that takes over")
  func endedUses() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let preload = try client.zero.preload(Queries.titled("x"))
    view.destroy()
    preload.cancel()
    client.receive(
      #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    client.connect()
    #expect(client.zero.connection.state == .connected)
    #expect(client.zero.diagnostics().queries.isEmpty)
    #expect(client.zero.diagnostics().liveViewCount == 0)
  }

  @Test("a client keeps a preload until it is cancelled, and no longer")
  func cancelledPreload() throws {
    let client = try TestClient()
    var preload: Preload? = try client.zero.preload(Queries.all())
    weak let kept = preload
    preload = nil
    #expect(kept != nil)
    kept?.cancel()
    #expect(kept == nil)
  }

  @Test("uses of queries after the end arm no timer")
  func timersAfterClose() throws {
    let client = try TestClient()
    client.zero.close()
    let view = try client.zero.materialize(Queries.all())
    view.ttl = .minutes(9)
    view.destroy()
    #expect(client.scheduler.armedCount == 0)
  }
}
