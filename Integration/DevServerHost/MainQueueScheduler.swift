import Dispatch
public import ZeroProtocol

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The time of the operating system, with timers on the main queue.
@MainActor public final class MainQueueScheduler: Scheduler {
  private let start = DispatchTime.now()

  public init() {}

  public var wallTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return (Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6).rounded(.down)
  }

  public var monotonicTime: Double {
    Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e6
  }

  public func after(
    _ delay: Duration, _ action: @escaping @MainActor () -> Void
  ) -> any SchedulerTimer { Timer(delay, repeats: false, action) }

  public func every(
    _ interval: Duration, _ action: @escaping @MainActor () -> Void
  ) -> any SchedulerTimer { Timer(interval, repeats: true, action) }

  // MARK: -

  private final class Timer: SchedulerTimer {
    /// Nil once the timer is disarmed. The armed source keeps the timer alive.
    private var source: (any DispatchSourceTimer)?

    init(_ time: Duration, repeats: Bool, _ action: @escaping @MainActor () -> Void) {
      let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
      let source = DispatchSource.makeTimerSource(queue: .main)
      source.schedule(
        deadline: .now() + max(0, seconds), repeating: repeats ? max(0.001, seconds) : .infinity)
      source.setEventHandler {
        MainActor.assumeIsolated {
          guard self.source != nil else { return }
          if !repeats { self.cancel() }
          action()
        }
      }
      self.source = source
      source.resume()
    }

    func cancel() {
      source?.cancel()
      source = nil
    }
  }
}
