import Testing
import ZeroClient
import ZeroIVM
import ZeroProtocol
import ZeroTesting

@Suite("Registry of queries")
struct QueryRegistryTests {
  let registry = QueryRegistry<AuthData?>(IssueQueries.all)

  @Test("a name is found with points and with bars, and nothing else is")
  func names() {
    #expect(registry.names == ["issues.byStatus", "issues.mine", "issues.byID"])
    #expect(registry["issues.mine"]?.name == "issues.mine")
    #expect(registry["issues|mine"]?.name == "issues.mine")
    for name in ["issues", "", "issues.", "issues.mine.x", "issuesmine", "Issues.mine"] {
      #expect(registry[name] == nil, "\(name)")
    }
  }

  @Test("a query is made of its name, arguments as they travel, and a context")
  func query() throws {
    let args = JSONValue.object(["status": .string("open")])
    let query = try registry.query("issues|byStatus", args, nil)
    let own = try IssueQueries.byStatus(ByStatus(status: .open)).query(nil)
    #expect(query.name == "issues.byStatus")
    #expect(query.args == [args])
    #expect(try query.ast.hash() == own.hash())
    #expect(query.format == own.format)
    let mine = try registry.query("issues.mine", nil, AuthData(userID: "ann"))
    #expect(try mine.ast.hash() == "1880oqgre6rz5")
    #expect(mine.args == [])
  }

  @Test("an unknown name, and arguments that do not fit, are errors")
  func errors() throws {
    let unknown = #expect(throws: UnknownQueryError.self) {
      try registry.query("issues.x", nil, nil)
    }
    #expect(unknown.map { ApplicationError(wrapping: $0).message } == "Query not found: issues.x")
    #expect(throws: DecodingError.self) { try registry.query("issues.byStatus", nil, nil) }
    #expect(throws: DecodingError.self) { try registry.query("issues.mine", .string("x"), nil) }
    #expect(throws: ApplicationError.self) { try registry.query("issues.byID", .string(""), nil) }
  }

  @Test("a later definition of a name, or of a name below it, counts")
  func overriding() throws {
    let other = defineQuery("issues.mine") { (_: AuthData?) in zql.user }
    let registry = QueryRegistry<AuthData?>(IssueQueries.all + [other])
    #expect(registry.names == ["issues.byStatus", "issues.byID", "issues.mine"])
    #expect(try registry.query("issues.mine", nil, nil).ast.table == "user")
    let below = defineQuery("issues.mine.open") { (_: AuthData?) in zql.issue }
    let nested = QueryRegistry<AuthData?>(IssueQueries.all + [below])
    #expect(nested.names == ["issues.byStatus", "issues.byID", "issues.mine.open"])
    #expect(nested["issues.mine"] == nil)
  }
}
