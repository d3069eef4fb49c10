public import ZeroProtocol

/// Admits closures to a store: any number of readers, one writer, nobody after `close`.
///
/// Every backend has one and brackets each closure with `begin…` and `end…`. It knows which threads
/// are inside, so that a write in a write fails instead of deadlocking and a close from inside a
/// closure waits for nobody.
public final class StoreGate: Sendable {
  private struct State {
    /// One entry per running closure: the thread it runs on. Short: scanned linearly.
    var running: [UInt] = []
    var writer: UInt?
    /// Readers are held off until the writer has done something that no reader survives.
    var isExclusive = false
    var phase = Phase.open
  }

  private enum Phase {
    case open
    /// The release runs when the last closure ends, on whichever thread that is.
    case closing(release: @Sendable () -> Void)
    case closed
  }

  private let database: String
  private let state: Monitor<State>

  /// A gate for the store of `database`, which is named in errors.
  public init(database: String) {
    self.database = database
    var initial = State()
    initial.running.reserveCapacity(8)
    state = Monitor(initial)
  }

  /// Admits a reader.
  /// - Throws: `closed` after `close`.
  public func beginRead() throws(StoreError) {
    try state.withLock { state, waiter throws(StoreError) in
      let thread = currentThread()
      while true {
        guard case .open = state.phase else { throw closedError() }
        // A reader that is inside already may go deeper: it is being waited for.
        if !state.isExclusive || state.running.contains(thread) { break }
        waiter.wait()
      }
      state.running.append(thread)
    }
  }

  /// Ends what ``beginRead()`` admitted, on the same thread.
  public func endRead() { end(writing: false) }

  /// Admits a writer, waiting for the one before it.
  /// - Throws: `closed` after `close`, `misuse` if this thread is inside a write of this store.
  public func beginWrite() throws(StoreError) {
    let thread = currentThread()
    try state.withLock { state, waiter throws(StoreError) in
      while true {
        guard case .open = state.phase else { throw closedError() }
        guard let writer = state.writer else { break }
        if writer == thread {
          throw StoreError(
            .misuse, database: database,
            message: "a write was started inside a write on the same store; use the open one")
        }
        waiter.wait()
      }
      state.writer = thread
      state.running.append(thread)
    }
  }

  /// Ends what ``beginWrite()`` admitted, on the same thread.
  public func endWrite() { end(writing: true) }

  /// Runs `body` inside a write while no reader is admitted, after the running ones have ended.
  ///
  /// Returns false without running it if they have not ended within `patience`. A read on this very
  /// thread, around the write, never does.
  public func withoutReaders(
    patience: LockPatience, _ body: () throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    state.withLock { state, _ in state.isExclusive = true }
    defer {
      state.withLock { state, waiter in
        state.isExclusive = false
        waiter.wakeAll()
      }
    }
    var attempt = 0
    while state.withLock({ state, _ in state.running.count > 1 }) {
      attempt += 1
      guard patience.pause(before: attempt) else { return false }
    }
    try body()
    return true
  }

  /// Throws `closed` after `close`.
  public func checkOpen() throws(StoreError) {
    try state.withLock { state, _ throws(StoreError) in
      guard case .open = state.phase else { throw closedError() }
    }
  }

  /// Refuses new closures, waits for the running ones, then calls `release` once.
  ///
  /// From inside a closure it returns at once and `release` runs when the last closure ends. A second
  /// close only waits until the first is done.
  public func close(_ release: @escaping @Sendable () -> Void) {
    let runsRelease = state.withLock { state, waiter -> Bool in
      let isInside = state.running.contains(currentThread())
      switch state.phase {
      case .open:
        state.phase = .closing(release: release)
        waiter.wakeAll()
        if isInside { return false }
        while !state.running.isEmpty { waiter.wait() }
        return true
      case .closing:
        while !isInside {
          if case .closed = state.phase { break }
          waiter.wait()
        }
        return false
      case .closed: return false
      }
    }
    if runsRelease { finish() }
  }

  // MARK: -

  private func end(writing: Bool) {
    let thread = currentThread()
    let isLast = state.withLock { state, waiter -> Bool in
      if let index = state.running.lastIndex(of: thread) { state.running.remove(at: index) }
      if writing { state.writer = nil }
      guard case .closing = state.phase else {
        if writing { waiter.wakeAll() }
        return false
      }
      waiter.wakeAll()
      return state.running.isEmpty
    }
    if isLast { finish() }
  }

  /// Runs the release exactly once, also when the closing thread and the last closure's thread both
  /// get here.
  private func finish() {
    let release = state.withLock { state, _ -> (@Sendable () -> Void)? in
      guard case .closing(let release) = state.phase else { return nil }
      state.phase = .closing(release: {})
      return release
    }
    release?()
    state.withLock { state, waiter in
      state.phase = .closed
      waiter.wakeAll()
    }
  }

  private func closedError() -> StoreError {
    StoreError(
      .closed, database: database, message: "the store was closed; open the database again")
  }
}
