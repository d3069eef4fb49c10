/// Time as the engine sees it: two clocks and timers, all on the main actor.
///
/// `ManualScheduler` of ZeroContracts stands in for it in tests, so that no test sleeps.
@MainActor public protocol Scheduler: Sendable {
  /// Wall-clock time in milliseconds since 1970, as JavaScript's `Date.now()`; may jump.
  var wallTime: Double { get }

  /// Milliseconds from an arbitrary start, as JavaScript's `performance.now()`; never goes back.
  var monotonicTime: Double { get }

  /// Runs `action` once, `delay` from now on the monotonic clock, as a task of its own.
  ///
  /// Timers of equal deadline fire in the order in which they were armed. A delay of zero or less
  /// fires after the current task, never during this call.
  func after(_ delay: Duration, _ action: @escaping @MainActor () -> Void) -> any SchedulerTimer

  /// Runs `action` every `interval`, first one interval from now, re-armed from the nominal time.
  func every(_ interval: Duration, _ action: @escaping @MainActor () -> Void) -> any SchedulerTimer
}

/// An armed timer.
@MainActor public protocol SchedulerTimer: AnyObject {
  /// Disarms the timer: its action does not run any more. Does nothing when it has fired or was
  /// cancelled. Releasing the timer does not disarm it.
  func cancel()
}
