import Foundation
import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// What is kept, what is reported and what is collected in the store.
@MainActor @Suite("Rules of storage") struct StorageRuleTests {
  private static let collection: Duration = .seconds(301)
  private static let dayAndAnHour = 25 * 3_600_000.0

  /// Calls `body` with the database of a closed client.
  private func withStore<Result>(
    _ client: TestClient, _ body: (any StoreTransaction) throws -> Result
  ) throws -> Result {
    let store = try client.storage.open(client.zero.databaseName, tables: DatabaseTable.names)
    defer { store.close() }
    return try store.write(body)
  }

  private func keys(_ client: TestClient, _ table: DatabaseTable) throws -> [String] {
    try withStore(client) { transaction in
      var keys: [String] = []
      try transaction.scan(table.table) { key, _ in
        keys.append(key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        return true
      }
      return keys
    }
  }

  @Test("mutations that wait in another database are reported at open, and sent from there later")
  func unsent() throws {
    let client = try TestClient()
    let first = client.zero.databaseName
    for id in ["1", "2"] { client.zero.mutate(Mutators.create(Rename(id: id, title: id))) }
    client.zero.close()
    var reports: [[UnsentMutations]] = []
    let change: (inout ZeroOptions) -> Void = {
      $0.mutateURL = URL(string: "https://api.example/mutate")
      $0.onUnsentMutations = { reports.append($0) }
    }
    try client.open(options: change)
    #expect(client.zero.databaseName != first)
    let expected = UnsentMutations(
      databaseName: first, schemaVersion: client.zero.schemaVersion, count: 2)
    #expect(reports == [[expected]])
    #expect(client.zero.diagnostics().unsent == [expected])
    #expect(client.zero.pending.count == 0)
    client.zero.close()
    try client.open { $0.onUnsentMutations = { reports.append($0) } }
    #expect(reports.count == 1)
    client.connect()
    #expect(client.pushed().map(\.id) == [1, 2])
    client.zero.close()
  }

  @Test(
    "what is stored without a record of this client tells the app, once for what comes together")
  func storingWithoutRecord() throws {
    var calls = 0
    let client = try TestClient { $0.onClientStateNotFound = { calls += 1 } }
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.scheduler.advance(by: .seconds(2))
    #expect(calls == 0)
    client.receive(#"["deleteClients",{"clientIDs":["\#(client.zero.clientID)"]}]"#)
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    client.poke(#""rowsPatch":[\#(TestClient.put("3", "three"))]"#)
    client.scheduler.advance(by: .milliseconds(999))
    #expect(calls == 0)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(calls == 1)
    client.poke(#""rowsPatch":[\#(TestClient.put("4", "four"))]"#)
    client.scheduler.advance(by: .seconds(1))
    #expect(calls == 2)
    #expect(client.zero.connection.state == .connected)
  }

  @Test("a database goes 48 hours after its last client's last sign of life, and not before")
  func collectionAge() throws {
    for (isGone, missing) in [(true, Duration.zero), (false, .milliseconds(1))] {
      let client = try TestClient()
      let first = client.zero.databaseName
      let clientID = client.zero.clientID
      client.zero.close()
      try withStore(client) {
        try $0.put(
          DatabaseTable.deleted.table, DeletedClient(group: "g", client: "earlier").key, [])
      }
      try collect(client, missing)
      #expect(try client.storage.list().contains(first) != isGone)
      // What the server has yet to hear of the clients that are gone is kept.
      let deleted = try keys(client, .deleted)
      #expect(deleted.contains("g/earlier") == isGone)
      #expect(deleted.contains { $0.hasSuffix("/\(clientID)") } == isGone)
    }
  }

  @Test("a database in which mutations wait stays, however old it is")
  func collectionOfPending() throws {
    let client = try TestClient()
    let first = client.zero.databaseName
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.zero.close()
    client.scheduler.advance(by: .seconds(1_000_000))
    try collect(client, .zero)
    try client.open()
    #expect(client.zero.databaseName == first)
    #expect(client.zero.pending.count == 1)
  }

  @Test(
    "a database with refused mutations that the app has not acknowledged stays, however old it is")
  func collectionOfRefused() throws {
    let client = try TestClient()
    let first = client.zero.databaseName
    client.zero.close()
    try withStore(client) { try $0.put(DatabaseTable.refused.table, StorageKey.integer(1), [9]) }
    client.scheduler.advance(by: .seconds(1_000_000))
    try collect(client, .zero)
    #expect(try client.storage.list().contains(first))
  }

  @Test("what was refused under an earlier schema moves to the client of the new one, once")
  func refusedUnderEarlierSchema() throws {
    let client = try TestClient()
    client.zero.close()
    let own = try #require(Catalog.Entry(name: client.zero.databaseName))
    let name = client.zero.databaseName.replacingOccurrences(of: own.schemaVersion, with: "old")
    let catalog = Catalog(provider: client.storage)
    _ = try catalog.register(#require(Catalog.Entry(name: name)), newProfileID: "p")
    let refused = (1...3).map { number in
      RefusedRecord(
        sequence: UInt64(number), clientID: "earlier", id: number, name: "m", args: .null,
        timestamp: 0, kind: "app", message: "denied \(number)", details: nil)
    }
    let store = try client.storage.open(name, tables: DatabaseTable.names)
    try store.write { transaction in
      for record in refused {
        try transaction.put(
          DatabaseTable.refused.table, StorageKey.integer(record.sequence), record.stored)
      }
      // It came over, and the process ended before it was deleted here.
      try transaction.put(DatabaseTable.refused.table, StorageKey.integer(4), refused[0].stored)
    }
    store.close()
    for _ in 0..<2 {
      try client.open()
      let messages = client.zero.refusedMutations.mutations.map(\.error.message)
      #expect(messages == ["denied 1", "denied 2", "denied 3"])
      client.zero.close()
      let old = try client.storage.open(name, tables: DatabaseTable.names)
      let rest = try old.read { try $0.isEmpty(DatabaseTable.refused) }
      #expect(rest)
      old.close()
    }
  }

  /// Has a client of another database look for old ones when it is 48 hours later, but for `missing`.
  private func collect(_ client: TestClient, _ missing: Duration) throws {
    client.scheduler.advance(by: .seconds(48 * 3600 - 300) - missing)
    try client.open { $0.storageKey = "other" }
    client.scheduler.advance(by: .seconds(300))
    client.zero.close()
  }

  @Test("databases in which nothing waits are not reported")
  func nothingUnsent() throws {
    let client = try TestClient()
    client.zero.close()
    try client.open {
      $0.storageKey = "other"
      $0.onUnsentMutations = { Issue.record("nothing waits, but \($0) is reported") }
    }
    #expect(client.zero.diagnostics().unsent.isEmpty)
  }

  @Test("looking for unsent mutations leaves a database alone that another client has open")
  func openElsewhere() throws {
    let client = try TestClient()
    let first = client.zero
    first.mutate(Mutators.create(Rename(id: "1", title: "one")))
    try client.open { $0.storageKey = "other" }
    #expect(client.zero.diagnostics().unsent.isEmpty)
    #expect(client.storageFailures.isEmpty)
    let mutation = first.mutate(Mutators.create(Rename(id: "2", title: "two")))
    #expect(throws: Never.self) { try mutation.persisted.result?.get() }
    #expect(first.diagnostics().storeFailure == nil)
  }

  @Test("last mutation IDs go with clients that are gone, but not while mutations of theirs wait")
  func lastMutationIDs() throws {
    let client = try TestClient()
    client.connect()
    let confirmed = client.zero.clientID
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.poke(#""lastMutationIDChanges":{"\#(confirmed)":1}"#)
    client.zero.close()
    try client.open()
    client.connect()
    let waiting = client.zero.clientID
    for id in ["2", "3"] { client.zero.mutate(Mutators.create(Rename(id: id, title: id))) }
    client.poke(#""lastMutationIDChanges":{"\#(waiting)":1}"#)
    client.zero.close()
    #expect(try keys(client, .lmids).count == 2)
    try client.open()
    client.scheduler.wallOffset = Self.dayAndAnHour
    client.scheduler.advance(by: Self.collection)
    client.zero.close()
    #expect(try keys(client, .lmids).map { $0.hasSuffix("/\(waiting)") } == [true])
    #expect(try keys(client, .deleted).count == 2)
    try client.open()
    client.connect()
    #expect(client.pushed().map(\.id) == [2])
  }

  @Test(
    "a query that a poke deletes or clears is not confirmed any more, also after a restart",
    arguments: ["del", "clear"])
  func forgottenQueries(_ op: String) throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let hash = client.zero.diagnostics().queries[0].hash
    client.poke(
      #""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}],"#
        + #""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    #expect(view.resultType == .complete)
    client.poke(#""gotQueriesPatch":[{"op":"\#(op)","hash":"\#(hash)"}]"#)
    #expect(view.data.count == (op == "clear" ? 0 : 1))
    client.zero.close()
    #expect(try keys(client, .got).isEmpty)
    try client.open()
    #expect(try client.zero.runNow(Queries.all()).count == (op == "clear" ? 0 : 1))
  }

  @Test("names of the server's that are longer than a store's keys are not stored")
  func longNames() throws {
    let client = try TestClient()
    client.connect()
    let name = String(repeating: "n", count: 9000)
    client.poke(
      #""gotQueriesPatch":[{"op":"put","hash":"\#(name)"}],"#
        + #""lastMutationIDChanges":{"\#(name)":1}"#)
    client.poke(#""gotQueriesPatch":[{"op":"del","hash":"\#(name)"}]"#)
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(throws: Never.self) { try mutation.persisted.result?.get() }
    #expect(client.storageFailures.isEmpty)
  }

  @Test("a client whose record the server had deleted goes on counting its mutations")
  func ownLastMutationID() throws {
    let client = try TestClient()
    client.zero.close()
    client.scheduler.wallOffset = Self.dayAndAnHour
    try client.open { $0.onClientStateNotFound = {} }
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":1}"#)
    client.receive(#"["deleteClients",{"clientIDs":["\#(client.zero.clientID)"]}]"#)
    client.scheduler.advance(by: Self.collection)
    client.connect()
    _ = client.pushed()
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    #expect(client.pushed().map(\.id) == [2])
  }

  @Test("a flush includes mutations that have not run yet, before the store is there and after")
  func flushIncludesQueued() throws {
    let executor = HeldStorageExecutor()
    let client = try TestClient(executor: executor)
    let first = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let flush = client.zero.flush(until: .stored)
    while flush.result == nil, executor.runOne() {}
    #expect(flush.result != nil)
    #expect(first.persisted.result != nil)

    let view = try client.zero.materialize(Queries.all())
    var later: (mutation: Mutation, flush: Deferred<Void>)?
    view.addListener { snapshot in
      guard snapshot.data.count == 2, later == nil else { return }
      client.zero.mutate(Mutators.vote(Vote(id: "nobody", by: 1)))
      let mutation = client.zero.mutate(Mutators.create(Rename(id: "3", title: "three")))
      later = (mutation, client.zero.flush(until: .stored))
    }
    client.connect()
    client.poke(#""rowsPatch":[\#(TestClient.put("2", "two"))]"#)
    while later?.flush.result == nil, executor.runOne() {}
    #expect(later?.flush.result != nil)
    #expect(later?.mutation.persisted.result != nil)
  }

  @Test(
    "what the server says is deleted is forgotten, and the client itself is reported missing",
    arguments: [true, false])
  func deletedByServer(_ namesGroup: Bool) throws {
    var calls = 0
    let client = try TestClient()
    let first = client.zero.clientID
    client.zero.close()
    try client.open()
    let second = client.zero.clientID
    client.zero.close()
    client.scheduler.wallOffset = Self.dayAndAnHour
    try client.open { $0.onClientStateNotFound = { calls += 1 } }
    let (own, group) = (client.zero.clientID, try client.zero.clientGroupID.result?.get() ?? "")
    client.connect()
    client.scheduler.advance(by: Self.collection)
    client.connect()
    #expect(calls == 0)
    client.receive(
      namesGroup
        ? #"["deleteClients",{"clientGroupIDs":["\#(group)"]}]"#
        : #"["deleteClients",{"clientIDs":["\#(first)","\#(own)","nobody"]}]"#)
    client.scheduler.advance(by: .seconds(60))
    #expect(calls == 1)
    client.zero.close()
    #expect(try keys(client, .clients).isEmpty)
    #expect(try keys(client, .deleted) == (namesGroup ? [] : ["\(group)/\(second)"]))
  }

  @Test("a client group in which mutations wait is kept and reported; a disabled one goes")
  func groups() throws {
    let client = try TestClient()
    client.zero.close()
    try withStore(client) { transaction in
      try transaction.put(
        DatabaseTable.clients.table, StorageKey.text("other"),
        ClientRecord(group: "used", heartbeat: client.scheduler.wallTime).stored)
      for (group, isDisabled) in [
        ("kept", false), ("disabled", true), ("empty", false), ("used", true),
      ] {
        try transaction.put(
          DatabaseTable.groups.table, StorageKey.text(group),
          GroupRecord(created: 99, mutators: [], isDisabled: isDisabled, cookie: nil).stored)
        if group == "empty" || group == "used" { continue }
        let mutation = PendingMutation(
          sequence: 1, clientID: "gone", id: 1, name: "issue.notify", args: .null, timestamp: 0)
        try transaction.put(
          DatabaseTable.pending.table, StorageKey.sequence(group, 1), mutation.stored)
      }
    }
    try client.open()
    #expect(client.zero.diagnostics().unsent.map(\.count) == [1])
    #expect(client.zero.diagnostics().unsent.map(\.databaseName) == [client.zero.databaseName])
    client.scheduler.advance(by: Self.collection)
    let own = try #require(client.zero.diagnostics().clientGroupID)
    client.zero.close()
    #expect(try Set(keys(client, .groups)) == ["kept", "used", own])
    #expect(try keys(client, .pending).map { $0.hasPrefix("kept/") } == [true])
  }
}

extension StoreSnapshot {
  fileprivate func isEmpty(_ table: DatabaseTable) throws -> Bool {
    var isEmpty = true
    try scan(table.table) { _, _ in
      isEmpty = false
      return false
    }
    return isEmpty
  }
}
