import Observation
import Synchronization
import Testing
import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// Live queries: who shares a view, how long it stays, and what they show.
@MainActor @Suite("Live queries") struct LiveQueryTests {
  private func hash(_ client: TestClient) throws -> String {
    try #require(client.zero.diagnostics().queries.first?.hash)
  }

  @Test("without a request there are no rows, and the server is asked for nothing")
  func noRequest() async throws {
    let client = try TestClient()
    client.connect()
    _ = client.socket.takeSent()
    let all: QueryRequest<[Ticket], Session>? = nil
    let one: QueryRequest<Ticket?, Session>? = nil
    let live = try client.zero.liveQuery(all)
    let single = try client.zero.liveQuery(one)
    client.scheduler.advance(by: .seconds(1))
    #expect(live.data.isEmpty)
    #expect(single.data == nil)
    #expect(live.resultType == .unknown)
    #expect(live.error == nil)
    #expect(client.zero.diagnostics().queries.isEmpty)
    #expect(client.zero.diagnostics().liveViewCount == 0)
    #expect(client.socket.takeSent().isEmpty)
    try live.retry()
    #expect(try await live.settled(.complete).isEmpty)
  }

  @Test("the rows that are here are there at once, and every change is observed")
  func observes() throws {
    let client = try TestClient()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let live = try client.zero.liveQuery(Queries.all())
    #expect(live.data.map(\.id) == ["1"])
    let changes = Mutex(0)
    withObservationTracking {
      _ = live.data
    } onChange: {
      changes.withLock { $0 += 1 }
    }
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    #expect(changes.withLock { $0 } == 1)
    #expect(live.data.map(\.id) == ["1", "2"])
  }

  @Test("users that ask for the same share one view; others do not")
  func shares() throws {
    let client = try TestClient()
    let first = try client.zero.liveQuery(Queries.byID("1"))
    let second = try client.zero.liveQuery(Queries.byID("1"))
    let other = try client.zero.liveQuery(Queries.byID("2"))
    let renamed = defineQuery("issue.one") { (id: String, _: Session) in
      zql.issue.where(\.id, id).related(\.comments).one()
    }
    let named = try client.zero.liveQuery(renamed("1"))
    let local = try client.zero.liveQuery(
      zql.issue.where(\.id, "1").related(\.comments).one())
    #expect(first === second)
    #expect(first !== other)
    #expect(first !== named)
    #expect(first !== local)
    #expect(client.zero.diagnostics().liveViewCount == 4)
    #expect(client.zero.diagnostics().queries.map(\.users) == [1, 1, 1])
  }

  @Test("conditions in another order are the same query")
  func sharesNormalized() throws {
    let client = try TestClient()
    let a = try client.zero.liveQuery(zql.issue.where { $0.votes > 1 && $0.title == "t" })
    let b = try client.zero.liveQuery(zql.issue.where { $0.title == "t" && $0.votes > 1 })
    let c = try client.zero.liveQuery(zql.issue.where { $0.title == "t" || $0.votes > 1 })
    #expect(a === b)
    #expect(a !== c)
  }

  @Test("two clients share nothing")
  func clientsApart() throws {
    let (a, b) = (try TestClient(), try TestClient())
    let live = try a.zero.liveQuery(Queries.all())
    #expect(try b.zero.liveQuery(Queries.all()) !== live)
  }

