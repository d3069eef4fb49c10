import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol

@_spi(Engine) @testable import ZeroClient

/// Mutators that write something and then throw: nothing of what they wrote stays.
@MainActor @Suite("Mutators that throw halfway") struct HalfwayTests {
  /// Changes, adds and removes rows of two tables, and throws in between if `thrower` is there.
  private static let half = defineMutator("issue.half") { (tx, thrower: String, _: Session) in
    try tx.mutate.issue.update(id: "old") { $0.title = "changed" }
    try tx.mutate.issue.insert(Ticket(id: "new", title: "added"))
    try tx.mutate.comment.insert(Comment(issueID: "old", number: 1, body: "half"))
    try tx.mutate.issue.delete(Ticket.Changes(id: "gone"))
    if try tx.run(zql.issue.where(\.id, thrower).one()) != nil {
      throw ApplicationError("\(thrower) is in the way")
    }
    try tx.mutate.issue.insert(Ticket(id: "last", title: "last"))
  }

  private static let mutators: [any AnyMutator<Session>] = Mutators.all + [half]

  /// A client that has the rows `old` and `gone`, and a view of all issues.
  private func prepared() throws -> (client: TestClient, view: MaterializedView<[Ticket]>) {
    let client = try TestClient(mutators: Self.mutators)
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.poke(
      #""rowsPatch":[\#(TestClient.put("old", "old")),\#(TestClient.put("gone", "gone"))]"#)
    _ = client.pushed()
    return (client, view)
  }

  @Test("on the first run nothing of it shows, is stored or is sent")
  func firstRun() throws {
    let (client, view) = try prepared()
    var changes = 0
    view.addListener { _ in changes += 1 }
    changes = 0
    let call = client.zero.mutate(Self.half("old"))
    guard case .applicationError(let error)? = call.client.outcome else {
      Testing.Issue.record("expected an application error, got \(String(describing: call.client))")
      return
    }
    #expect(error.message == "old is in the way")
    #expect(call.server.outcome?.isSuccess == false)
    #expect(throws: (any Error).self) { try call.persisted.result?.get() }
    #expect(view.data.map(\.title) == ["gone", "old"])
    #expect(try client.zero.runNow(Queries.byID("old"))?.comments?.isEmpty == true)
    #expect(changes == 0)
    #expect(client.zero.pending.count == 0)
    #expect(client.pushed().isEmpty)

    // The next one takes the ID that it did not use up.
    client.zero.mutate(Mutators.create(Rename(id: "after", title: "after")))
    #expect(client.pushed().map(\.id) == [1])
    client.zero.close()
    try client.open(mutators: Self.mutators)
    let restored = try client.zero.materialize(Queries.all())
    #expect(restored.data.map(\.title) == ["after", "gone", "old"])
  }

  @Test("mutators that run queries after it see nothing of what it wrote")
  func queriesAfter() throws {
    let (client, view) = try prepared()
    client.zero.mutate(Mutators.vote(Vote(id: "old", by: 1)))
    client.zero.mutate(Self.half("blocker"))
    client.zero.mutate(Mutators.vote(Vote(id: "new", by: 5)))
    client.zero.mutate(Mutators.vote(Vote(id: "old", by: 2)))
    #expect(view.data.map(\.votes) == [5, 3, 0])

    client.poke(#""rowsPatch":[\#(TestClient.put("blocker", "in the way"))]"#)
    #expect(view.data.map(\.title) == ["gone", "in the way", "old"])
    #expect(view.data.map(\.votes) == [0, 0, 3])
    #expect(
      client.zero.diagnostics().pending.map { $0.failedPrediction != nil } == [
        false, true, true, false,
      ])
  }

  @Test("while it is rebased only its own writes go, and they return when it succeeds again")
  func rebased() throws {
    let (client, view) = try prepared()
    client.zero.mutate(Mutators.rename(Rename(id: "old", title: "before")))
    let call = client.zero.mutate(Self.half("blocker"))
    client.zero.mutate(Mutators.create(Rename(id: "after", title: "after")))
    #expect(view.data.map(\.title) == ["added", "after", "changed", "last"])

    client.poke(#""rowsPatch":[\#(TestClient.put("blocker", "in the way"))]"#)
    #expect(view.data.map(\.title) == ["after", "before", "gone", "in the way"])
    #expect(try client.zero.runNow(Queries.byID("old"))?.comments?.isEmpty == true)
    #expect(
      client.zero.diagnostics().pending.map(\.failedPrediction) == [
        nil, "blocker is in the way", nil,
      ])
    #expect(call.server.outcome == nil)

    client.poke(#""rowsPatch":[{"op":"del","tableName":"issues","id":{"id":"blocker"}}]"#)
    #expect(view.data.map(\.title) == ["added", "after", "changed", "last"])
    #expect(try client.zero.runNow(Queries.byID("old"))?.comments?.count == 1)

    // The server's word ends all predictions.
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":3}"#)
    #expect(view.data.map(\.title) == ["gone", "old"])
    #expect(call.server.outcome?.isSuccess == true)
    #expect(client.pushed().map(\.id) == [1, 2, 3])
  }
}
