public import ZeroProtocol

/// A scheduler whose time moves only when a test says so.
@MainActor public final class ManualScheduler: Scheduler {
  /// Wall-clock time when the scheduler was made, in milliseconds since 1970.
  public let wallStart: Double
  /// Milliseconds since the scheduler was made.
  public private(set) var monotonicTime: Double = 0
  /// Added to the wall clock only: lets a test make it jump.
  public var wallOffset: Double = 0

  private var timers: [Timer] = []
  private var armed: UInt64 = 0

  public init(wallStart: Double = 1_700_000_000_000) { self.wallStart = wallStart }

  public var wallTime: Double { wallStart + monotonicTime + wallOffset }

  public func after(
    _ delay: Duration, _ action: @escaping @MainActor () -> Void
  ) -> any SchedulerTimer {
    arm(deadline: monotonicTime + max(0, delay.milliseconds), interval: nil, action)
  }

  public func every(
    _ interval: Duration, _ action: @escaping @MainActor () -> Void
  ) -> any SchedulerTimer {
    let interval = interval.milliseconds
    return arm(deadline: monotonicTime + interval, interval: interval, action)
  }

  /// Moves time forward, firing everything that falls due on the way in order of deadline, timers of
  /// equal deadline in the order in which they were armed.
  public func advance(by duration: Duration) {
    let end = monotonicTime + duration.milliseconds
    while let next = nextDue(before: end) {
      monotonicTime = max(monotonicTime, next.deadline)
      fire(next)
    }
    monotonicTime = end
  }

  /// Number of timers that are armed.
  public var armedCount: Int { timers.count }

  /// When the next timer fires, in milliseconds of the monotonic clock.
  public var nextDeadline: Double? { timers.map(\.deadline).min() }

  // MARK: -

  private final class Timer: SchedulerTimer {
    var deadline: Double
    var order: UInt64
    let interval: Double?
    let action: @MainActor () -> Void
    weak var scheduler: ManualScheduler?

    init(
      deadline: Double, order: UInt64, interval: Double?, scheduler: ManualScheduler,
      action: @escaping @MainActor () -> Void
    ) {
      self.deadline = deadline
      self.order = order
      self.interval = interval
      self.scheduler = scheduler
      self.action = action
    }

    func cancel() { scheduler?.timers.removeAll { $0 === self } }
  }

  private func arm(
    deadline: Double, interval: Double?, _ action: @escaping @MainActor () -> Void
  ) -> any SchedulerTimer {
    armed += 1
    let timer = Timer(
      deadline: deadline, order: armed, interval: interval, scheduler: self, action: action)
    timers.append(timer)
    return timer
  }

  private func nextDue(before end: Double) -> Timer? {
    timers.filter { $0.deadline <= end }.min { ($0.deadline, $0.order) < ($1.deadline, $1.order) }
  }

  private func fire(_ timer: Timer) {
    if let interval = timer.interval {
      armed += 1
      timer.order = armed
      timer.deadline += interval
    } else {
      timer.cancel()
    }
    timer.action()
  }
}

extension Duration {
  /// This duration in milliseconds.
  var milliseconds: Double {
    Double(components.seconds) * 1000 + Double(components.attoseconds) / 1e15
  }
}
