import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// What apps do that is odd but allowed.
@MainActor @Suite("Odd uses") struct OddUseTests {
  /// The message that makes a new client take over.
  private static let notFound =
    #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#

  /// A client whose storage works when the test says so.
  private func makeZero(
    _ storage: MemoryStoreProvider, _ executor: any StorageExecutor, loop: EventLoop? = nil,
    storageKey: String = "", scheduler: ManualScheduler = ManualScheduler()
  ) throws -> Zero<Session> {
    var environment = EngineEnvironment(
      storage: storage, sockets: InMemorySocketFactory(),
      scheduler: scheduler, inline: true)
    environment.executor = executor
    if let loop { environment.loop = loop }
    var options = ZeroOptions(storage: storage)
    options.storageKey = storageKey
    options.logSink = nil
    return try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), mutators: Mutators.all,
      options: options, environment: environment)
  }

  @Test("what waits for a query of a closed client fails")
  func queriesAfterClose() async throws {
    let client = try TestClient()
    client.zero.close()
    let run = client.zero.run(Queries.all(), until: .complete)
    let preload = try client.zero.preload(Queries.all())
    let live = try client.zero.liveQuery(Queries.all())
    #expect(throws: QueryError.self) { try run.result?.get() }
    #expect(run.result != nil)
    #expect(preload.complete.result != nil)
    await #expect(throws: ZeroError.self) { try await live.settled(.complete) }
  }

  @Test("a client that is closed and released before its storage is open still ends")
  func closedAndReleased() throws {
    let executor = HeldStorageExecutor()
    let storage = MemoryStoreProvider()
    var zero: Zero<Session>? = try makeZero(storage, executor)
    let group = zero?.clientGroupID
    let flush = zero?.pending.flush(until: .stored)
    let deleted = zero?.delete()
    let closed = zero?.close()
    zero = nil
    executor.runAll()
    #expect(closed?.result != nil)
    #expect(flush?.result != nil)
    #expect(deleted?.result != nil)
    #expect(group?.result != nil)
  }

  @Test("what waits for a client without a connection ends when the client is released")
  func releasedWhileDisconnected() throws {
    let executor = HeldStorageExecutor()
    var zero: Zero<Session>? = try makeZero(MemoryStoreProvider(), executor)
    executor.runAll()
    let mutation = zero?.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let run = zero?.run(Queries.all(), until: .complete)
    let flush = zero?.pending.flush(until: .confirmed)
    zero = nil
    executor.runAll()
    #expect(mutation?.server.result != nil)
    #expect(mutation?.persisted.result != nil)
    #expect(run?.result != nil)
    #expect(flush?.result != nil)
  }

  @Test("a client that is closed while it waits for another to close says so to all who wait")
  func closedWhileWaiting() throws {
    let executor = HeldStorageExecutor()
    let storage = MemoryStoreProvider()
    let loop = EventLoop()
    let first = try makeZero(storage, executor, loop: loop)
    executor.runAll()
    first.close()
    let second = try makeZero(storage, executor, loop: loop)
    let closed = second.close()
    executor.runAll()
    #expect(closed.result != nil)
    #expect(second.clientGroupID.result != nil)
  }

  @Test("a mutation that is called after the store was dropped has outcomes and is on the list")
  func mutateAfterDrop() throws {
    let client = try TestClient(options: {
      $0.offlineWrites = .queue(limit: 10)
      $0.onClientStateNotFound = {}
    })
    client.connect()
    client.receive(
      #"["error",{"kind":"InvalidConnectionRequestBaseCookie","message":"no","#
        + #""origin":"zeroCache"}]"#)
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(mutation.client.result != nil)
    #expect(mutation.persisted.result != nil)
    #expect(client.zero.refusedMutations.mutations.map(\.name) == ["issue.create"])
  }

  @Test("waiting for the server's word includes mutations that have not run yet")
  func flushIncludesQueued() throws {
    let executor = HeldStorageExecutor()
    let zero = try makeZero(MemoryStoreProvider(), executor)
    zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let flush = zero.pending.flush(until: .confirmed)
    executor.runAll()
    #expect(zero.pending.count == 1)
    #expect(flush.result == nil)

    let client = try TestClient()
    let view = try client.zero.materialize(Queries.all())
    var inListener: Deferred<Void>?
    view.addListener { snapshot in
      guard snapshot.data.count == 1, inListener == nil else { return }
      client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
      inListener = client.zero.pending.flush(until: .confirmed)
    }
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.connect()
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":1}"#)
    #expect(inListener != nil)
    #expect(inListener?.result == nil)
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":2}"#)
    #expect(inListener?.result != nil)
  }

  @Test("the stream of refused mutations tells of each once, also when a new client takes over")
  func refusedStream() async throws {
    let client = try TestClient()
    client.connect()
    let stream = client.zero.refusedMutations.stream
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    for title in ["first", "second"] {
      client.receive(Self.notFound)
      client.scheduler.advance(by: .seconds(2))
      client.connect()
      client.zero.mutate(Mutators.create(Rename(id: title, title: title)))
    }
    client.receive(Self.notFound)
    #expect(client.zero.refusedMutations.mutations.count == 3)
    var names: [String] = []
    var iterator = stream.makeAsyncIterator()
    for _ in 0..<3 {
      guard case .object(let args)? = await iterator.next()?.args,
        case .string(let id)? = args["id"]
      else { continue }
      names.append(id)
    }
    #expect(names == ["1", "first", "second"])
  }

  @Test("the states of the connection go on when a new client takes over, without an end")
  func statesGoOn() async throws {
    let client = try TestClient()
    client.connect()
    var states: [ConnectionState.Name] = []
    client.zero.connection.addListener { states.append($0.name) }
    let stream = client.zero.connection.states
    client.receive(Self.notFound)
    client.scheduler.advance(by: .milliseconds(1))
    client.connect()
    #expect(!states.contains(.closed))
    #expect(states.last == .connected)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == .connected)
    #expect(!client.zero.isClosed)
  }

  @Test("a mutator that closes the client while it is replayed is no failure of storage")
  func closeInMutator() throws {
    for reason in [MutationReason.optimistic, .rebase] {
      let box = ClosingBox()
      let mutator = defineMutator("issue.closing") { (tx, id: String, _: Session) in
        try tx.mutate.issue.insert(Ticket(id: id, title: "predicted"))
        if tx.reason == reason { box.call() }
      }
      let client = try TestClient(mutators: [mutator])
      box.action = { client.zero.close() }
      client.connect()
      let view = try client.zero.materialize(Queries.all())
      let call = client.zero.mutate(mutator("m"))
      client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
      #expect(client.zero.isClosed, "\(reason)")
      #expect(client.storageFailures.isEmpty, "\(reason): \(client.storageFailures)")
      #expect(call.client.outcome?.isSuccess == true)
      #expect(call.server.outcome != nil)
      #expect(throws: Never.self) { try call.persisted.result?.get() }
      #expect(client.scheduler.armedCount == 0)
      box.action = {}
      try client.open(mutators: [mutator])
      #expect(client.zero.pending.count == 1)
      view.destroy()
    }
  }

  @Test("a closed client takes every call and reports no failure of storage")
  func callsAfterClose() throws {
    let client = try TestClient(options: { $0.onClientStateNotFound = {} })
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.receive(Self.notFound)
    let view = try client.zero.materialize(Queries.all())
    let preload = try client.zero.preload(Queries.all())
    client.zero.close()
    client.zero.refusedMutations.acknowledgeAll()
    view.ttl = .forever
    view.destroy()
    preload.cancel()
    _ = client.zero.connection.connect(auth: "x")
    client.zero.connection.networkChanged()
    client.zero.connection.networkBecameAvailable()
    _ = client.zero.pending.flush(until: .stored)
    _ = client.zero.diagnostics()
    #expect(client.zero.close().result != nil)
    #expect(client.zero.delete().result != nil)
    client.scheduler.advance(by: .seconds(100_000))
    #expect(client.storageFailures.isEmpty)
    #expect(client.scheduler.armedCount == 0)
  }

  @Test("a client opens its store when every client of it has closed, and not before")
  func twoClosing() throws {
    let storage = MemoryStoreProvider()
    let loop = EventLoop()
    let (slow, quick) = (HeldStorageExecutor(), HeldStorageExecutor())
    let first = try makeZero(storage, slow, loop: loop)
    slow.runAll()
    let second = try makeZero(storage, quick, loop: loop)
    quick.runAll()
    #expect(second.diagnostics().isStoreInMemory)
    first.close()
    second.close()
    quick.runAll()
    let third = try makeZero(storage, quick, loop: loop)
    quick.runAll()
    slow.runAll()
    quick.runAll()
    #expect(!third.diagnostics().isStoreInMemory)
    #expect(third.clientGroupID.result != nil)
  }

  @Test("a client that opens a database which is just looked at for collection waits for it")
  func openDuringCollection() throws {
    let storage = MemoryStoreProvider()
    let loop = EventLoop()
    let (looking, opening) = (HeldStorageExecutor(), HeldStorageExecutor())
    let scheduler = ManualScheduler(wallStart: 1_700_000_000_000)
    let other = try makeZero(storage, opening, loop: loop)
    opening.runAll()
    other.close()
    opening.runAll()
    let first = try makeZero(
      storage, looking, loop: loop, storageKey: "first", scheduler: scheduler)
    looking.runAll()
    scheduler.advance(by: .seconds(301))
    // A sign of life is written, then the list of databases is read.
    for _ in 0..<2 { looking.runOne() }
    let second = try makeZero(storage, opening, loop: loop)
    opening.runAll()
    #expect(second.clientGroupID.result == nil)
    looking.runAll()
    opening.runAll()
    #expect(second.clientGroupID.result != nil)
    #expect(!second.diagnostics().isStoreInMemory)
    first.close()
    looking.runAll()
  }

  @Test("a client that is made while another deletes its databases waits until they are gone")
  func openDuringDeletion() throws {
    let storage = MemoryStoreProvider()
    let loop = EventLoop()
    let (deleting, opening) = (HeldStorageExecutor(), HeldStorageExecutor())
    let first = try makeZero(storage, deleting, loop: loop)
    deleting.runAll()
    first.mutate(Mutators.create(Rename(id: "1", title: "one")))
    deleting.runAll()
    let deletion = first.delete()
    // The store is closed, but the databases are still there.
    deleting.runOne()
    let second = try makeZero(storage, opening, loop: loop)
    opening.runAll()
    #expect(deletion.result == nil)
    #expect(second.clientGroupID.result == nil)
    deleting.runAll()
    opening.runAll()
    #expect(try deletion.result?.get().deleted.count == 1)
    #expect(try deletion.result?.get().errors.isEmpty == true)
    #expect(second.clientGroupID.result != nil)
    #expect(second.pending.count == 0)
    #expect(!second.diagnostics().isStoreInMemory)
  }

  @Test("a client that is closed while the server makes it drop its database ends after that")
  func closeDuringDrop() throws {
    let storage = MemoryStoreProvider()
    let loop = EventLoop()
    let (dropping, opening) = (HeldStorageExecutor(), HeldStorageExecutor())
    let sockets = InMemorySocketFactory()
    var environment = EngineEnvironment(
      storage: storage, sockets: sockets, scheduler: ManualScheduler(), inline: true)
    environment.loop = loop
    environment.executor = dropping
    let first = try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), mutators: Mutators.all,
      options: ZeroOptions(
        cacheURL: "https://zero.example", storage: storage, transport: sockets),
      environment: environment)
    dropping.runAll()
    sockets.latest?.accept()
    sockets.latest?.receive(
      text: #"["error",{"kind":"InvalidConnectionRequestBaseCookie","message":"no","#
        + #""origin":"zeroCache"}]"#)
    first.close()
    let second = try makeZero(storage, opening, loop: loop)
    opening.runAll()
    #expect(second.clientGroupID.result == nil)
    dropping.runAll()
    opening.runAll()
    #expect(second.clientGroupID.result != nil)
    #expect(!second.diagnostics().isStoreInMemory)
  }

  @Test("what the server refused for its rate is sent again without another mutation")
  func rateLimited() throws {
    let client = try TestClient()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(client.pushed().map(\.id) == [1])
    for _ in 0..<2 {
      client.receive(
        #"["error",{"kind":"MutationRateLimited","message":"slowly","origin":"zeroCache"}]"#)
    }
    #expect(client.pushed().isEmpty)
    for _ in 0..<3 {
      client.scheduler.advance(by: .seconds(4))
      client.receive(#"["pokeStart",{"pokeID":"x","baseCookie":null}]"#)
      client.receive(#"["pokeEnd",{"pokeID":"x","cookie":"","cancel":true}]"#)
    }
    #expect(client.pushed().map(\.id) == [1])
    for _ in 0..<2 {
      client.receive(
        #"["error",{"kind":"MutationRateLimited","message":"slowly","origin":"zeroCache"}]"#)
    }
    client.zero.close()
    #expect(client.scheduler.armedCount == 0)
  }

  @Test("a view's error is that of the rows shown now, also before they are read")
  func errorBeforeData() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.byID("1"))
    let row = #"{"op":"put","tableName":"issues","value":{"id":"1","title":7,"votes":0}}"#
    client.poke(#""rowsPatch":[\#(row)]"#)
    #expect(view.error != nil)
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    #expect(view.error == nil)
    #expect(view.data?.title == "one")
  }

  @Test("a mutation whose result comes twice is refused once")
  func resultTwice() throws {
    let client = try TestClient()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let me = client.zero.clientID
    let result =
      #"{"op":"put","mutation":{"id":{"clientID":"\#(me)","id":1},"#
      + #""result":{"error":"app","message":"no"}}}"#
    client.poke(
      #""lastMutationIDChanges":{"\#(me)":1},"mutationsPatch":[\#(result),\#(result)]"#)
    #expect(client.zero.refusedMutations.mutations.count == 1)
  }

  @Test("a query is released when the ID of a failed mutator is used again and confirmed")
  func releaseAfterFailure() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.zero.mutate(Mutators.vote(Vote(id: "nobody", by: 1)))
    view.destroy()
    #expect(client.zero.diagnostics().queries.count == 1)
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":1}"#)
    #expect(client.zero.diagnostics().queries.count == 1)
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":2}"#)
    #expect(client.zero.diagnostics().queries.isEmpty)
  }

  @Test("a view that cannot follow the rows still hears the server's word")
  func detachedViewHears() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    var types: [ResultType] = []
    view.addListener { types.append($0.resultType) }
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.poke(
      #""rowsPatch":[{"op":"put","tableName":"issues","value":{"id":"2","title":7,"votes":0}}]"#)
    _ = client.zero.connection.connect()
    client.connect()
    let hash = try #require(client.zero.diagnostics().queries.first?.hash)
    client.poke(#""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}]"#)
    #expect(view.resultType == .complete)
    #expect(types.last == .complete)
  }

  @Test("closing in the callback about storage leaves no timer behind")
  func closeInStorageFailure() throws {
    let faults = StoreFaults()
    faults.plan(.open, .permission, times: nil)
    let executor = HeldStorageExecutor()
    let scheduler = ManualScheduler()
    var environment = EngineEnvironment(
      storage: FaultyStoreProvider(MemoryStoreProvider(), faults: faults),
      sockets: InMemorySocketFactory(), scheduler: scheduler, inline: true)
    environment.executor = executor
    let box = ClosingBox()
    var options = ZeroOptions()
    options.logSink = nil
    var failures = 0
    options.onStorageFailure = { _ in box.call() }
    let zero = try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), mutators: Mutators.all,
      options: options, environment: environment)
    box.action = {
      failures += 1
      zero.close()
    }
    let mutation = zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    executor.runAll()
    #expect(failures == 1)
    #expect(zero.close().result != nil)
    #expect(mutation.client.result != nil)
    #expect(mutation.persisted.result != nil)
    #expect(scheduler.armedCount == 0)
  }
}

/// Something to do from a closure that has to be sendable.
@MainActor final class ClosingBox {
  var action: @MainActor () -> Void = {}

  nonisolated init() {}
  func call() { action() }
}
