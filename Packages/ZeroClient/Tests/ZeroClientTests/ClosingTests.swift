import Observation
import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// What becomes of what waits when a client ends: by a call, by its last reference, or by the server.
@MainActor @Suite("The end of a client") struct ClosingTests {
  private let storage = MemoryStoreProvider()
  private let executor = HeldStorageExecutor()
  /// Clients of one process share their turns.
  private let loop = EventLoop()

  /// A client whose storage works when the test says so.
  private func makeZero(_ storageKey: String) throws -> Zero<Session> {
    var environment = EngineEnvironment(
      storage: storage, sockets: InMemorySocketFactory(),
      scheduler: ManualScheduler(wallStart: 1_700_000_000_000), inline: true)
    environment.executor = executor
    environment.loop = loop
    var options = ZeroOptions(storage: storage)
    options.logSink = nil
    options.storageKey = storageKey
    return try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), mutators: Mutators.all,
      options: options, environment: environment)
  }

  @Test("a client released before its storage is open does not keep the next one waiting")
  func releasedBeforeOpen() throws {
    var first: Zero<Session>? = try makeZero("released")
    _ = first
    first = nil
    let second = try makeZero("released")
    executor.runAll()
    #expect(try second.clientGroupID.result?.get() != nil)
    #expect(!second.diagnostics().isStoreInMemory)
    second.close()
    executor.runAll()
  }

  @Test("what waits for storage settles when the client is closed before it is open")
  func closedBeforeOpen() throws {
    let zero = try makeZero("closed")
    let mutation = zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let flush = zero.pending.flush(until: .stored)
    let closed = zero.close()
    executor.runAll()
    #expect(closed.result != nil)
    #expect(mutation.client.outcome?.isSuccess == false)
    #expect(mutation.server.outcome?.isSuccess == false)
    #expect(throws: (any Error).self) { try mutation.persisted.result?.get() }
    #expect(flush.result != nil)
  }

  @Test("mutations called in the turn in which the client is closed are stored")
  func closedAfterMutations() throws {
    let client = try TestClient()
    let view = try client.zero.materialize(Queries.all())
    var calls: [Mutation] = []
    view.addListener { snapshot in
      guard snapshot.data.count == 1, calls.isEmpty else { return }
      for id in ["2", "3", "4"] {
        calls.append(client.zero.mutate(Mutators.create(Rename(id: id, title: id))))
      }
      client.zero.close()
    }
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "1")))
    #expect(calls.count == 3)
    for call in calls {
      #expect(throws: Never.self) { try call.persisted.result?.get() }
    }
    #expect(client.storageFailures.isEmpty)
    try client.open()
    #expect(client.zero.pending.count == 4)
  }

  @Test("what waits for the server goes on waiting when a new client takes over")
  func replacementKeepsWaiting() throws {
    let client = try TestClient()
    client.connect()
    let live = try client.zero.liveQuery(Queries.all())
    let view = try client.zero.materialize(Queries.byID("1"))
    let preload = try client.zero.preload(Queries.titled("x"))
    var types: [ResultType] = []
    view.addListener { types.append($0.resultType) }
    client.receive(
      #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(!types.contains(.error))
    #expect(live.error == nil)
    #expect(preload.complete.result == nil)
    client.connect()
    let puts = client.zero.diagnostics().queries.map { #"{"op":"put","hash":"\#($0.hash)"}"# }
    #expect(puts.count == 3)
    client.receive(#"["pokeStart",{"pokeID":"n","baseCookie":null}]"#)
    client.receive(
      #"["pokePart",{"pokeID":"n","gotQueriesPatch":[\#(puts.joined(separator: ","))]}]"#)
    client.receive(#"["pokeEnd",{"pokeID":"n","cookie":"z1"}]"#)
    client.scheduler.advance(by: .zero)
    #expect(live.resultType == .complete)
    #expect(types.last == .complete)
    #expect(throws: Never.self) { try preload.complete.result?.get() }
    #expect(preload.complete.result != nil)
    preload.cancel()
  }

  @Test("a run that waits for the server waits on when a new client takes over")
  func replacementKeepsRunning() throws {
    let client = try TestClient()
    client.connect()
    let answered = client.zero.run(Queries.all(), until: .complete)
    let refused = client.zero.run(Queries.titled("x"), until: .complete)
    let closed = client.zero.run(Queries.byID("1"), until: .complete)
    client.receive(
      #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    client.connect()
    for run in [answered.result.map { _ in }, refused.result.map { _ in }] { #expect(run == nil) }
    let hashes = client.zero.diagnostics().queries.map(\.hash)
    #expect(hashes.count == 3)
    client.receive(
      #"["transformError",[{"error":"app","id":"\#(hashes[1])","name":"issue.titled"}]]"#)
    client.poke(
      #""gotQueriesPatch":[{"op":"put","hash":"\#(hashes[0])"}],"#
        + #""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    #expect(try answered.result?.get().map(\.id) == ["1"])
    #expect(throws: QueryError.self) { try refused.result?.get() }
    #expect(client.zero.diagnostics().queries.count == 1)
    #expect(closed.result == nil)
    client.zero.close()
    #expect(throws: QueryError.self) { try closed.result?.get() }
    #expect(closed.result != nil)
  }

  @Test("the client that takes over has the token and the time for pings that were set last")
  func replacementKeepsSettings() throws {
    let client = try TestClient()
    client.connect()
    client.zero.connection.connect(auth: "new")
    client.zero.pingTimeout = .seconds(17)
    client.receive(
      #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    let header = client.socket.request.subprotocols[0]
    #expect(try SocketProtocolToken(header: header).authToken == "new")
    #expect(client.zero.pingTimeout == .seconds(17))
  }

  @Test("mutations refused with the store's state are kept when the store is dropped")
  func refusedSurviveTheStore() throws {
    let client = try TestClient()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.receive(
      #"["error",{"kind":"InvalidConnectionRequestBaseCookie","message":"no","#
        + #""origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(client.zero.refusedMutations.mutations.map(\.reason) == [.storageReset])
    #expect(client.zero.pending.count == 0)
    client.zero.close()
    try client.open()
    #expect(client.zero.refusedMutations.mutations.map(\.name) == ["issue.create"])
    #expect(client.zero.pending.count == 0)
  }

  @Test("a mutation made between the reset of the store and the next client is on its list")
  func mutationBetweenClients() throws {
    let client = try TestClient(options: { $0.offlineWrites = .queue(limit: 10) })
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.receive(Self.refusedCookie)
    let late = client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    #expect(late.persisted.result != nil)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(
      client.zero.refusedMutations.mutations.map(\.reason) == [.storageReset, .storageReset])
    client.zero.refusedMutations.acknowledge(1)
    client.zero.close()
    try client.open()
    #expect(client.zero.refusedMutations.mutations.map(\.id) == [2])
    #expect(client.zero.diagnostics().cookie == nil)
    #expect(client.zero.pending.count == 0)
  }

  @Test("wherever the store fails while it is reset, no mutation is lost")
  func storeFailsDuringReset() throws {
    for operation in [StoreFaults.Operation.commit, .open] {
      for count in 0..<6 {
        let memory = MemoryStoreProvider()
        let faults = StoreFaults()
        let client = try TestClient(storage: FaultyStoreProvider(memory, faults: faults))
        client.connect()
        client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
        client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
        faults.plan(operation, .full, after: count, times: nil)
        client.receive(Self.refusedCookie)
        client.scheduler.advance(by: .milliseconds(1))
        client.zero.close()
        faults.clear()
        try client.open()
        let found =
          client.zero.pending.count + client.zero.refusedMutations.mutations.count
        #expect(found == 1, "\(operation) fails after \(count)")
        client.zero.close()
      }
    }
  }

  @Test("what a client does after its database was reset does not go into the new one")
  func nothingOfOldClient() throws {
    let client = try TestClient(options: { $0.onClientStateNotFound = {} })
    client.connect()
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.receive(Self.refusedCookie)
    _ = client.zero.connection.connect()
    client.connect()
    client.poke(#""rowsPatch":[\#(TestClient.put("2", "two"))]"#)
    client.scheduler.advance(by: .seconds(61))
    client.zero.close()
    try client.open()
    #expect(client.zero.diagnostics().cookie == nil)
    #expect(try client.zero.runNow(Queries.all()).isEmpty)
  }

  private static let refusedCookie =
    #"["error",{"kind":"InvalidConnectionRequestBaseCookie","message":"no","#
    + #""origin":"zeroCache"}]"#

  @Test(
    "a mutation is on the list of refused ones once, however often the server refuses the client")
  func refusedOnce() throws {
    let client = try TestClient(options: { $0.onClientStateNotFound = {} })
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    for _ in 0..<2 {
      client.receive(
        #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
      #expect(client.zero.refusedMutations.mutations.count == 1)
      _ = client.zero.connection.connect()
      client.connect()
    }
  }

  @Test("a mutation that is made when the server does not know the client is refused, not lost")
  func nothingIsLostInDeadClients() throws {
    let client = try TestClient(options: {
      $0.offlineWrites = .queue(limit: 10)
      $0.onClientStateNotFound = {}
    })
    client.connect()
    client.receive(
      #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(mutation.client.outcome?.isSuccess == true)
    #expect(client.zero.refusedMutations.mutations.map(\.name) == ["issue.create"])
    client.zero.close()
    try client.open()
    #expect(client.zero.refusedMutations.mutations.map(\.name) == ["issue.create"])
  }

  @Test("waiting for the server's word ends with an error when there will be none")
  func flushFails() throws {
    for isClosing in [true, false] {
      let client = try TestClient()
      client.connect()
      client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
      let flush = client.zero.pending.flush(until: .confirmed)
      #expect(flush.result == nil)
      if isClosing {
        client.zero.close()
      } else {
        client.receive(
          #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
        client.scheduler.advance(by: .milliseconds(1))
      }
      let result = try #require(flush.result, "closing: \(isClosing)")
      #expect(throws: ZeroError.self, "closing: \(isClosing)") { try result.get() }
    }
  }

  @Test("a preload that is not cancelled lives as long as its client")
  func preloadIsReleased() throws {
    weak var released: Preload?
    do {
      let zero = try makeZero("preload")
      let preload = try zero.preload(Queries.all())
      released = preload
      #expect(released != nil)
    }
    executor.runAll()
    #expect(released == nil)
  }

  @Test("a thousand refused mutations are acknowledged together")
  func manyAcknowledged() throws {
    let client = try TestClient(options: { $0.offlineWrites = .queue(limit: 2_000) })
    for id in 0..<1_000 {
      client.zero.mutate(Mutators.create(Rename(id: "\(id)", title: "t")))
    }
    client.connect()
    client.receive(
      #"["error",{"kind":"ClientNotFound","message":"who?","origin":"zeroCache"}]"#)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(client.zero.refusedMutations.mutations.count == 1_000)
    let counter = ChangeCounter(client.zero.refusedMutations)
    client.zero.refusedMutations.acknowledgeAll()
    #expect(client.zero.refusedMutations.mutations.isEmpty)
    #expect(counter.count == 1)
    client.zero.close()
    try client.open()
    #expect(client.zero.refusedMutations.mutations.isEmpty)
  }

  @Test("a token never gets into an error's message")
  func tokenStaysOut() throws {
    let client = try TestClient()
    client.connect()
    _ = client.zero.connection.connect(auth: "secret-token")
    client.socket.finish(SocketClose(code: 1009, wasClean: true))
    #expect(!"\(client.zero.connection.state)".contains("secret-token"))
    #expect(!"\(client.zero.diagnostics())".contains("secret-token"))
  }
}

/// Counts the changes of the list of refused mutations.
@MainActor private final class ChangeCounter {
  private(set) var count = 0
  private let list: RefusedMutationList

  init(_ list: RefusedMutationList) {
    self.list = list
    observe()
  }

  private func observe() {
    withObservationTracking {
      _ = list.mutations
    } onChange: { [weak self] in
      MainActor.assumeIsolated {
        self?.count += 1
        self?.rearm()
      }
    }
  }

  private func rearm() { observe() }
}
