import Foundation
import Testing
import ZeroClient
import ZeroIVM
import ZeroProtocol

@MainActor @Suite("Errors of the public API") struct ErrorTests {
  @Test("options that cannot be used are a client error that says what would be right")
  func options() {
    let error = #expect(throws: ZeroError.self) {
      try TestClient { $0.cacheURL = URL(string: "ftp://zero.example") }
    }
    #expect(error?.clientKind == .internal)
    #expect(
      error?.message == "ZeroOptions.cacheURL must use the \"http\" or \"https\" scheme.")
  }

  @Test(
    "an option that cannot be used is called by its name here",
    arguments: [
      (URL(string: "https://a.example/b/c"), "ZeroOptions.cacheURL may have at most one path"),
      (URL(string: "https://a.example/?q=1"), "ZeroOptions.cacheURL must not contain a search"),
      (URL(string: "relative"), "ZeroOptions.cacheURL must use"),
    ])
  func names(_ url: URL?, _ message: String) {
    let error = #expect(throws: ZeroError.self) { try TestClient { $0.cacheURL = url } }
    #expect(error?.message.hasPrefix(message) == true)
  }

  @Test("other options and parameters that cannot be used are called by their names, too")
  func otherNames() {
    let delay = #expect(throws: ZeroError.self) {
      try TestClient { $0.hiddenDisconnectDelay = .seconds(-1) }
    }
    #expect(delay?.message == "ZeroOptions.hiddenDisconnectDelay must not be negative.")
    let user = #expect(throws: ZeroError.self) {
      try Zero(schema: .tracker, userID: "", context: Session(user: ""))
    }
    #expect(user?.message.contains("userID should not be empty") == true)
    let auth = #expect(throws: ZeroError.self) {
      try Zero(schema: .tracker, auth: "token", context: Session(user: ""))
    }
    #expect(auth?.message.contains("userID is required when auth is set.") == true)
  }

  @Test("a mutator that the client was not made with is an error of the client, and logged")
  func unregisteredMutator() throws {
    let log = RecordedLog()
    let client = try TestClient(mutators: []) { $0.logSink = log }
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    for outcome in [mutation.client.outcome, mutation.server.outcome] {
      guard case .zeroError(let error)? = outcome else {
        Issue.record("not an error of the client: \(String(describing: outcome))")
        continue
      }
      #expect(error.message.contains("\"issue.create\" is not registered"))
    }
    #expect(throws: ZeroError.self) { try mutation.persisted.result?.get() }
    #expect(client.zero.pendingMutationCount == 0)
    #expect(log.errors.contains { $0.contains("\"issue.create\" is not registered") })
  }

  @Test("a view that cannot follow a row says so, keeps its rows, and goes on when it can")
  func rowWithoutOrder() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let live = try client.zero.liveQuery(Queries.all())
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    var heard: [Bool] = []
    view.addListener { heard.append($0.error != nil) }
    client.poke(
      #""rowsPatch":[{"op":"put","tableName":"issues","value":{"id":"2","title":7,"votes":0}}]"#)
    for (error, data) in [(view.error, view.data), (live.error, live.data)] {
      #expect((error as? ZeroError)?.clientKind == .internal)
      #expect(data.map(\.id) == ["1"])
    }
    #expect(heard == [false, true])
    _ = client.zero.connection.connect()
    client.connect()
    client.poke(#""rowsPatch":[\#(TestClient.put("2", "two"))]"#)
    #expect(view.error == nil)
    #expect(live.error == nil)
    #expect(heard == [false, true, false])
    #expect(live.data.map(\.id) == ["1", "2"])
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
