import Testing
import ZeroClient
import ZeroIVM
import ZeroProtocol
import ZeroTesting

@Suite("Drift of queries") @MainActor
struct QueryDriftTests {
  private func failures(
    _ query: any AnyQueryDefinition<AuthData?>, _ document: DriftDocument
  ) -> [DriftFailure] {
    let others = IssueQueries.all.filter { $0.name != query.name }
    return document.failures(queries: others + [query])
  }

  @Test("another query is told with both ASTs, both hashes and the first difference")
  func ast() throws {
    let query = defineQuery("issues.byID") { (id: String, _: AuthData?) in
      if id.isEmpty { throw ApplicationError("id is empty") }
      return zql.issue.where(\.id, id).related(\.comments) { $0.orderBy(\.n).limit(10) }.one()
    }
    let failures = failures(query, try DriftDocument())
    #expect(failures.map(\.kind) == [.ast])
    #expect(failures.first?.subject == .query("issues.byID"))
    #expect(failures.first?.sample == "one")
    let message = try #require(failures.first?.message)
    #expect(message.contains("first at related.0.subquery.orderBy.0.1"))
    #expect(message.contains("\"desc\"") && message.contains("\"asc\""))
    let sample = IssueQueries.byID("1")
    #expect(message.contains("recorded, \(try sample.query(nil).hash()):"))
    #expect(message.contains("Swift, \(try query("1").query(nil).hash()):"))
  }

  @Test("a recorded hash that is not that of the recorded AST is told")
  func hash() throws {
    let failures = try DriftDocument()
      .with("queries", "issues.mine", "samples", "ann", "astHash", value: .string("abc")).failures()
    #expect(failures.map(\.kind) == [.ast])
    #expect(failures.first?.message.contains("hash is of another AST") == true)
  }

  @Test("a recorded AST that is not that of the recorded hash is told")
  func recordedAST() throws {
    let failures = try DriftDocument()
      .with("queries", "issues.byID", "samples", "one", "ast", "limit", value: .number(2))
      .failures()
    #expect(failures.map(\.kind) == [.ast])
    #expect(failures.first?.message.contains("first at limit") == true)
  }

  @Test("another format of the result is told")
  func format() throws {
    let path = ["queries", "issues.byStatus", "samples", "open", "format", "relationships"]
    let failures = try DriftDocument()
      .with(path, value: .object([:])).failures()
    #expect(failures.map(\.kind) == [.format])
    #expect(failures.first?.message.contains("\"owner\"") == true)
  }

  @Test("a member of the arguments that Swift names otherwise is told")
  func renamedMember() throws {
    struct Renamed: Codable, Sendable { var state: IssueStatus }
    let query = defineQuery("issues.byStatus") { (args: Renamed, _: AuthData?) in
      zql.issue.where(\.status, args.state).related(\.owner).orderBy(\.created, .desc).limit(50)
    }
    let failures = failures(query, try DriftDocument())
    #expect(failures.map(\.kind) == [.arguments, .arguments])
    #expect(failures.first?.message.contains("state") == true)
  }

  @Test("a member of the arguments that Swift leaves out is told")
  func lostMember() throws {
    struct Short: Codable, Sendable { var status: IssueStatus }
    let query = defineQuery("issues.byStatus") { (args: Short, _: AuthData?) in
      zql.issue.where(\.status, args.status).related(\.owner).orderBy(\.created, .desc).limit(50)
    }
    let failures = failures(query, try DriftDocument())
    #expect(failures.map(\.kind) == [.arguments])
    #expect(failures.first?.sample == "closed, with text")
  }

  @Test("null where Swift writes nothing, and another order of members, are told")
  func argumentText() throws {
    let path = ["queries", "issues.byStatus", "samples", "closed, with text", "args"]
    for args: JSONObject in [
      ["status": .string("closed"), "text": .null],
      ["text": .string("x"), "status": .string("closed")],
    ] {
      let document = try DriftDocument()
        .with(path, value: .object(args))
      #expect(document.failures().map(\.kind) == [.arguments])
    }
  }

  @Test("arguments of a query without them, and none of one with them, are told")
  func presence() throws {
    let document = try DriftDocument()
    for args in [JSONValue.null, .string("x"), .object([:])] {
      let given = document.with("queries", "issues.mine", "samples", "ann", "args", value: args)
      #expect(given.failures().map(\.kind) == [.arguments])
    }
    let none = document.with("queries", "issues.byID", "samples", "one", "args", value: nil)
    #expect(none.failures().map(\.kind) == [.arguments])
  }

