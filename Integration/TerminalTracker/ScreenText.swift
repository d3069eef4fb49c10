import IssueTracker

/// Draws a screen model as lines of text. Knows the model, and nothing of keys or sockets.
@MainActor struct ScreenText {
  let width: Int
  let height: Int

  /// The lines of the screen, from the top, exactly `height` of them.
  func lines(_ model: ScreenModel) -> [String] {
    let body = max(1, height - 3)
    var lines = [header(model)]
    switch model.screen {
    case .list: lines += list(model, body)
    case .detail: lines += detail(model)
    }
    lines = Array(lines.prefix(body + 1))
    while lines.count < body + 1 { lines.append("") }
    lines.append(model.refusal.map { "! \($0) (any key)" } ?? "")
    lines.append(footer(model))
    return lines.map { fit($0) }
  }

  // MARK: -

  private func header(_ model: ScreenModel) -> String {
    let pending = model.pendingCount == 0 ? "" : "  \(model.pendingCount) pending"
    return " Issues of p\(model.project)   \(model.connection)\(pending)"
  }

  private func footer(_ model: ScreenModel) -> String {
    switch (model.input, model.screen) {
    case (.filter(let text)?, _): "filter: \(text)_   enter: apply   esc: back"
    case (.title(let text)?, _): "title: \(text)_   enter: save   esc: back"
    case (nil, .list): "↑↓ move   enter open   / filter   p project   r reconnect   q quit"
    case (nil, .detail): "e edit title   s next status   r reconnect   esc back"
    }
  }

  private func list(_ model: ScreenModel, _ body: Int) -> [String] {
    switch model.status {
    case .loading: return ["", "  loading…"]
    case .empty:
      return ["", model.filter.isEmpty ? "  no issues" : "  nothing matches \"\(model.filter)\""]
    case .failed(let error): return ["", "  failed: \(error)"]
    case .loaded: break
    }
    let issues = model.issues
    let first = max(0, min(model.selection - body / 2, issues.count - body))
    return issues.dropFirst(first).prefix(body).enumerated().map { place, issue in
      let mark = first + place == model.selection ? ">" : " "
      let labels = (issue.labels ?? []).map { "#\($0.name)" }.joined(separator: " ")
      return "\(mark) \(pad(issue.status.rawValue, 12)) \(pad(issue.title, 42)) "
        + "\(pad(issue.creator?.name ?? "", 10)) \(labels)"
    }
  }

  private func detail(_ model: ScreenModel) -> [String] {
    guard let issue = model.issue else {
      switch model.status {
      case .failed(let error): return ["", "  failed: \(error)"]
      case .empty: return ["", "  this issue is gone"]
      case .loading, .loaded: return ["", "  loading…"]
      }
    }
    var lines = [
      "", "  \(issue.title)", "",
      "  status    \(issue.status.rawValue)",
      "  priority  \(Int(max(-1e9, min(1e9, issue.priority))))",
      "  assignee  \(issue.assignee?.name ?? "nobody")", "",
    ]
    if let description = issue.description { lines += ["  \(description)", ""] }
    for comment in issue.comments ?? [] {
      lines.append("  \(comment.author?.name ?? "?"): \(comment.body)")
    }
    return lines
  }

  private func pad(_ text: String, _ count: Int) -> String {
    let cut = String(text.prefix(count))
    return cut + String(repeating: " ", count: count - cut.count)
  }

  /// Cuts a line to the width, without line breaks and control characters.
  private func fit(_ line: String) -> String {
    let clean = line.map { character in
      character.isNewline || character.unicodeScalars.contains { $0.value < 0x20 }
        ? " " : character
    }
    return String(clean.prefix(width))
  }
}
