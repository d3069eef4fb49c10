import IssueTracker
import IssueTrackerClient
import Testing
import ZeroClient

@testable import TerminalTracker

@MainActor @Suite("the issue tracker in the terminal") struct ScreenTests {
  let zero: Zero<TrackerSession>
  let model: ScreenModel

  init() async throws {
    zero = try Zero(
      schema: .issueTracker, context: TrackerSession(userID: nil),
      mutators: TrackerMutators.all)
    _ = try await zero.clientGroupID.value
    for (id, title) in [("a", "Fix login"), ("b", "Add export"), ("c", "Fix search")] {
      zero.mutate(
        TrackerMutators.createIssue(
          .init(
            id: id, projectId: "p1", title: title, creatorId: "u1",
            createdAt: Double(title.utf8.count))))
    }
    model = try ScreenModel(TrackerEngine(zero))
  }

  private var lines: [String] { ScreenText(width: 80, height: 12).lines(model) }

  private func type(_ text: String) {
    for character in text { model.press(.character(character)) }
  }

  @Test("the list shows issues and moves its mark")
  func list() {
    #expect(model.status == .loaded)
    #expect(lines.count == 12)
    let before = lines.firstIndex { $0.hasPrefix(">") }
    model.press(.down)
    #expect(lines.firstIndex { $0.hasPrefix(">") } == before.map { $0 + 1 })
    for _ in 0..<9 { model.press(.down) }
    #expect(model.selection == 2)
    for _ in 0..<9 { model.press(.up) }
    #expect(model.selection == 0)
  }

  @Test("a filter leaves what it names; escape takes it off")
  func filter() {
    type("/fix")
    #expect(model.input == .filter("fix"))
    #expect(lines.last?.contains("filter: fix_") == true)
    model.press(.enter)
    #expect(model.issues.map(\.id).sorted() == ["a", "c"])
    type("/")
    for _ in 0..<3 { model.press(.backspace) }
    type("nothing")
    model.press(.enter)
    #expect(lines.contains { $0.contains("nothing matches") } || model.status == .loading)
    model.press(.escape)
    #expect(model.issues.count == 3)
  }

  @Test("an issue is opened, renamed and moved to its next status")
  func detail() {
    model.press(.enter)
    guard case .detail(let id) = model.screen else { return #expect(Bool(false)) }
    #expect(model.issue?.id == id)
    let old = model.issue?.title ?? ""
    type("e")
    for _ in old { model.press(.backspace) }
    type("New title")
    model.press(.enter)
    #expect(model.issue?.title == "New title")
    #expect(lines.contains { $0.contains("New title") })
    type("s")
    #expect(model.issue?.status == .inProgress)
    #expect(model.pendingCount == 5)
    #expect(lines[0].contains("5 pending"))
    model.press(.escape)
    #expect(model.screen == .list)
  }

  @Test("an empty list says so or that it is loading, and q leaves")
  func emptyAndQuit() {
    type("p")
    #expect(model.issues.isEmpty)
    #expect(model.status == .loading || model.status == .empty)
    type("q")
    #expect(model.isFinished)
  }

  @Test("bytes of a terminal become keys")
  func keys() {
    #expect(Terminal.keys([0x1B, 0x5B, 0x41]) == [.up])
    #expect(Terminal.keys([0x1B]) == [.escape])
    #expect(Terminal.keys(Array("é\r".utf8)) == [.character("é"), .enter])
    #expect(Terminal.keys([0x7F]) == [.backspace])
    #expect(Terminal.keys([0x1B, 0x5B, 0x48]) == [])
  }
}
