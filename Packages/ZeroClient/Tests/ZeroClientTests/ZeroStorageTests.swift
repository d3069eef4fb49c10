import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// Deleting databases without a client.
@MainActor @Suite("Storage without a client") struct ZeroStorageTests {
  private let provider = MemoryStoreProvider()
  private let loop = EventLoop()

  private var storage: ZeroStorage {
    ZeroStorage(provider, loop: loop, executor: InlineStorageExecutor(loop: loop))
  }

  /// A client of some user, with a mutation that waits.
  private func client(_ storageKey: String) throws -> TestClient {
    let client = try TestClient(storage: provider) { $0.storageKey = storageKey }
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    return client
  }

  @Test("a database is deleted with what waits in it, and made anew by the next client")
  func drops() throws {
    let client = try client("a")
    let name = client.zero.databaseName
    client.zero.close()
    #expect(try storage.databaseNames().result?.get() == [name])
    let dropped = storage.drop(named: name)
    #expect(throws: Never.self) { try dropped.result?.get() }
    #expect(dropped.result != nil)
    #expect(try storage.databaseNames().result?.get() == [])
    try client.open { $0.storageKey = "a" }
    #expect(client.zero.pendingMutationCount == 0)
  }

  @Test("a database that a client has open stays, and the error says so")
  func open() throws {
    let client = try client("a")
    let result = storage.drop(named: client.zero.databaseName).result
    let error = #expect(throws: ZeroError.self) { try result?.get() }
    guard case .storage(let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause.code == .lockedInProcess)
    #expect(client.zero.pendingMutationCount == 1)
    client.zero.close()
    #expect(storage.drop(named: client.zero.databaseName).result != nil)
    #expect(try storage.databaseNames().result?.get() == [])
  }

  @Test("one that does not exist is fine, and nothing is made for it")
  func missing() throws {
    #expect(throws: Never.self) { try storage.drop(named: "rep:nobody").result?.get() }
    #expect(try provider.list().isEmpty)
  }

  @Test("all are deleted but those that are open, which are reported")
  func dropsAll() throws {
    let (a, b, c) = (try client("a"), try client("b"), try client("c"))
    a.zero.close()
    c.zero.close()
    let report = try #require(try storage.dropAll().result?.get())
    #expect(report.deleted == [a, c].map(\.zero.databaseName).sorted())
    #expect(report.errors.map(\.database) == [b.zero.databaseName])
    #expect(report.errors.first?.error.code == .lockedInProcess)
    #expect(try storage.databaseNames().result?.get() == [b.zero.databaseName])
    b.zero.close()
    #expect(try storage.dropAll().result?.get().deleted == [b.zero.databaseName])
    #expect(try Catalog(provider: provider).entries().isEmpty)
  }

  @Test("a client that is closing is waited for")
  func closing() throws {
    let executor = HeldStorageExecutor()
    var environment = EngineEnvironment(
      storage: provider, sockets: InMemorySocketFactory(), scheduler: ManualScheduler(),
      inline: true)
    environment.loop = loop
    environment.executor = executor
    var options = ZeroOptions(storage: provider)
    options.logSink = nil
    let zero = try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), options: options,
      environment: environment)
    executor.runAll()
    zero.close()
    let dropped = storage.drop(named: zero.databaseName)
    #expect(dropped.result == nil)
    executor.runAll()
    #expect(throws: Never.self) { try dropped.result?.get() }
    #expect(dropped.result != nil)
    #expect(try storage.databaseNames().result?.get() == [])
  }
}
