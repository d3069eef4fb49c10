import Testing
import ZeroClient
import ZeroIVM
import ZeroProtocol

@MainActor @Suite("Errors of the public API") struct ErrorTests {
  @Test("options that cannot be used are a client error that says what would be right")
  func options() {
    let error = #expect(throws: ZeroError.self) {
      try TestClient { $0.cacheURL = "ftp://zero.example" }
    }
    #expect(error?.clientKind == .internal)
    #expect(error?.message.contains("\"https\" scheme") == true)
  }

  @Test("a query that cannot be built is an error of every use")
  func queryBuild() throws {
    let client = try TestClient()
    let query = zql.issue.limit(-1)
    let uses: [() throws -> Void] = [
      { _ = try client.zero.materialize(query) }, { _ = try client.zero.runNow(query) },
      { _ = try client.zero.liveQuery(defineQuery("q") { (_: Session) in query }()) },
      { _ = try client.zero.preload(defineQuery("q") { (_: Session) in query }()) },
      { _ = try client.zero.run(defineQuery("q") { (_: Session) in query }()).result?.get() },
    ]
    for (place, use) in uses.enumerated() {
      let error = #expect(throws: ZeroError.self, "use \(place)") { try use() }
      guard case .queryBuild(let cause)? = error else {
        Issue.record("use \(place): \(String(describing: error))")
        continue
      }
      #expect(cause.code == .negativeLimit)
    }
  }

  @Test("a row that cannot be read is a decoding error of a run and of a view")
  func decoding() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.byID("1"))
    client.poke(
      #""rowsPatch":[{"op":"put","tableName":"issues","value":{"id":"1","title":"t","votes":"x"}}]"#
    )
    let error = #expect(throws: ZeroError.self) { try client.zero.runNow(Queries.byID("1")) }
    guard case .decoding(let cause)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect((cause.table, cause.column) == ("issue", "votes"))
    #expect(view.data == nil)
    #expect((view.error as? ZeroError)?.kindName == "Decoding")
  }

  @Test("a transaction that is used later throws, and what it was to write is not written")
  func transactionClosed() throws {
    final class Leak: Sendable {
      @MainActor static var transaction: MutatorTransaction?
    }
    let leaking = defineMutator("leak") { (tx, _: String, _: Session) in Leak.transaction = tx }
    let client = try TestClient(mutators: [leaking])
    client.zero.mutate(leaking("x"))
    let transaction = try #require(Leak.transaction)
    Leak.transaction = nil
    for use in [
      { try transaction.mutate.issue.insert(Ticket(id: "1", title: "late")) },
      { _ = try transaction.run(zql.issue) },
    ] {
      let error = #expect(throws: ZeroError.self) { try use() }
      #expect(error?.kindName == "TransactionClosed")
    }
    #expect(try client.zero.runNow(Queries.all()).isEmpty)
  }

  @Test("what the app's own code throws in a definition comes out as it is")
  func ownErrors() throws {
    struct Own: Error {}
    let client = try TestClient()
    let failing = defineQuery("own") { (_: Session) throws -> Query<Ticket, [Ticket]> in
      throw Own()
    }
    #expect(throws: Own.self) { try client.zero.materialize(failing()) }
    #expect(throws: Own.self) { try client.zero.run(failing()).result?.get() }
  }
}
