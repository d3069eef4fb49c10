import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// What this client does otherwise than the reference, on purpose.
@MainActor @Suite("Departures from the reference") struct DepartureTests {
  @Test("a mutator that fails when it is replayed loses its prediction and nothing else")
  func mutatorFailsOnRebase() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let failing = client.zero.mutate(Mutators.failsLater("2"))
    client.zero.mutate(Mutators.create(Rename(id: "3", title: "three")))
    #expect(view.data.count == 3)
    client.poke(#""rowsPatch":[\#(TestClient.put("9", "nine"))]"#)
    #expect(view.data.map(\.id).sorted() == ["1", "3", "9"])
    #expect(client.zero.connection.state == .connected)
    #expect(failing.server.outcome == nil)
    #expect(
      client.zero.diagnostics().pending.map { $0.failedPrediction != nil } == [
        false, true, false,
      ])
    #expect(client.pushed().map(\.id) == [1, 2, 3])
  }

  @Test("what is pending survives a restart, is shown again and pushed under its own client")
  func pendingSurvives() throws {
    let client = try TestClient()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let first = client.zero.clientID
    client.zero.close()
    try client.open()
    let view = try client.zero.materialize(Queries.all())
    #expect(view.data.map(\.id) == ["1"])
    #expect(client.zero.diagnostics().pending.map(\.clientID) == [first])
    client.connect()
    #expect(client.pushed().map(\.name) == ["issue.create"])
  }

  @Test("a change is stored at once, without a pause")
  func storedAtOnce() throws {
    let client = try TestClient()
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(mutation.persisted.result != nil)
    #expect(client.zero.diagnostics().unwrittenChanges == 0)
  }

  @Test("a client with other mutators joins the group and pushes what it has no mutator for")
  func otherMutators() throws {
    let client = try TestClient()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.zero.mutate(Mutators.notify("x"))
    let group = try client.zero.clientGroupID.result?.get()
    client.zero.close()
    try client.open(mutators: [Mutators.notify])
    #expect(try client.zero.clientGroupID.result?.get() == group)
    let view = try client.zero.materialize(Queries.all())
    #expect(view.data.isEmpty)
    client.connect()
    #expect(client.pushed().map(\.name) == ["issue.create", "issue.notify"])
  }

  @Test("a second client on one store works in memory and says who holds the store")
  func secondClient() throws {
    let client = try TestClient()
    let first = client.zero
    try client.open()
    #expect(client.storageFailures.map(\.code) == [.lockedInProcess])
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(try client.zero.runNow(Queries.all()).count == 1)
    #expect(client.zero.diagnostics().isStoreInMemory)
    _ = first
  }

  @Test("a query without a name is local, whatever the legacy switches of the schema say")
  func legacySwitches() throws {
    let schema = ZeroSchema(
      tables: [Ticket.table, Comment.table], enableLegacyQueries: true, enableLegacyMutators: true)
    var options = EngineOptions(schema: schema)
    options.serverURL = "https://zero.example"
    let sockets = InMemorySocketFactory()
    let scheduler = ManualScheduler(wallStart: 0)
    let engine = try ClientEngine(
      options,
      EngineEnvironment(
        storage: MemoryStoreProvider(), sockets: sockets, scheduler: scheduler, inline: true))
    let query = try AnyQuery(schema, table: "issue")
    let view = try engine.materialize(query.ast, query.format, nil)
    let run = try engine.runComplete(query.ast, query.format, nil)
    let socket = try #require(sockets.latest)
    #expect(!socket.request.subprotocols.isEmpty)
    let token = try SocketProtocolToken(header: socket.request.subprotocols[0])
    socket.accept()
    socket.receive(text: #"["connected",{"wsid":"w"}]"#)
    scheduler.advance(by: .seconds(1))
    #expect(socket.takeSent().isEmpty)
    guard case .array(let message)? = token.initConnectionMessage,
      case .object(let body)? = message.last
    else {
      Testing.Issue.record("no first message")
      return
    }
    #expect(body["desiredQueriesPatch"] == .array([]))
    #expect(view.resultType == .unknown)
    #expect(run.result == nil)
    _ = engine.close()
    #expect(run.result == nil)
  }

  @Test("the limit of offline writes counts what has yet to run, and nothing while connected")
  func offlineLimit() throws {
    let executor = HeldStorageExecutor()
    let client = try TestClient(executor: executor) { $0.offlineWrites = .queue(limit: 2) }
    let create = { (id: String) in
      client.zero.mutate(Mutators.create(Rename(id: id, title: id))).client
    }
    let early = ["a", "b", "c"].map(create)
    executor.runAll()
    #expect(early.map { $0.outcome?.isSuccess } == [true, true, false])
    client.connect()
    #expect(["d", "e"].map(create).allSatisfy { $0.outcome?.isSuccess == true })
    #expect(client.zero.pending.count == 4)
  }

  @Test("queued offline writes are accepted while disconnected and sent in order on return")
  func offlineQueue() throws {
    let client = try TestClient { $0.offlineWrites = .queue(limit: 3) }
    client.connect()
    client.socket.finish(SocketClose(code: 1006, wasClean: false))
    client.scheduler.advance(by: .seconds(120))
    guard case .disconnected = client.zero.connection.state else {
      Testing.Issue.record("expected to be disconnected")
      return
    }
    let ids = ["a", "b", "c"]
    let calls = ids.map { client.zero.mutate(Mutators.create(Rename(id: $0, title: $0))) }
    #expect(calls.allSatisfy { $0.client.outcome?.isSuccess == true && $0.server.outcome == nil })
    guard
      case .zeroError(let error)? =
        client.zero.mutate(Mutators.create(Rename(id: "d", title: "d"))).client.outcome
    else {
      Testing.Issue.record("the fourth mutation is over the limit")
      return
    }
    #expect(error.message.contains("3 mutations wait"))
    #expect(client.zero.pending.count == 3)
    client.scheduler.advance(by: .seconds(15))
    client.connect()
    #expect(client.pushed().map(\.id) == [1, 2, 3])
    #expect(client.zero.pending.activity == .sending)
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":3}"#)
    #expect(client.zero.pending.activity == .idle)
    #expect(calls.allSatisfy { $0.server.outcome?.isSuccess == true })
  }

  @Test("a mutation that the server refuses is kept over restarts until it is acknowledged")
  func refusedIsKept() throws {
    let client = try TestClient()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let id = client.zero.clientID
    client.poke(
      #""lastMutationIDChanges":{"\#(id)":1},"mutationsPatch":[{"op":"put","mutation":"#
        + #"{"id":{"id":1,"clientID":"\#(id)"},"#
        + #""result":{"error":"app","message":"denied","details":{"code":7}}}}]"#)
    #expect(client.zero.refusedMutations.mutations.map(\.error.message) == ["denied"])
    client.zero.close()
    try client.open()
    let kept = try #require(client.zero.refusedMutations.mutations.first)
    #expect(kept.name == "issue.create")
    #expect(kept.args == .object(["id": .string("1"), "title": .string("one")]))
    client.zero.refusedMutations.acknowledge(kept.id)
    #expect(client.zero.refusedMutations.mutations.isEmpty)
    client.zero.close()
    try client.open()
    #expect(client.zero.refusedMutations.mutations.isEmpty)
  }

  @Test("when the server does not know the client, a new one takes over with its views")
  func replacement() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let live = try client.zero.liveQuery(Queries.byID("1"))
    let preload = try client.zero.preload(Queries.titled("x"))
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    let first = client.zero.clientID
    client.receive(
      #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(client.zero.clientID != first)
    #expect(client.zero.connection.state == .connecting(reason: nil))
    #expect(view.data.isEmpty)
    #expect(client.zero.refusedMutations.mutations.map(\.reason) == [.clientNotFound])
    client.connect()
    #expect(client.zero.diagnostics().queries.count == 3)
    #expect(client.pushed().isEmpty)
    client.receive(#"["pokeStart",{"pokeID":"n","baseCookie":null}]"#)
    client.receive(#"["pokePart",{"pokeID":"n","rowsPatch":[\#(TestClient.put("1", "new"))]}]"#)
    client.receive(#"["pokeEnd",{"pokeID":"n","cookie":"z1"}]"#)
    client.scheduler.advance(by: .zero)
    #expect(view.data.map(\.title) == ["new"])
    #expect(live.data?.title == "new")
    preload.cancel()
  }

  @Test("a mutation beyond the server's limit for messages fails and is not queued")
  func tooLarge() throws {
    let client = try TestClient()
    let text = String(repeating: "x", count: 11 << 20)
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "1", title: text)))
    guard case .zeroError(let error)? = mutation.server.outcome else {
      Testing.Issue.record("expected an error")
      return
    }
    #expect(error.message.contains("limit"))
    #expect(client.zero.pending.count == 0)
  }
}
