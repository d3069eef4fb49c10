/// The clock that ages queries nobody wants: it runs only while a group has a connection.
struct TTLClock: Sendable {
  /// Milliseconds it had run when it was last stopped.
  private(set) var elapsed: Double
  /// When it was started, in milliseconds of the caller's clock; nil while it stands.
  private var startedAt: Double?

  init(elapsed: Double = 0) { self.elapsed = elapsed }

  /// Milliseconds it has run.
  func read(at now: Double) -> Double { elapsed + (startedAt.map { max(0, now - $0) } ?? 0) }

  mutating func start(at now: Double) { startedAt = startedAt ?? now }

  mutating func stop(at now: Double) {
    elapsed = read(at: now)
    startedAt = nil
  }
}
