import Foundation
import Testing
import ZeroClient
import ZeroIVM
import ZeroProtocol
import ZeroTesting

@Suite("Drift") @MainActor
struct DriftTests {
  @Test("the example's definitions do what its file says, in both forms of the check")
  func example() throws {
    let queries = IssueQueries.all
    #expect(
      Drift.failures(
        vectors: DriftDocument.url, schema: .app, queries: queries, mutators: IssueMutators.all)
        == [])
    let data = try Data(contentsOf: DriftDocument.url)
    let ann = JSONValue.object(["userID": .string("ann")])
    #expect(
      Drift.failures(
        vectors: data, schema: .app, queries: queries, mutators: IssueMutators.all,
        context: { $0 == ann ? AuthData(userID: "ann") : nil }) == [])
    #expect(try DriftDocument().failures() == [])
  }

  @Test("a test off the main actor waits for the check")
  nonisolated func offMainActor() async {
    #expect(
      await Drift.failures(
        vectors: DriftDocument.url, schema: .app, queries: IssueQueries.all,
        mutators: IssueMutators.all) == [])
    let failures = await Drift.failures(
      vectors: DriftDocument.url, schema: .app, queries: IssueQueries.all,
      mutators: IssueMutators.all, context: { _ in AuthData(userID: "ann") })
    #expect(failures.map(\.sample) == ["nobody", "no context", "nobody"])
  }

  @Test("queries build the ASTs that those in TypeScript are known to build")
  func parity() {
    let file = DriftDocument.url.deletingLastPathComponent().appending(path: "parity.json")
    #expect(
      Drift.failures(
        vectors: file, schema: .app, queries: ParityQueries.all,
        mutators: []) == [])
  }

  @Test("the README has the example as it is tested")
  func readme() throws {
    let tests = DriftDocument.url.deletingLastPathComponent().deletingLastPathComponent()
    let readme = try String(
      contentsOf: tests.appending(path: "../../README.md").standardizedFileURL, encoding: .utf8)
    let example = try String(
      contentsOf: tests.appending(path: "ReadmeTests.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(example)```"))
  }

  @Test("names that one side lacks are told, for queries and mutators")
  func names() throws {
    let document = try DriftDocument()
    let other = defineQuery("issues.other") { (_: AuthData?) in zql.issue }
    let failures = document.failures(
      queries: [IssueQueries.byStatus, IssueQueries.mine, other],
      mutators: IssueMutators.all.filter { $0.name != "issue.notify" })
    #expect(
      failures.map { [$0.kind.description, $0.subject.description] } == [
        ["missingHere", "query issues.byID"], ["missingThere", "query issues.other"],
        ["missingHere", "mutator issue.notify"],
      ])
    let mutator = document.with("mutators", "issue.stamp", value: nil).failures()
    #expect(mutator.map(\.kind) == [.missingThere])
    #expect(mutator.first?.subject == .mutator("issue.stamp"))
  }

  @Test("two definitions with one name are told")
  func duplicates() throws {
    let failures = try DriftDocument().failures(
      queries: IssueQueries.all + [IssueQueries.mine])
    #expect(failures.map(\.kind) == [.duplicateName])
    #expect(failures.first?.subject == .query("issues.mine"))
  }

  @Test("another schema is told with both hashes")
  func schemaHash() throws {
    let failures = try DriftDocument().with("schemaHash", value: .string("abc")).failures()
    #expect(failures.map(\.kind) == [.schemaHash])
    #expect(failures.first?.subject == .schema)
    let message = failures.first?.message ?? ""
    #expect(message.contains("abc") && message.contains("3cpg5l8ya8yi9"))
  }

  @Test("a schema that cannot be used is told")
  func invalidSchema() throws {
    let failures = Drift.failures(
      vectors: try DriftDocument().bytes, schema: ZeroSchema(tables: [Issue.table]),
      queries: IssueQueries.all, mutators: IssueMutators.all)
    #expect(failures.map(\.kind) == [.schema])
  }

  @Test("a failure reads as subject, sample and what differs")
  func text() throws {
    let failures = try DriftDocument()
      .with("queries", "issues.mine", "samples", "ann", "queryID", value: .string("abc"))
      .failures()
    #expect(failures.map(\.kind) == [.queryID])
    #expect(
      failures.first?.description
        == "query issues.mine, sample \"ann\": recorded as abc, Swift asks for "
        + "\(queryID(name: "issues.mine", arguments: [])), of the text issues.mine:[]")
  }
}
