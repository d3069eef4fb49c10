import Foundation
import IssueTracker
import IssueTrackerClient
import Testing
import ZeroClient
import ZeroIVM
import ZeroProtocol
import ZeroTesting

@testable import ZeroDevServer

/// `drift.json` has the definitions of `Tests/Conformance/Vectors/transcripts/app`: queries as that
/// app's server was recorded to make them, in the client's names, and mutators with rows worked out
/// by hand.
@Suite("drift of the issue tracker") @MainActor
struct DriftTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "drift.json")

  private static func session(_ context: JSONValue?) throws -> TrackerSession {
    guard case .object(let object)? = context, case .string(let user)? = object["userID"]
    else { return TrackerSession(userID: nil) }
    return TrackerSession(userID: user)
  }

  @Test("queries and mutators in Swift do what those in TypeScript do")
  func drift() {
    #expect(
      Drift.failures(
        vectors: Self.file, schema: .issueTracker, queries: TrackerQueries.all,
        mutators: TrackerMutators.all, context: Self.session) == [])
  }

  @Test("structs agree with their tables")
  func tables() {
    #expect(
      GeneratedCode.failures(
        schema: .issueTracker,
        tables: [
          User.self, Project.self, Issue.self, Comment.self, Label.self, IssueLabel.self,
        ]) == [])
  }

  @Test("the server's queries are the client's")
  func server() throws {
    let registry = QueryRegistry(TrackerQueries.all)
    #expect(registry.names == IssueTrackerQueries.names + ["forbidden"])
    let samples: [(name: String, args: JSONValue?)] = [
      ("allUsers", nil), ("projects", nil), ("projects", .object(["archived": .bool(true)])),
      ("issuesByProject", .object(["projectId": .string("p1"), "limit": .number(20)])),
      ("issueDetail", .object(["id": .string("i1")])), ("visibleIssues", nil),
      ("issuesWithComments", nil), ("labels", nil),
    ]
    for (name, args) in samples {
      for user in ["u1", nil] {
        let own = try registry.query(name, args, TrackerSession(userID: user))
        let query = try #require(try IssueTrackerQueries.query(name, args, userID: user))
        #expect(try own.ast.hash() == query.ast.hash(), "\(name)")
        #expect(own.format == query.format, "\(name)")
      }
    }
  }

  @Test("a development server can serve the client's definitions")
  func serving() throws {
    var server = ServerRegistry()
    let registry = QueryRegistry(TrackerQueries.all)
    for name in registry.names {
      server.query(name) { args, context in
        try registry.query(name, args, TrackerSession(userID: context.userID)).ast
      }
    }
    let query = try #require(server.query(named: "visibleIssues"))
    let own = try TrackerQueries.visibleIssues().query(TrackerSession(userID: "u2"))
    #expect(try query(nil, ServerContext(userID: "u2")).hash() == own.hash())
    #expect(server.query(named: "issues").map { _ in true } == nil)
  }
}
