import Testing
import ZeroClient
import ZeroIVM
import ZeroProtocol
import ZeroTesting

@Suite("Drift of mutators") @MainActor
struct MutatorDriftTests {
  private func failures(
    _ mutator: any AnyMutator<AuthData?>, _ document: DriftDocument
  ) -> [DriftFailure] {
    document.failures(mutators: IssueMutators.all.filter { $0.name != mutator.name } + [mutator])
  }

  private func sample(
    _ mutator: String, _ label: String, _ member: String, _ value: JSONValue?
  ) throws -> DriftDocument {
    try DriftDocument().with("mutators", mutator, "samples", label, member, value: value)
  }

  @Test("rows that end up otherwise are told, row by row")
  func changes() throws {
    let close = defineMutator("issue.close") { (tx, id: String, _: AuthData?) in
      guard let issue = try tx.run(zql.issue.where(\.id, id).one()), !issue.done else { return }
      try tx.mutate.issue.update(id: id) { $0.done = true }
      try tx.mutate.issue.insert(
        Issue(id: "9", title: "", priority: 0, status: .open, created: 0, done: false))
    }
    let failures = failures(close, try DriftDocument())
    #expect(failures.map(\.kind) == [.changes])
    #expect(failures.first?.subject == .mutator("issue.close"))
    #expect(failures.first?.sample == "open issue")
    let message = try #require(failures.first?.message)
    #expect(message.contains("row issue [\"1\"]"))
    #expect(message.contains("edit assignee from \"ann\" to null, done from false to true"))
    #expect(message.contains("Swift:    edit done from false to true"))
    #expect(message.contains("row issue [\"9\"]\n  recorded: no change\n  Swift:    add {"))
  }

