import Testing
import ZeroContracts
import ZeroProtocol

@_spi(Engine) @testable import ZeroClient

/// When the server does not know a client any more.
@MainActor @Suite("Clients that the server does not know") struct ReplacementTests {
  private static let notFound =
    #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#

  @Test("new clients come at once, then after 0.5 s and twice as long each time, up to a minute")
  func delays() throws {
    let client = try TestClient()
    let sockets = { client.sockets.sockets.count }
    for seconds in [0, 0.5, 1, 2, 4, 8, 16, 32, 60, 60] {
      client.connect()
      let count = sockets()
      client.receive(Self.notFound)
      if seconds > 0 {
        client.scheduler.advance(by: .seconds(seconds) - .milliseconds(1))
        #expect(sockets() == count, "\(seconds)")
      }
      client.scheduler.advance(by: seconds > 0 ? .milliseconds(1) : .zero)
      #expect(sockets() == count + 1, "\(seconds)")
    }
    // After two minutes the last one is forgotten.
    client.connect()
    for _ in 0..<31 {
      client.scheduler.advance(by: .seconds(4))
      client.receive(#"["pull",{"cookie":"1","requestID":"r","lastMutationIDChanges":{}}]"#)
    }
    let count = sockets()
    client.receive(Self.notFound)
    client.scheduler.advance(by: .zero)
    #expect(sockets() == count + 1)
    client.connect()
    client.receive(Self.notFound)
    client.scheduler.advance(by: .milliseconds(500))
    #expect(sockets() == count + 2)
  }

  @Test("a client that the app keeps sends nothing more, and says so")
  func keptClient() throws {
    let client = try TestClient { $0.onClientStateNotFound = {} }
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    _ = client.pushed()
    client.receive(Self.notFound)
    client.zero.connection.connect()
    client.connect()
    #expect(client.zero.connection.state == .connected)
    #expect(client.pushed().isEmpty)
    guard case .blocked = client.zero.pending.activity else {
      Issue.record("it is \(client.zero.pending.activity)")
      return
    }
  }

  @Test("the list of refused mutations stays while a new client opens the store")
  func refusedWhileOpening() throws {
    let executor = HeldStorageExecutor()
    let client = try TestClient(executor: executor)
    executor.runAll()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.receive(Self.notFound)
    for _ in 0..<10 {
      #expect(client.zero.refusedMutations.mutations.map(\.name) == ["issue.create"])
      client.scheduler.advance(by: .milliseconds(1))
      executor.runOne()
    }
    executor.runAll()
    client.connect()
    #expect(client.zero.connection.state == .connected)
    #expect(client.zero.refusedMutations.mutations.map(\.name) == ["issue.create"])
  }

  @Test("a flush counts a mutation as confirmed whose mutator failed on the server")
  func flushOfRefused() throws {
    let client = try TestClient()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    let flush = client.zero.flush(until: .confirmed)
    let me = client.zero.clientID
    let refused =
      #""mutationsPatch":[{"op":"put","mutation":{"id":{"clientID":"\#(me)","id":1},"#
      + #""result":{"error":"app","message":"no"}}}]"#
    client.poke(#""lastMutationIDChanges":{"\#(me)":1},\#(refused)"#)
    #expect(client.zero.refusedMutations.mutations.count == 1)
    #expect(flush.result == nil)
    client.poke(#""lastMutationIDChanges":{"\#(me)":2}"#)
    #expect(throws: Never.self) { try flush.result?.get() }
    #expect(flush.result != nil)
  }
}
