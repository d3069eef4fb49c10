/// The one door into the engine: every call of the app, timer, socket event and completion of
/// background work runs inside ``dispatch(_:)``.
///
/// Where the reference continues a promise, the engine queues a microtask. The queue is drained when
/// the outermost dispatch returns, so nothing inside a turn is ever re-entered by its consequences.
@MainActor final class EventLoop {
  /// The loop that clients share unless a test gives them their own: as in a JavaScript process, a
  /// call into one client from a listener of another is part of the same turn.
  static let shared = EventLoop()

  /// Clients of this loop that are closing.
  let closing = ClosingClients()

  private var depth = 0
  private var microtasks = FIFO<@MainActor () -> Void>()
  private var endOfTurn = FIFO<@MainActor () -> Void>()

  /// Runs `body`; the outermost call then runs microtasks until none is left.
  func dispatch<Result>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    depth += 1
    defer {
      if depth == 1 { drain() }
      depth -= 1
    }
    return try body()
  }

  /// Queues `task` behind the microtasks that wait already.
  func microtask(_ task: @escaping @MainActor () -> Void) {
    microtasks.append(task)
    if depth == 0 { dispatch {} }
  }

  /// Queues `task` for when no microtask is left in this turn. What it queues runs before the next
  /// task of this kind.
  func atEndOfTurn(_ task: @escaping @MainActor () -> Void) {
    endOfTurn.append(task)
    if depth == 0 { dispatch {} }
  }

  // MARK: -

  private func drain() {
    while true {
      if let task = microtasks.popFirst() {
        task()
      } else if let task = endOfTurn.popFirst() {
        task()
      } else {
        return
      }
    }
  }
}