  @Test("a change that Swift does not make is told")
  func missingChange() throws {
    let delete = defineMutator("issue.delete") { (tx, id: String, ctx: AuthData?) in
      if let other = try tx.run(zql.comment.where(\.issueID, id))
        .first(where: { $0.authorID != ctx?.userID })
      {
        throw ApplicationError(
          "others have commented", details: .object(["author": .string(other.authorID)]))
      }
      try tx.mutate.issue.delete(Issue.Changes(id: id))
    }
    let failures = failures(delete, try DriftDocument())
    #expect(failures.map(\.kind) == [.changes])
    #expect(
      failures.first?.message.contains("row comment [\"1\",2]\n  recorded: remove {") == true)
  }

  @Test("a row that ends up as it was is no change")
  func noChange() throws {
    let reopen = defineMutator("issue.reopenAll") { (tx, _: AuthData?) in
      for issue in try tx.run(zql.issue.orderBy(\.id)) {
        try tx.mutate.issue.update(id: issue.id) { $0.title = "" }
        try tx.mutate.issue.update(id: issue.id) { $0.title = issue.title }
        try tx.mutate.issue.update(id: issue.id) { $0.done = false }
      }
    }
    #expect(failures(reopen, try DriftDocument()) == [])
  }

  @Test("absent columns of recorded rows are null")
  func absentColumns() throws {
    let row: JSONObject = [
      "id": .string("1"), "title": .string("Title 1"), "priority": .number(1),
      "status": .string("open"), "created": .number(5), "done": .bool(true),
    ]
    var after = row
    after["done"] = .bool(false)
    let change: JSONObject = [
      "table": .string("issue"), "op": .string("edit"), "key": .array([.string("1")]),
      "before": .object(row), "after": .object(after),
    ]
    let document = try sample("issue.reopenAll", "one of two", "changes", .array([.object(change)]))
      .with(
        "mutators", "issue.reopenAll", "samples", "one of two", "seed",
        value: .object(["issue": .array([.object(row)])]))
    #expect(document.failures() == [])
  }

  @Test("one side that fails is told, and that nothing of a failure is kept")
  func outcomes() throws {
    let app = JSONValue.object(["type": .string("app"), "message": .string("no")])
    let lenient = try sample("issue.close", "missing", "outcome", app).failures()
    #expect(lenient.map(\.kind) == [.outcome])
    #expect(lenient.first?.message == "TypeScript throws and Swift does not: no")
    let success = JSONValue.object(["type": .string("success")])
    let strict = try sample("issue.delete", "others' comments", "outcome", success).failures()
    #expect(strict.map(\.kind) == [.outcome])
    #expect(strict.first?.message.contains("others have commented") == true)
  }

  @Test("messages and details of application errors are compared, other errors as errors alone")
  func errors() throws {
    let message = try DriftDocument().with(
      "mutators", "issue.delete", "samples", "others' comments", "outcome", "message",
      value: .string("other words"))
    #expect(message.failures().map(\.kind) == [.outcome])
    for details in [nil, JSONValue.null, .object(["author": .string("eve")])] {
      let document = try DriftDocument().with(
        "mutators", "issue.delete", "samples", "others' comments", "outcome", "details",
        value: details)
      let failures = document.failures()
      #expect(failures.map(\.kind) == [.outcome])
      #expect(failures.first?.message.contains("{\"author\":\"bob\"}") == true)
    }
    struct Refusal: Error {}
    let delete = defineMutator("issue.delete") { (tx, id: String, ctx: AuthData?) in
      for comment in try tx.run(zql.comment.where(\.issueID, id)) {
        guard comment.authorID == ctx?.userID else { throw Refusal() }
        try tx.mutate.comment.delete(comment)
      }
      try tx.mutate.issue.delete(Issue.Changes(id: id))
    }
    #expect(failures(delete, message) == [])
  }

  @Test("client, number and context are those of the sample")
  func identity() throws {
    for (member, value) in [
      ("clientID", JSONValue.string("other")), ("mutationID", .number(43)), ("context", .null),
    ] {
      let failures = try sample("issue.stamp", "ann", member, value).failures()
      #expect(failures.map(\.kind) == [.changes], "\(member)")
      #expect(failures.first?.sample == "ann")
    }
  }

  @Test("the rows are those of the sample")
  func seed() throws {
    let failures = try sample("issue.close", "open issue", "seed", .object([:])).failures()
    #expect(failures.map(\.kind) == [.changes])
  }

  @Test("arguments go through the Swift type, those of mutators that only the server has too")
  func arguments() throws {
    let create = JSONValue.object(["id": .string("2"), "created": .number(1)])
    #expect(
      try sample("issue.create", "new", "args", create).failures().map(\.kind) == [.arguments])
    let notify = JSONValue.object(["id": .string("1"), "by": .string("mail")])
    let failures = try sample("issue.notify", "one", "args", notify).failures()
    #expect(failures.map(\.kind) == [.arguments])
    #expect(failures.first?.message.contains("become {\"id\":\"1\"} in Swift") == true)
    #expect(
      try sample("issue.notify", "one", "args", nil).failures().map(\.kind) == [.arguments])
    #expect(
      try sample("issue.reopenAll", "one of two", "args", .string("x")).failures().map(\.kind)
        == [.arguments])
  }

  @Test("for a mutator null and no arguments are the same, as on the wire")
  func nullArguments() throws {
    #expect(try sample("issue.reopenAll", "one of two", "args", .null).failures() == [])
  }

  @Test("a mutator that only Swift leaves to the server is told by its changes")
  func serverOnly() throws {
    let close = defineMutator.serverOnly(
      "issue.close", args: String.self, context: AuthData?.self)
    #expect(failures(close, try DriftDocument()).map(\.kind) == [.changes])
  }

  @Test("a context that Swift cannot have is told")
  func context() throws {
    let failures = try sample("issue.stamp", "ann", "context", .string("ann")).failures()
    #expect(failures.map(\.kind) == [.context])
    #expect(failures.first?.message.contains("expected an object") == true)
  }
}
