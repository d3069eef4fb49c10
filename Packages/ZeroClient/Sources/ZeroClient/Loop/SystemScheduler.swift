import Dispatch
public import ZeroProtocol

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Time as the operating system tells it; timers run on the main queue.
@MainActor public final class SystemScheduler: Scheduler {
  /// The scheduler of the process.
  public static let shared = SystemScheduler()

  private let start = DispatchTime.now().uptimeNanoseconds

  private init() {}

  /// Milliseconds since 1970, as the system's clock says.
  public var wallTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6).rounded(.down)
  }

  /// Milliseconds since the process began to use it. Does not go back.
  public var monotonicTime: Double {
    Double(DispatchTime.now().uptimeNanoseconds &- start) / 1e6
  }

  /// Runs `action` on the main queue after `delay`.
  public func after(
    _ delay: Duration, _ action: @escaping @MainActor () -> Void
  ) -> any SchedulerTimer {
    Timer(delay, repeating: nil, action)
  }

  /// Runs `action` on the main queue each time `interval` has passed.
  public func every(
    _ interval: Duration, _ action: @escaping @MainActor () -> Void
  ) -> any SchedulerTimer {
    Timer(interval, repeating: interval, action)
  }

  // MARK: -

  /// Owned by its pending source: the source's handler keeps the timer alive until it has fired or was
  /// cancelled.
  private final class Timer: SchedulerTimer {
    private var source: (any DispatchSourceTimer)?
    private let action: @MainActor () -> Void

    init(_ delay: Duration, repeating: Duration?, _ action: @escaping @MainActor () -> Void) {
      self.action = action
      let source = DispatchSource.makeTimerSource(queue: .main)
      self.source = source
      let deadline = DispatchTime.now() + .nanoseconds(delay.nanoseconds)
      if let repeating {
        source.schedule(deadline: deadline, repeating: .nanoseconds(max(1, repeating.nanoseconds)))
      } else {
        source.schedule(deadline: deadline)
      }
      let isOneShot = repeating == nil
      source.setEventHandler {
        MainActor.assumeIsolated { self.fire(isOneShot) }
      }
      source.resume()
    }

    func cancel() {
      source?.cancel()
      source = nil
    }

    private func fire(_ isOneShot: Bool) {
      guard source != nil else { return }
      if isOneShot { cancel() }
      action()
    }
  }
}

extension Duration {
  /// Whole nanoseconds, cut to what an `Int` holds.
  fileprivate var nanoseconds: Int {
    let (seconds, attoseconds) = components
    if seconds >= Int64(Int.max) / 1_000_000_000 { return .max }
    return max(0, Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
  }
}
