import Testing
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@MainActor @Suite("The public API") struct ZeroTests {
  @Test("a view has its rows at once and follows the server")
  func viewFollowsServer() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    var titles: [[String]] = []
    view.addListener { titles.append($0.data.map(\.title)) }
    client.poke(#""rowsPatch":[\#(TestClient.put("2", "b")),\#(TestClient.put("1", "a"))]"#)
    #expect(titles == [[], ["a", "b"]])
    #expect(view.resultType == .unknown)
  }

  @Test("a view is complete when the server has delivered its query")
  func viewCompletes() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let hash = try #require(client.zero.diagnostics().queries.first?.hash)
    client.poke(#""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}]"#)
    #expect(view.resultType == .complete)
    #expect(client.zero.diagnostics().queries.first?.isComplete == true)
  }

  @Test("a mutation shows before mutate returns and is pushed when connected")
  func mutationShowsAtOnce() throws {
    let client = try TestClient()
    let view = try client.zero.materialize(Queries.all())
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(view.data.map(\.owner) == ["ann"])
    #expect(mutation.client.outcome?.isSuccess == true)
    #expect(mutation.server.outcome == nil)
    client.connect()
    #expect(client.pushed().map(\.name) == ["issue.create"])
  }

  @Test("a mutator reads its own writes and those of earlier mutations")
  func mutatorReadsWrites() throws {
    let client = try TestClient()
    let view = try client.zero.materialize(Queries.byID("1"))
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.zero.mutate(Mutators.vote(Vote(id: "1", by: 2)))
    client.zero.mutate(Mutators.vote(Vote(id: "1", by: 3)))
    #expect(view.data?.votes == 5)
  }

  @Test("predictions are replayed over what the server sends")
  func rebase() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.byID("1"))
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one", votes: 10))]"#)
    client.zero.mutate(Mutators.vote(Vote(id: "1", by: 1)))
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one", votes: 20))]"#)
    #expect(view.data?.votes == 21)
  }

  @Test("an error of a mutator is both outcomes and leaves nothing behind")
  func mutatorFails() throws {
    let client = try TestClient()
    let mutation = client.zero.mutate(Mutators.vote(Vote(id: "9", by: 1)))
    for outcome in [mutation.client.outcome, mutation.server.outcome] {
      guard case .applicationError(let error)? = outcome else {
        Issue.record("expected an application error")
        continue
      }
      #expect(error.message == "no issue 9")
      #expect(error.details == .string("9"))
    }
    #expect(client.zero.pending.count == 0)
  }

  @Test("refused arguments make the query throw")
  func validation() throws {
    let client = try TestClient()
    let error = #expect(throws: ZeroError.self) {
      try client.zero.materialize(Queries.titled(""))
    }
    guard case .inputValidation(let refusal)? = error else {
      Issue.record("expected a refusal of the arguments, not \(String(describing: error))")
      return
    }
    #expect(refusal.subject == "query issue.titled")
  }

  @Test("the last reference to a view ends the use of its query")
  func releaseEndsView() throws {
    let client = try TestClient()
    var view: MaterializedView<[Ticket]>? = try client.zero.materialize(Queries.all())
    #expect(client.zero.diagnostics().queries.count == 1)
    _ = view
    view = nil
    #expect(client.zero.diagnostics().queries.isEmpty)
  }

  @Test("a view can be destroyed and a mutation called inside a listener")
  func listenersCallBack() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    view.addListener { [weak view] snapshot in
      if snapshot.data.count == 1 {
        client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
        view?.destroy()
      }
    }
    let other = try client.zero.materialize(Queries.all())
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(view.data.count == 1)
    #expect(other.data.count == 2)
    #expect(client.pushed().map(\.id) == [1, 2])
  }

  @Test("snapshots tell what changed since the one read before")
  func snapshots() async throws {
    let client = try TestClient()
    let view = try client.zero.materialize(Queries.all())
    var iterator = view.snapshots.makeAsyncIterator()
    let first = await iterator.next()
    #expect(first?.changes == nil)
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    let second = await iterator.next()
    #expect(second?.data.count == 2)
    #expect(second?.changes?.changes.count == 2)
    view.destroy()
    let end = await iterator.next()
    #expect(end == nil)
  }

  @Test("rows that did not change are not decoded again and keep their order")
  func incrementalDecoding() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let rows = (0..<50).map { TestClient.put("\($0)", "title \(100 + $0)") }
    client.poke(#""rowsPatch":[\#(rows.joined(separator: ","))]"#)
    #expect(view.data.count == 50)
    client.zero.mutate(Mutators.rename(Rename(id: "7", title: "zzz")))
    client.zero.mutate(Mutators.rename(Rename(id: "9", title: "aaa")))
    client.zero.mutate(Mutators.create(Rename(id: "x", title: "title 110a")))
    let data = view.data
    #expect(data.map(\.title) == data.map(\.title).sorted())
    #expect(data.first?.id == "9")
    #expect(data.last?.id == "7")
    #expect(data.count == 51)
  }

  @Test("run waits for the server, or takes what is here")
  func run() throws {
    let client = try TestClient()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(try client.zero.runNow(Queries.all()).count == 1)
    let local = client.zero.run(Queries.all())
    #expect(try local.result?.get().count == 1)
    let complete = client.zero.run(Queries.all(), until: .complete)
    #expect(complete.result == nil)
    let hash = try #require(client.zero.diagnostics().queries.first?.hash)
    client.poke(#""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}]"#)
    #expect(try complete.result?.get().count == 1)
  }

  @Test("run fails with the error of the query, and when the client closes")
  func runFails() throws {
    let client = try TestClient()
    client.connect()
    let refused = client.zero.run(Queries.all(), until: .complete)
    let hash = try #require(client.zero.diagnostics().queries.first?.hash)
    client.receive(
      #"["transformError",[{"error":"app","id":"\#(hash)","name":"issue.all","message":"no"}]]"#)
    #expect(throws: QueryError.self) { try refused.result?.get() }
    let closed = client.zero.run(Queries.byID("1"), until: .complete)
    client.zero.close()
    #expect(throws: QueryError.self) { try closed.result?.get() }
  }

  @Test("a cached run is content with what was confirmed before a restart")
  func cachedRun() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let hash = try #require(client.zero.diagnostics().queries.first?.hash)
    client.poke(
      #""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}],"rowsPatch":[\#(TestClient.put("1", "a"))]"#
    )
    view.destroy()
    client.zero.close()
    try client.open()
    #expect(try client.zero.run(Queries.all(), until: .cached).result?.get().count == 1)
  }

  @Test("two mutators of one name are refused")
  func duplicateMutators() {
    let error = #expect(throws: ZeroError.self) {
      try TestClient(mutators: [Mutators.create, Mutators.create])
    }
    #expect(error?.message.contains("two mutators are named \"issue.create\"") == true)
  }

  @Test("a live query shows the error of the server and asks again")
  func liveQueryRetries() throws {
    let client = try TestClient()
    client.connect()
    let live = try client.zero.liveQuery(Queries.all())
    client.scheduler.advance(by: .milliseconds(10))
    let hash = try #require(client.zero.diagnostics().queries.first?.hash)
    client.receive(
      #"["transformError",[{"error":"app","id":"\#(hash)","name":"issue.all","message":"no"}]]"#)
    #expect(live.resultType == .error)
    _ = client.socket.takeSent()
    try live.retry()
    #expect(live.resultType == .unknown)
    client.scheduler.advance(by: .milliseconds(10))
    #expect(client.socket.sentTexts.last?.contains("changeDesiredQueries") == true)
  }

  @Test("diagnostics hold no token")
  func diagnosticsHoldNoToken() throws {
    let client = try TestClient()
    _ = client.zero.connection.connect(auth: "secret-token")
    #expect(!"\(client.zero.diagnostics())".contains("secret-token"))
  }
}

@MainActor @Suite("First pokes of many rows") struct BulkPokeTests {
  @Test("a first poke of many rows shows as one change and leaves the views live")
  func bulk() throws {
    let client = try TestClient()
    client.connect()
    let all = try client.zero.materialize(Queries.all())
    let one = try client.zero.materialize(Queries.byID("1500"))
    let none = try client.zero.materialize(Queries.byID("nothing"))
    var calls = [0, 0, 0]
    all.addListener { _ in calls[0] += 1 }
    one.addListener { _ in calls[1] += 1 }
    none.addListener { _ in calls[2] += 1 }
    let rows = (0..<3000).map { TestClient.put("\($0)", "t\($0)") }
    client.poke(#""rowsPatch":[\#(rows.joined(separator: ","))]"#)
    #expect(calls == [2, 2, 1])
    #expect(all.data.count == 3000)
    client.poke(#""rowsPatch":[\#(TestClient.put("1500", "changed"))]"#)
    #expect(one.data?.title == "changed")
    #expect(calls == [3, 3, 1])
    client.zero.mutate(Mutators.create(Rename(id: "new", title: "new")))
    #expect(all.data.count == 3001)
  }
}
