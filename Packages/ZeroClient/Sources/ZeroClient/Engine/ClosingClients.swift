/// The databases that a new client has to wait for: those whose clients are still closing, and those
/// that are looked at.
@MainActor final class ClosingClients {
  private var waiting: [String: [@MainActor () -> Void]] = [:]
  /// How many clients of a database are closing.
  private var closingCounts: [String: Int] = [:]
  private var held: [String: [@MainActor () -> Void]] = [:]
  private var opening: Set<String> = []

  nonisolated init() {}

  func begin(_ name: String) {
    closingCounts[name, default: 0] += 1
    if waiting[name] == nil { waiting[name] = [] }
  }

  func end(_ name: String) {
    let count = closingCounts[name, default: 0] - 1
    closingCounts[name] = count > 0 ? count : nil
    guard count <= 0 else { return }
    for body in waiting.removeValue(forKey: name) ?? [] { whenClosed(name, body) }
  }

  /// Calls `body` now, or when the client of that name has closed.
  func whenClosed(_ name: String, _ body: @escaping @MainActor () -> Void) {
    if waiting[name] != nil {
      waiting[name]?.append(body)
    } else if held[name] != nil {
      held[name]?.append(body)
    } else {
      body()
    }
  }

  /// A client is opening the database.
  func beginOpening(_ name: String) { opening.insert(name) }
  /// The client has opened it, or given up.
  func endOpening(_ name: String) { opening.remove(name) }

  /// Keeps clients from opening a database until ``release(_:)``.
  /// - Returns: false if a client is just opening or closing it, or somebody else holds it.
  func hold(_ name: String) -> Bool {
    guard waiting[name] == nil, held[name] == nil, !opening.contains(name) else { return false }
    held[name] = []
    return true
  }

  func release(_ name: String) {
    for body in held.removeValue(forKey: name) ?? [] { whenClosed(name, body) }
  }
}
