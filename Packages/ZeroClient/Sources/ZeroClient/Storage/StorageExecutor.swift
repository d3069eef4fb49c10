import Dispatch

/// Where blocking storage work runs: one job after the other, off the main actor.
///
/// Tests replace it with one that runs jobs at once, so that nothing depends on threads.
@_spi(Engine) @MainActor public protocol StorageExecutor {
  /// Runs `job` after all earlier jobs, then `completion` on the main actor, in the order of the jobs
  /// and never during this call.
  func run<Result: Sendable>(
    _ job: @escaping @Sendable () -> Result,
    completion: @escaping @MainActor @Sendable (Result) -> Void)
}

/// Jobs on a serial queue of the system.
struct QueueStorageExecutor: StorageExecutor {
  private let queue: DispatchQueue

  init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

  func run<Result: Sendable>(
    _ job: @escaping @Sendable () -> Result,
    completion: @escaping @MainActor @Sendable (Result) -> Void
  ) {
    queue.async {
      let result = job()
      DispatchQueue.main.async { MainActor.assumeIsolated { completion(result) } }
    }
  }
}

/// Jobs at once, on the caller's thread; their completions are microtasks.
struct InlineStorageExecutor: StorageExecutor {
  let loop: EventLoop

  func run<Result: Sendable>(
    _ job: @escaping @Sendable () -> Result,
    completion: @escaping @MainActor @Sendable (Result) -> Void
  ) {
    let result = job()
    loop.microtask { completion(result) }
  }
}
