import Foundation
import Testing
import ZeroTesting

@MainActor struct AppTests {
  let vectors = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Files/example.json")

  @Test("Swift does what TypeScript does")
  func drift() {
    #expect(
      Drift.failures(
        vectors: vectors, schema: .app,
        queries: [IssueQueries.byStatus, IssueQueries.mine, IssueQueries.byID],
        mutators: IssueMutators.all) == [])
  }

  @Test("structs agree with their tables")
  func tables() {
    #expect(
      GeneratedCode.failures(schema: .app, tables: [User.self, Issue.self, Comment.self]) == [])
  }
}
