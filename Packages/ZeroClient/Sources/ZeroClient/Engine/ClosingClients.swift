/// The databases whose clients are still closing in this process: a new client of the same name waits.
@MainActor enum ClosingClients {
  private static var waiting: [String: [@MainActor () -> Void]] = [:]

  static func begin(_ name: String) { if waiting[name] == nil { waiting[name] = [] } }

  static func end(_ name: String) {
    let bodies = waiting.removeValue(forKey: name) ?? []
    for body in bodies { body() }
  }

  /// Calls `body` now, or when the last client of the name has closed.
  static func whenClosed(_ name: String, _ loop: EventLoop, _ body: @escaping @MainActor () -> Void)
  {
    if waiting[name] == nil {
      body()
    } else {
      waiting[name]?.append { loop.dispatch(body) }
    }
  }
}
