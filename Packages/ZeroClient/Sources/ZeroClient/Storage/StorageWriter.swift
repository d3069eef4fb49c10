import ZeroProtocol

/// Writes to one store, in the background and in order.
///
/// A change is one job. Jobs that wait while a transaction runs, and those of one turn, go into one
/// transaction together: what a crash leaves is always a prefix of the jobs. After the first failure
/// nothing is written any more, since a gap must never be followed by later changes.
@MainActor final class StorageWriter {
  /// One change, as calls on a transaction. Runs on the storage executor.
  typealias Job = @Sendable (any StoreTransaction) throws -> Void

  private let store: any Store
  private let executor: any StorageExecutor
  private let loop: EventLoop
  /// Called once, with the first failure.
  private let onFailure: @MainActor (StoreError) -> Void

  private var waiting: [(job: Job, completion: (@MainActor (StoreError?) -> Void)?)] = []
  private var isWriting = false
  private var isScheduled = false
  private var onIdle: [@MainActor () -> Void] = []
  private var isClosed = false
  /// Why nothing is written any more.
  private(set) var failure: StoreError?

  init(
    store: any Store, executor: any StorageExecutor, loop: EventLoop,
    onFailure: @escaping @MainActor (StoreError) -> Void
  ) {
    self.store = store
    self.executor = executor
    self.loop = loop
    self.onFailure = onFailure
  }

  /// Number of changes that are not in the store yet.
  var waitingCount: Int { waiting.count + (isWriting ? 1 : 0) }

  /// What survives which failure once a change is written.
  var durability: StoreDurability { store.durability }

  /// Queues a change. `completion` gets nil when it is committed.
  func write(_ job: @escaping Job, completion: (@MainActor (StoreError?) -> Void)? = nil) {
    if let error = failure ?? (isClosed ? Self.closedError("") : nil) {
      if let completion { loop.microtask { completion(error) } }
      return
    }
    waiting.append((job, completion))
    schedule()
  }

  /// Calls `body` when everything queued so far is committed or has failed.
  func whenIdle(_ body: @escaping @MainActor () -> Void) {
    if !isWriting && waiting.isEmpty { loop.microtask(body) } else { onIdle.append(body) }
  }

  /// Calls `body` when everything queued so far is on stable storage.
  func sync(_ body: @escaping @MainActor (StoreError?) -> Void) {
    whenIdle { [self] in
      if let failure { return body(failure) }
      let store = store
      executor.run {
        do throws(StoreError) { try store.sync() } catch { return error }
        return StoreError?.none
      } completion: { [loop] error in
        loop.dispatch { body(error) }
      }
    }
  }

  /// Why a change is not written that comes after the end.
  static func closedError(_ database: String) -> StoreError {
    StoreError(
      .closed, database: database, message: "the client has closed its store; open a new client")
  }

  /// Closes the store after everything queued, also what is queued meanwhile.
  func close(_ body: @escaping @MainActor () -> Void) {
    whenIdle { [self] in
      guard !isWriting && waiting.isEmpty else { return close(body) }
      isClosed = true
      let store = store
      executor.run {
        store.close()
      } completion: { [loop] in
        loop.dispatch(body)
      }
    }
  }

  // MARK: -

  private func schedule() {
    guard !isWriting && !isScheduled else { return }
    isScheduled = true
    loop.atEndOfTurn { [self] in
      isScheduled = false
      start()
    }
  }

  private func start() {
    guard !isWriting, failure == nil, !waiting.isEmpty else { return }
    isWriting = true
    let batch = waiting
    waiting = []
    let jobs = batch.map(\.job)
    let store = store
    executor.run {
      do {
        try store.write { transaction in
          for job in jobs { try job(transaction) }
        }
        return StoreError?.none
      } catch let error as StoreError {
        return error
      } catch {
        return StoreError(.io, message: "a change could not be encoded for storage: \(error)")
      }
    } completion: { [loop] error in
      loop.dispatch { self.finish(batch.map(\.completion), error) }
    }
  }

  private func finish(
    _ completions: [(@MainActor (StoreError?) -> Void)?], _ error: StoreError?
  ) {
    isWriting = false
    for completion in completions { completion?(error) }
    if let error, failure == nil {
      failure = error
      let lost = waiting
      waiting = []
      for change in lost { change.completion?(error) }
      onFailure(error)
    }
    if waiting.isEmpty {
      let bodies = onIdle
      onIdle = []
      for body in bodies { body() }
    } else {
      start()
    }
  }
}
