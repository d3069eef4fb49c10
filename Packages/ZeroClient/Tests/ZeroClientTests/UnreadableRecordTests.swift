import Foundation
import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// Records that the store gives back but that the client cannot decode.
@MainActor @Suite("Unreadable records") struct UnreadableRecordTests {
  /// A closed client whose database has three rows, a last mutation ID and three pending mutations.
  private func closedClient() throws -> TestClient {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let hash = try #require(client.zero.diagnostics().queries.first).hash
    client.zero.mutate(Mutators.create(Rename(id: "0", title: "zero")))
    let rows = ["1", "2", "3"].map { TestClient.put($0, "row \($0)") }.joined(separator: ",")
    client.poke(
      #""lastMutationIDChanges":{"\#(client.zero.clientID)":1},"rowsPatch":[\#(rows)],"#
        + #""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}]"#)
    for id in ["a", "b", "c"] {
      client.zero.mutate(Mutators.create(Rename(id: id, title: "mine \(id)")))
    }
    #expect(view.data.count == 6)
    client.zero.close()
    return client
  }

  private func change(
    _ client: TestClient, _ body: (any StoreTransaction) throws -> Void
  ) throws {
    let store = try client.storage.open(client.zero.databaseName, tables: DatabaseTable.names)
    defer { store.close() }
    try store.write(body)
  }

  /// Replaces the value of a record of the table by `value`.
  private func damage(
    _ client: TestClient, _ table: DatabaseTable, place: Int = 0, value: [UInt8] = [9, 9]
  ) throws -> [UInt8] {
    var keys: [[UInt8]] = []
    try change(client) { transaction in
      try transaction.scan(table.table) { key, _ in
        keys.append(key.withUnsafeBytes { Array($0) })
        return true
      }
      try transaction.put(table.table, keys[place], value)
    }
    return keys[place]
  }

  /// Opens, and opens again, which must find nothing to report.
  private func reopen(_ client: TestClient) throws -> [StoreError] {
    try client.open()
    let failures = client.storageFailures
    #expect(!client.zero.diagnostics().isStoreInMemory)
    #expect(client.zero.diagnostics().storeFailure == nil)
    return failures
  }

  private func expectNothingMore(_ client: TestClient) throws {
    let count = client.storageFailures.count
    client.zero.close()
    try client.open()
    #expect(client.storageFailures.count == count)
    #expect(!client.zero.diagnostics().isStoreInMemory)
  }

  @Test(
    "an unreadable row is reported, and the rows come again from the server",
    arguments: [[], [9, 1, 2], [1, 0x7B, 0x7D], [2, 0, 0]] as [[UInt8]])
  func row(_ value: [UInt8]) throws {
    let client = try closedClient()
    let key = try damage(client, .rows, place: 1, value: value)
    let failures = try reopen(client)
    #expect(failures.map(\.code) == [.corrupt])
    #expect(failures.map(\.record) == [StoreError.Record(table: "rows", key: key)])
    #expect(failures.map(\.database) == [client.zero.databaseName])
    #expect(client.zero.diagnostics().cookie == nil)
    #expect(try client.zero.runNow(Queries.all()).map(\.id) == ["a", "b", "c"])
    try expectNothingMore(client)
    #expect(client.socket.request.url.contains("baseCookie=&"))
    client.connect()
    #expect(client.pushed().map(\.id) == [2, 3, 4])
    client.receive(#"["pokeStart",{"pokeID":"n","baseCookie":null}]"#)
    client.receive(
      #"["pokePart",{"pokeID":"n","rowsPatch":[\#(TestClient.put("1", "again"))]}]"#)
    client.receive(#"["pokeEnd",{"pokeID":"n","cookie":"n1"}]"#)
    client.scheduler.advance(by: .zero)
    try expectNothingMore(client)
    #expect(client.zero.diagnostics().cookie == "n1")
    #expect(try client.zero.runNow(Queries.byID("1"))?.title == "again")
  }

  @Test("a row without its key is as unreadable as one that is cut")
  func rowWithoutKey() throws {
    let client = try closedClient()
    var builder = RowBuilder()
    builder.begin(Ticket.table.layout)
    builder.set(1, Value.string("no key"))
    _ = try damage(client, .rows, value: StoredRow.encode(builder.finish()))
    #expect(try reopen(client).map(\.record?.table) == ["rows"])
    try expectNothingMore(client)
  }

  @Test("two rows with one key are reported, and the rows come again")
  func sameKeyTwice() throws {
    let client = try closedClient()
    var builder = RowBuilder()
    builder.begin(Ticket.table.layout)
    builder.set(0, Value.string("2"))
    _ = try damage(client, .rows, value: StoredRow.encode(builder.finish()))
    #expect(try reopen(client).map(\.code) == [.corrupt])
    #expect(client.zero.diagnostics().cookie == nil)
    #expect(try client.zero.runNow(Queries.all()).map(\.id) == ["a", "b", "c"])
    // The server has the rows of no query to confirm before it has sent them again.
    let view = try client.zero.materialize(Queries.all())
    client.connect()
    client.receive(#"["pokeStart",{"pokeID":"n","baseCookie":null}]"#)
    client.receive(#"["pokeEnd",{"pokeID":"n","cookie":"n1"}]"#)
    client.scheduler.advance(by: .zero)
    #expect(view.resultType == .unknown)
    let put = #"{"op":"put","hash":"\#(client.zero.diagnostics().queries[0].hash)"}"#
    client.receive(#"["pokeStart",{"pokeID":"o","baseCookie":"n1"}]"#)
    client.receive(#"["pokePart",{"pokeID":"o","gotQueriesPatch":[\#(put)]}]"#)
    client.receive(#"["pokeEnd",{"pokeID":"o","cookie":"n2"}]"#)
    client.scheduler.advance(by: .zero)
    #expect(view.resultType == .complete)
    try expectNothingMore(client)
  }

  @Test(
    "an unreadable client group keeps its mutations and gets its rows again",
    arguments: [
      [], Array("\u{1}{}".utf8),
      Array("\u{1}{\"created\":1,\"mutators\":[],\"disabled\":false,\"cookie\":7}".utf8),
    ] as [[UInt8]])
  func group(_ value: [UInt8]) throws {
    let client = try closedClient()
    let group = try #require(client.zero.diagnostics().clientGroupID)
    _ = try damage(client, .groups, value: value)
    #expect(try reopen(client).map(\.record?.table) == ["groups"])
    #expect(client.zero.diagnostics().clientGroupID == group)
    #expect(client.zero.diagnostics().cookie == nil)
    try expectNothingMore(client)
    #expect(client.zero.diagnostics().clientGroupID == group)
    client.connect()
    #expect(client.pushed().map(\.id) == [2, 3, 4])
  }

  @Test("an unreadable client or last mutation ID costs nothing", arguments: ["clients", "lmids"])
  func smallRecords(_ name: String) throws {
    let client = try closedClient()
    let table = try #require(DatabaseTable.allCases.first { "\($0)" == name })
    let key = try damage(client, table)
    #expect(
      try reopen(client).map(\.record) == [StoreError.Record(table: name, key: key)])
    #expect(
      try client.zero.runNow(Queries.all()).map(\.id) == ["a", "b", "c", "1", "2", "3"])
    try expectNothingMore(client)
    client.connect()
    #expect(client.pushed().map(\.id) == [2, 3, 4])
  }

  @Test(
    "columns or a layout that cannot be read cost the rows and not the mutations",
    arguments: ["columns", "layout"])
  func meta(_ key: String) throws {
    for value in [[], [0xFF], Array("[]".utf8), Array(#"{"issue":7,"comment":[]}"#.utf8)] {
      let client = try closedClient()
      try change(client) { try $0.put(DatabaseTable.meta.table, StorageKey.text(key), value) }
      #expect(try reopen(client).map(\.record?.table) == ["meta"])
      #expect(client.zero.diagnostics().cookie == nil)
      #expect(client.zero.pending.count == 3)
      try expectNothingMore(client)
      #expect(client.zero.pending.count == 3)
    }
  }

  @Test("rows under names that the client no longer uses come again")
  func renamedColumn() throws {
    let client = try closedClient()
    let columns =
      #"{"issue":["id","name","votes","owner"],"#
      + #""comment":["issueID","number","body"]}"#
    try change(client) {
      try $0.put(DatabaseTable.meta.table, StorageKey.text("columns"), Array(columns.utf8))
    }
    #expect(try reopen(client).isEmpty)
    #expect(client.zero.diagnostics().cookie == nil)
    try expectNothingMore(client)
  }

  @Test("an unreadable mutation is refused, and the server gets the others in order")
  func mutation() throws {
    for place in 0..<3 {
      let client = try closedClient()
      let key = try damage(client, .pending, place: place, value: Array("secret".utf8))
      let failures = try reopen(client)
      #expect(failures.map(\.record) == [StoreError.Record(table: "pending", key: key)])
      #expect(!failures.contains { "\($0)".contains("secret") })
      let list = client.zero.refusedMutations.mutations
      #expect(list.map(\.reason) == [.storageDamaged], "place \(place)")
      #expect(list[0].error.details == .object(["record": .string("c2VjcmV0")]))
      let shown = ["a", "b", "c"].enumerated().filter { $0.offset != place }.map(\.element)
      #expect(try client.zero.runNow(Queries.all()).map(\.id) == shown + ["1", "2", "3"])
      try expectNothingMore(client)
      #expect(client.zero.refusedMutations.mutations.map(\.reason) == [.storageDamaged])
      client.connect()
      // The last one needs nobody to stand in for it.
      let pushed = client.pushed()
      #expect(pushed.map(\.id) == (place == 2 ? [2, 3] : [2, 3, 4]), "place \(place)")
      #expect(
        pushed.map { $0.name == PendingChain.standInName }
          == (0..<pushed.count).map { $0 == place })
    }
  }

  @Test("what stands in for an unreadable mutation goes with the server's answer, unnoticed")
  func standInIsRefused() throws {
    let client = try closedClient()
    let first = client.zero.clientID
    _ = try damage(client, .pending, place: 0)
    _ = try reopen(client)
    client.connect()
    client.poke(
      #""lastMutationIDChanges":{"\#(first)":2},"mutationsPatch":[{"op":"put","mutation":"#
        + #"{"id":{"clientID":"\#(first)","id":2},"result":{"error":"app","message":"no"}}}]"#)
    #expect(client.zero.connection.state == .connected)
    #expect(client.zero.pending.count == 2)
    #expect(client.zero.refusedMutations.mutations.map(\.reason) == [.storageDamaged])
    client.zero.refusedMutations.acknowledgeAll()
    try expectNothingMore(client)
    #expect(client.zero.refusedMutations.mutations.isEmpty)
  }

  @Test("the server's refusal of a stand-in is told to nobody, also when its loss is acknowledged")
  func acknowledgedBefore() throws {
    let client = try closedClient()
    let first = client.zero.clientID
    _ = try damage(client, .pending, place: 0)
    _ = try reopen(client)
    client.zero.refusedMutations.acknowledgeAll()
    client.connect()
    client.poke(
      #""lastMutationIDChanges":{"\#(first)":2},"mutationsPatch":[{"op":"put","mutation":"#
        + #"{"id":{"clientID":"\#(first)","id":2},"result":{"error":"app","message":"no"}}}]"#)
    #expect(client.zero.pending.count == 2)
    #expect(client.zero.refusedMutations.mutations.isEmpty)
  }

  @Test("an unreadable refused mutation stays on the list until it is acknowledged")
  func refused() throws {
    let client = try closedClient()
    try change(client) {
      try $0.put(DatabaseTable.refused.table, StorageKey.integer(7), Array("lost".utf8))
    }
    #expect(try reopen(client).map(\.record?.table) == ["refused"])
    try expectNothingMore(client)
    #expect(client.zero.refusedMutations.mutations.map(\.id) == [7])
    #expect(client.zero.refusedMutations.mutations.map(\.reason) == [.storageDamaged])
    client.zero.refusedMutations.acknowledge(7)
    try expectNothingMore(client)
    #expect(client.zero.refusedMutations.mutations.isEmpty)
  }

  @Test("everything unreadable at once still leaves a client that works")
  func everything() throws {
    let client = try closedClient()
    try change(client) { transaction in
      for table in DatabaseTable.allCases {
        var keys: [[UInt8]] = []
        try transaction.scan(table.table) { key, _ in
          keys.append(key.withUnsafeBytes { Array($0) })
          return true
        }
        for key in keys { try transaction.put(table.table, key, [0xFF]) }
        try transaction.put(table.table, Array("odd/".utf8), [0xFF, 0xFE])
      }
    }
    #expect(try reopen(client).allSatisfy { $0.code == .corrupt })
    try expectNothingMore(client)
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "x", title: "new")))
    #expect(client.pushed().map(\.name) == ["issue.create"])
  }

  @Test("an unreadable entry of the catalog hides no database")
  func catalog() throws {
    let client = try closedClient()
    let first = client.zero.databaseName
    let catalog = try client.storage.open(Catalog.name, tables: CatalogTable.names)
    try catalog.write {
      try $0.put(CatalogTable.databases.table, StorageKey.text(first), [0])
      try $0.put(CatalogTable.databases.table, StorageKey.text("odd"), [0])
    }
    catalog.close()
    try client.open { $0.mutateURL = URL(string: "https://api.example/mutate") }
    #expect(client.zero.diagnostics().unsent.map(\.databaseName) == [first])
    #expect(client.storageFailures.isEmpty)
    let report = client.zero.delete()
    let deleted = try report.result?.get().deleted
    #expect(deleted?.contains(first) == false)
    try client.open()
    let all = try client.zero.delete().result?.get().deleted
    #expect(all?.contains(first) == true)
  }
}