  @Test("a definition whose arguments are optional can be called without any, which is not null")
  func optionalArguments() throws {
    let optional = defineQuery("issues.mine") { (_: String?, ctx: AuthData?) in
      try IssueQueries.mine().query(ctx)
    }
    let document = try DriftDocument()
    #expect(failures(optional, document) == [])
    let null = document.with("queries", "issues.mine", "samples", "ann", "args", value: .null)
    #expect(failures(optional, null).map(\.kind) == [.arguments])
    struct AllOptional: Codable, Sendable { var text: String? }
    let object = defineQuery("issues.mine") { (_: AllOptional, ctx: AuthData?) in
      try IssueQueries.mine().query(ctx)
    }
    let failures = failures(object, document)
    #expect(failures.map(\.kind) == [.arguments, .arguments, .arguments])
    #expect(failures.first?.message.contains("a call without arguments does not fit") == true)
  }

  @Test("a definition that throws where the other does not is told")
  func throwing() throws {
    let path = ["queries", "issues.byID", "samples"]
    let document = try DriftDocument()
    let lenient = defineQuery("issues.byID") { (id: String, _: AuthData?) in
      zql.issue.where(\.id, id).related(\.comments) { $0.orderBy(\.n, .desc).limit(10) }.one()
    }
    let failures = failures(lenient, document)
    #expect(failures.map(\.kind) == [.error])
    #expect(failures.first?.sample == "empty id")
    #expect(failures.first?.message == "TypeScript throws and Swift does not: id is empty")
    let strict = document.with(path + ["one", "args"], value: .string(""))
    #expect(strict.failures().map(\.kind) == [.error])
    #expect(strict.failures().first?.message.contains("id is empty") == true)
  }

  @Test("messages of application errors are compared, those of other errors are not")
  func messages() throws {
    let document = try DriftDocument().with(
      "queries", "issues.byID", "samples", "empty id", "error", "message",
      value: .string("no id"))
    let failures = document.failures()
    #expect(failures.map(\.kind) == [.error])
    #expect(failures.first?.message.contains("no id\nSwift:    id is empty") == true)
    let details = try DriftDocument().with(
      "queries", "issues.byID", "samples", "empty id", "error", "details", value: .null)
    #expect(details.failures().map(\.kind) == [.error])
    let validating = defineQuery(
      "issues.byID",
      validate: { (id: String) in if id.isEmpty { throw ValidationIssues("no text") } }
    ) { (id: String, _: AuthData?) in try IssueQueries.byID(id).query(nil) }
    #expect(self.failures(validating, document) == [])
  }

  @Test("arguments that the Swift type refuses count as an error of the definition")
  func refusedArguments() throws {
    let document = try DriftDocument()
      .with("queries", "issues.byID", "samples", "empty id", "args", value: .number(1))
    #expect(document.failures() == [])
  }

  @Test("a query that cannot be built throws")
  func buildError() throws {
    let query = defineQuery("issues.mine") { (_: AuthData?) in zql.issue.limit(-1) }
    #expect(failures(query, try DriftDocument()).map(\.kind) == [.error, .error, .error])
  }

  @Test("a context that Swift cannot have is told; absent and null can be told apart")
  func contexts() throws {
    struct Session: Codable, Sendable { var userID: String }
    let mine = defineQuery("issues.mine") { (session: Session) in
      zql.issue.where {
        $0.priority >= 2 && ($0.assignee == session.userID || $0.assignee == nil)
      }
    }
    let document = try DriftDocument().with("mutators", value: .array([]))
    let own = Drift.failures(vectors: document.bytes, schema: .app, queries: [mine], mutators: [])
      .filter { $0.subject == .query("issues.mine") }
    #expect(own.map(\.kind) == [.context, .context])
    #expect(own.map(\.sample) == ["nobody", "no context"])
    #expect(own.last?.message.contains("undefined") == true)
    var contexts: [JSONValue?] = []
    _ = Drift.failures(vectors: document.bytes, schema: .app, queries: [mine], mutators: []) {
      contexts.append($0)
      return Session(userID: "")
    }
    #expect(contexts == [.object(["userID": .string("ann")]), .null, nil])
  }
}
