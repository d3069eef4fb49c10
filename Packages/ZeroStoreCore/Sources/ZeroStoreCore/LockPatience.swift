#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How long a store waits for a lock that another process holds.
public struct LockPatience: Sendable {
  /// The sum of the pauses after which it gives up.
  public let limit: Duration
  private let pause: @Sendable (Duration) -> Void

  /// Waits up to `limit` in all, with pauses that grow from 1 to 100 ms.
  public init(limit: Duration) {
    self.init(limit: limit) { duration in
      let (seconds, attoseconds) = duration.components
      var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
      nanosleep(&time, nil)
    }
  }

  /// Replaces sleeping, so that a test decides what happens while a store waits.
  @_spi(Testing) public init(limit: Duration, pause: @escaping @Sendable (Duration) -> Void) {
    self.limit = limit
    self.pause = pause
  }

  /// Pauses before try number `attempt`, counted from 1, or returns false if the limit is reached.
  public func pause(before attempt: Int) -> Bool {
    var waited = Duration.zero
    for earlier in 1..<max(1, attempt) { waited += Self.step(earlier) }
    let remaining = limit - waited
    guard remaining > .zero else { return false }
    pause(min(Self.step(attempt), remaining))
    return true
  }

  // MARK: -

  private static func step(_ attempt: Int) -> Duration {
    switch attempt {
    case ...1: .milliseconds(1)
    case 2: .milliseconds(2)
    case 3: .milliseconds(5)
    case 4: .milliseconds(10)
    case 5...8: .milliseconds(25)
    case 9...12: .milliseconds(50)
    default: .milliseconds(100)
    }
  }
}
