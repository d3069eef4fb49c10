import Foundation
import Testing
import ZeroClient

@MainActor @Suite("README") struct ReadmeTests {
  @Test("the README shows code that is compiled here")
  func text() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let example = try String(
      contentsOf: folder.appending(path: "ReadmeExample.swift"), encoding: .utf8)
    let readme = try String(contentsOf: folder.appending(path: "../../README.md"), encoding: .utf8)
    #expect(readme.contains("```swift\n" + example + "```"))
  }

  @Test("the README's example shows what it does at once")
  func example() async throws {
    let issues = try Issues(Session(user: "ann"), ZeroOptions())
    _ = try await issues.zero.clientGroupID.value
    issues.zero.mutate(IssueMutators.report(NewIssue(id: "1", title: "Old")))
    #expect(issues.popular.data.map(\.title) == ["Old"])
    issues.rename("1", to: "New")
    #expect(issues.popular.data.map(\.title) == ["New"])
  }
}