  @Test("a view stays 10 ms after its last user, so that the next one finds it")
  func remount() throws {
    let client = try TestClient()
    client.connect()
    var live: LiveQuery<[Ticket]>? = try client.zero.liveQuery(Queries.all())
    client.scheduler.advance(by: .milliseconds(10))
    client.poke(
      #""gotQueriesPatch":[{"op":"put","hash":"\#(try hash(client))"}],"#
        + #""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    #expect(live?.resultType == .complete)
    _ = client.socket.takeSent()
    live = nil
    client.scheduler.advance(by: .milliseconds(9))
    #expect(client.zero.diagnostics().liveViewCount == 1)
    live = try client.zero.liveQuery(Queries.all())
    #expect(live?.resultType == .complete)
    #expect(live?.data.map(\.id) == ["1"])
    client.scheduler.advance(by: .milliseconds(30))
    #expect(client.zero.diagnostics().liveViewCount == 1)
    client.poke(#""rowsPatch":[\#(TestClient.put("2", "two"))]"#)
    #expect(live?.data.map(\.id) == ["1", "2"])
    #expect(!client.socket.sentTexts.contains { $0.contains("changeDesiredQueries") })
  }

  @Test("a view that is used again stays for another 10 ms, with the longer time to live")
  func remountTwice() throws {
    let client = try TestClient()
    var live: LiveQuery<[Ticket]>? = try client.zero.liveQuery(Queries.all(), ttl: .minutes(1))
    live = nil
    client.scheduler.advance(by: .milliseconds(5))
    live = try client.zero.liveQuery(Queries.all(), ttl: .minutes(2))
    #expect(live?.ttl.parsed == 120_000)
    #expect(client.zero.diagnostics().queries.map(\.ttl) == [120_000])
    client.scheduler.advance(by: .milliseconds(3))
    live = nil
    client.scheduler.advance(by: .milliseconds(9))
    #expect(client.zero.diagnostics().liveViewCount == 1)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(client.zero.diagnostics().liveViewCount == 0)
  }

  @Test("10 ms after the last user the view is destroyed and the query ends")
  func leaves() throws {
    let client = try TestClient()
    var first: LiveQuery<[Ticket]>? = try client.zero.liveQuery(Queries.all())
    var second: LiveQuery<[Ticket]>? = try client.zero.liveQuery(Queries.all())
    first = nil
    client.scheduler.advance(by: .milliseconds(30))
    #expect(client.zero.diagnostics().liveViewCount == 1)
    _ = (first, second)
    second = nil
    client.scheduler.advance(by: .milliseconds(10))
    #expect(client.zero.diagnostics().liveViewCount == 0)
    #expect(client.zero.diagnostics().queries.isEmpty)
  }

  @Test("a longer time to live counts for all users, a shorter one for none")
  func timeToLive() throws {
    let client = try TestClient()
    let live = try client.zero.liveQuery(Queries.all(), ttl: .minutes(1))
    let ttl = { client.zero.diagnostics().queries.map(\.ttl) }
    #expect(ttl() == [60_000])
    let same = try client.zero.liveQuery(Queries.all(), ttl: .minutes(2))
    #expect(same === live)
    #expect(ttl() == [120_000])
    live.ttl = .seconds(1)
    #expect(ttl() == [120_000])
    #expect(live.ttl.parsed == 120_000)
    live.ttl = .minutes(3)
    #expect(ttl() == [180_000])
  }

  @Test("a retry asks again for all users")
  func retries() throws {
    let client = try TestClient()
    client.connect()
    let (first, second) = (
      try client.zero.liveQuery(Queries.all()), try client.zero.liveQuery(Queries.all())
    )
    client.scheduler.advance(by: .milliseconds(10))
    let hash = try hash(client)
    client.receive(
      #"["transformError",[{"error":"app","id":"\#(hash)","name":"issue.all","message":"no"}]]"#)
    #expect((second.error as? QueryError)?.message == "no")
    _ = client.socket.takeSent()
    try first.retry()
    #expect(second.error == nil)
    #expect(second.resultType == .unknown)
    client.scheduler.advance(by: .milliseconds(10))
    #expect(client.socket.sentTexts.last?.contains("changeDesiredQueries") == true)
    client.poke(#""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}]"#)
    #expect(second.resultType == .complete)
  }

  @Test("waiting ends with rows, with the server's word, or with its refusal")
  func settles() async throws {
    let client = try TestClient()
    client.connect()
    let live = try client.zero.liveQuery(Queries.all())
    let partial = Task { @MainActor in try await live.settled(.partial).map(\.id) }
    let complete = Task { @MainActor in try await live.settled(.complete).map(\.id) }
    await Task.yield()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(try await partial.value == ["1"])
    client.poke(#""gotQueriesPatch":[{"op":"put","hash":"\#(try hash(client))"}]"#)
    #expect(try await complete.value.contains("1"))
    let refused = try client.zero.liveQuery(Queries.titled("x"))
    client.zero.close()
    await #expect(throws: QueryError.self) { try await refused.settled(.complete) }
  }

  @Test("a live query does not keep its client, and outlives it")
  func outlivesClient() throws {
    var options = ZeroOptions(cacheURL: "https://zero.example", transport: EmptyTransport())
    options.logSink = nil
    var zero: Zero<Session>? = try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), options: options)
    weak let released = zero
    let live = try #require(try zero?.liveQuery(Queries.all()))
    zero = nil
    #expect(released == nil)
    #expect(live.data.isEmpty)
    #expect(throws: ZeroError.self) { try live.retry() }
  }

  @Test("what a view was kept for ends with the client")
  func closes() throws {
    let client = try TestClient()
    var live: LiveQuery<[Ticket]>? = try client.zero.liveQuery(Queries.all())
    _ = live
    live = nil
    client.zero.close()
    #expect(client.zero.diagnostics().liveViewCount == 0)
    live = try client.zero.liveQuery(Queries.all())
    live = nil
    #expect(client.zero.diagnostics().liveViewCount == 0)
  }

  @Test("live queries move to the client that takes over, also those that nobody uses just then")
  func moves() throws {
    let client = try TestClient()
    client.connect()
    let live = try client.zero.liveQuery(Queries.all())
    client.receive(
      #"["error",{"kind":"ClientNotFound","message":"gone","origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(live.data.map(\.id) == ["1"])
    #expect(try client.zero.liveQuery(Queries.all()) === live)
  }
}

/// A transport whose sockets never open.
private struct EmptyTransport: SocketFactory {
  func open(_ request: SocketRequest, events: any SocketEvents) -> any SocketConnection { Socket() }

  private final class Socket: SocketConnection {
    var bufferedBytes: Int { 0 }
    func send(text utf8: [UInt8]) {}
    func send(binary bytes: [UInt8]) {}
    func close(code: UInt16?, reason: String) {}
  }
}
