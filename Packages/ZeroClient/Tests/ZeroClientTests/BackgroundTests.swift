import Testing
import ZeroClient
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

/// The client as apps run it: on the system's clock, with storage in the background.
@MainActor @Suite("In the background") struct BackgroundTests {
  private func client(_ storage: any StoreProvider) throws -> Zero<Session> {
    var options = ZeroOptions(storage: storage)
    options.logSink = nil
    return try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), mutators: Mutators.all,
      options: options)
  }

  @Test("a mutation is stored in the background and found by the next client")
  func storesAndReopens() async throws {
    let storage = MemoryStoreProvider()
    let first = try client(storage)
    let mutation = first.mutate(Mutators.create(Rename(id: "1", title: "one")))
    try await mutation.persisted.value
    #expect(try await mutation.client.value.isSuccess)
    try await first.close().value
    let second = try client(storage)
    let group = try await second.clientGroupID.value
    #expect(try await first.clientGroupID.value == group)
    #expect(try second.runNow(Queries.all()).map(\.title) == ["one"])
    try await second.close().value
  }

  @Test("views opened before the store is there show its rows when it is")
  func viewsWaitForStore() async throws {
    let storage = MemoryStoreProvider()
    let first = try client(storage)
    try await first.mutate(Mutators.create(Rename(id: "1", title: "one"))).persisted.value
    try await first.close().value
    let second = try client(storage)
    let view = try second.materialize(Queries.all())
    #expect(view.data.isEmpty)
    _ = try await second.clientGroupID.value
    #expect(view.data.map(\.title) == ["one"])
    try await second.close().value
  }

  @Test("a client that is dropped without closing makes way for the next one")
  func droppedClient() async throws {
    let storage = MemoryStoreProvider()
    for _ in 0..<3 {
      var dropped: Zero<Session>? = try client(storage)
      dropped?.mutate(Mutators.create(Rename(id: "1", title: "one")))
      dropped = nil
    }
    let last = try client(storage)
    _ = try await last.clientGroupID.value
    #expect(!last.diagnostics().isStoreInMemory)
    try await last.close().value
  }

  @Test("delete removes every database of the user")
  func deletes() async throws {
    let storage = MemoryStoreProvider()
    let first = try client(storage)
    try await first.mutate(Mutators.create(Rename(id: "1", title: "one"))).persisted.value
    let report = try await first.delete().value
    #expect(report.deleted == [first.databaseName])
    #expect(report.errors.isEmpty)
    #expect(try !storage.list().contains(first.databaseName))
  }

  @Test("flush waits for the store, and for the server's word if asked to")
  func flush() async throws {
    let zero = try client(MemoryStoreProvider())
    zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    try await zero.pending.flush(until: .stored).value
    #expect(zero.diagnostics().unwrittenChanges == 0)
    #expect(zero.pending.flush(until: .confirmed).result == nil)
    try await zero.close().value
  }
}
