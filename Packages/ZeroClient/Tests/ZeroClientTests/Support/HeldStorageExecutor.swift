@_spi(Engine) import ZeroClient

/// Storage work that waits until the test lets it run, as work on another thread may.
@MainActor final class HeldStorageExecutor: StorageExecutor {
  private var jobs: [@MainActor () -> Void] = []

  nonisolated init() {}

  func run<Result: Sendable>(
    _ job: @escaping @Sendable () -> Result,
    completion: @escaping @MainActor @Sendable (Result) -> Void
  ) {
    jobs.append { completion(job()) }
  }

  /// Runs what has waited longest.
  /// - Returns: false if nothing waits.
  @discardableResult
  func runOne() -> Bool {
    guard !jobs.isEmpty else { return false }
    jobs.removeFirst()()
    return true
  }

  /// Runs what waits and what that leads to.
  func runAll() {
    while !jobs.isEmpty { jobs.removeFirst()() }
  }
}
