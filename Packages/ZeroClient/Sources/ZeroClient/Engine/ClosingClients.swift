/// The databases whose clients are still closing: a new client of the same name waits for them.
@MainActor final class ClosingClients {
  private var waiting: [String: [@MainActor () -> Void]] = [:]

  nonisolated init() {}

  func begin(_ name: String) { if waiting[name] == nil { waiting[name] = [] } }

  func end(_ name: String) {
    let bodies = waiting.removeValue(forKey: name) ?? []
    for body in bodies { body() }
  }

  /// Calls `body` now, or when the client of that name has closed.
  func whenClosed(_ name: String, _ body: @escaping @MainActor () -> Void) {
    if waiting[name] == nil { body() } else { waiting[name]?.append(body) }
  }
}
