import ZeroProtocol

/// Pushes that wait for the backend, which runs one request of a group at a time.
struct PushQueue {
  struct Push {
    let connection: ConnectionID?
    let caller: BackendCaller
    var mutations: [PushedMutation]
    let body: JSONObject
  }

  private var waiting: [Push] = []
  private(set) var running: (number: Int, push: Push)?

  mutating func add(_ push: Push) { waiting.append(push) }

  /// The next request, if none is running: what one connection has pushed in a row is joined.
  mutating func next(_ number: () -> Int) -> (number: Int, push: Push)? {
    guard running == nil, !waiting.isEmpty else { return nil }
    var push = waiting.removeFirst()
    while let following = waiting.first, push.canBeJoined(by: following) {
      push.mutations += following.mutations
      waiting.removeFirst()
    }
    running = (number(), push)
    return running
  }

  /// The running request has been answered.
  mutating func finish(_ number: Int) -> Push? {
    guard let running, running.number == number else { return nil }
    self.running = nil
    return running.push
  }

  /// Drops what a connection has pushed and that did not start yet.
  mutating func drop(_ connection: ConnectionID) {
    waiting.removeAll { $0.connection == connection }
  }
}

extension PushQueue.Push {
  /// Internal mutations travel alone.
  fileprivate func canBeJoined(by other: Self) -> Bool {
    guard let connection, connection == other.connection else { return false }
    return body["pushVersion"] == other.body["pushVersion"]
      && !isInternal && !other.isInternal && caller.token == other.caller.token
  }

  fileprivate var isInternal: Bool { mutations.contains { $0.id == 0 } }
}
