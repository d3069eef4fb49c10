import Synchronization
public import ZeroProtocol

/// Decides what happens while a store waits for a lock, in the place of sleeping.
public final class LockPause: Sendable {
  private struct State {
    var remaining = 0
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  public init() {}

  /// Runs `action` at the pause after `pauses` more.
  public func plan(after pauses: Int, _ action: @escaping @Sendable () -> Void) {
    state.withLock { $0 = State(remaining: pauses, action: action) }
  }

  /// To be called instead of a pause.
  public func pause() {
    let action = state.withLock { state -> (@Sendable () -> Void)? in
      state.remaining -= 1
      guard state.remaining < 0 else { return nil }
      defer { state.action = nil }
      return state.action
    }
    action?()
  }
}

extension StoreContract {
  /// Checks that a database that another process holds for the first tries of an open is opened in the
  /// end, and that one it keeps is refused.
  /// - Parameters:
  ///   - worker: name of the executable that runs ``StoreWorker`` for this backend.
  ///   - folder: an empty folder.
  ///   - makeProvider: makes a provider that keeps its files in `folder`, waits a second in all and
  ///     calls the given closure instead of sleeping.
  public static func checkWaiting(
    worker: String, folder: String,
    _ makeProvider: (_ pause: @escaping @Sendable () -> Void) -> any StoreProvider
  ) throws {
    let lock = LockPause()
    let provider = makeProvider { lock.pause() }
    let holder = try WorkerProcess(worker: worker, arguments: ["hold", folder, "db"])
    try holder.expect("open")
    try requireError(.lockedByAnotherProcess, "a database that stays held") {
      _ = try provider.open("db", tables: ["t"])
    }
    lock.plan(after: 4) {
      holder.send("go")
      holder.wait()
    }
    let store = try provider.open("db", tables: ["t"])
    try store.set(StoreTable(0), bytes("k"), bytes("v"))
    store.close()
  }
}
