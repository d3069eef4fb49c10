import IssueTracker

/// What the terminal shows, as data with a status, and what keys do to it. Knows the engine, and nothing
/// of the terminal.
@MainActor final class ScreenModel {
  /// How far a screen's data has come.
  enum Status: Equatable {
    case loading, loaded, empty
    case failed(String)
  }

  /// What is on screen.
  enum Screen: Equatable {
    case list
    case detail(String)
  }

  /// Text that is being typed.
  enum Input: Equatable {
    case filter(String)
    case title(String)
  }

  enum Key: Equatable {
    case up, down, enter, escape, backspace
    case character(Character)
  }

  private let engine: TrackerEngine
  private(set) var screen = Screen.list
  private(set) var input: Input?
  private(set) var filter = ""
  private(set) var project = 1
  private(set) var isFinished = false
  private var selectedID: String?
  /// Called when something on screen may look different.
  var onChange: @MainActor () -> Void = {}

  init(_ engine: TrackerEngine) throws {
    self.engine = engine
    try engine.openList(project: "p1")
    engine.onChange = { [weak self] in self?.onChange() }
  }

  var connection: String { engine.connection }
  var pendingCount: Int { engine.pendingCount }
  var refusal: String? { engine.refusal }

  var issues: [Issue] {
    guard !filter.isEmpty else { return engine.issues.value }
    let wanted = filter.lowercased()
    return engine.issues.value.filter {
      $0.title.lowercased().contains(wanted) || $0.status.rawValue.contains(wanted)
    }
  }

  var issue: Issue? { engine.issue.value }

  var status: Status {
    switch screen {
    case .list: Self.status(engine.issues, isEmpty: issues.isEmpty)
    case .detail: Self.status(engine.issue, isEmpty: engine.issue.value == nil)
    }
  }

  /// The place of the selected issue in the list.
  var selection: Int { issues.firstIndex { $0.id == selectedID } ?? 0 }

  func press(_ key: Key) {
    if let input {
      type(key, into: input)
    } else {
      switch screen {
      case .list: pressInList(key)
      case .detail(let id): pressInDetail(key, id)
      }
    }
    onChange()
  }

  // MARK: -

  private static func status<Value>(
    _ answer: TrackerEngine.Answer<Value>, isEmpty: Bool
  ) -> Status {
    if let error = answer.error { return .failed(error) }
    if !isEmpty { return .loaded }
    return answer.isComplete ? .empty : .loading
  }

  private func pressInList(_ key: Key) {
    switch key {
    case .up: select(selection - 1)
    case .down: select(selection + 1)
    case .enter:
      guard issues.indices.contains(selection) else { return }
      open(issues[selection].id)
    case .character("/"): input = .filter(filter)
    case .character("p"): nextProject()
    case .character("r"): engine.reconnect()
    case .character("q"): isFinished = true
    case .escape: filter = ""
    default: engine.acknowledgeRefusals()
    }
  }

  private func pressInDetail(_ key: Key, _ id: String) {
    switch key {
    case .escape, .character("q"):
      engine.closeDetail()
      screen = .list
    case .character("e"): input = .title(issue?.title ?? "")
    case .character("s"):
      if let issue { engine.setStatus(id, issue.status.next) }
    case .character("r"): engine.reconnect()
    default: engine.acknowledgeRefusals()
    }
  }

  private func type(_ key: Key, into input: Input) {
    var text =
      switch input {
      case .filter(let text), .title(let text): text
      }
    switch key {
    case .escape:
      self.input = nil
      return
    case .enter:
      self.input = nil
      switch (input, screen) {
      case (.filter, _): filter = text
      case (.title, .detail(let id)): engine.rename(id, to: text)
      case (.title, .list): break
      }
      return
    case .backspace: _ = text.popLast()
    case .character(let character): text.append(character)
    case .up, .down: return
    }
    if case .filter = input { self.input = .filter(text) } else { self.input = .title(text) }
  }

  private func select(_ place: Int) {
    let issues = issues
    guard !issues.isEmpty else { return }
    selectedID = issues[max(0, min(issues.count - 1, place))].id
  }

  private func open(_ id: String) {
    selectedID = id
    guard (try? engine.openDetail(id)) != nil else { return }
    screen = .detail(id)
  }

  private func nextProject() {
    project = project % 2 + 1
    selectedID = nil
    try? engine.openList(project: "p\(project)")
  }
}

extension IssueStatus {
  /// The status that follows this one.
  var next: IssueStatus {
    switch self {
    case .open: .inProgress
    case .inProgress: .closed
    case .closed: .open
    }
  }
}
