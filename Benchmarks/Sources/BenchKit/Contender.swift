/// One way to do the work of a benchmark: ours or a peer's.
public struct Contender {
  public let name: String
  /// Does the work once and returns the seconds it took.
  let run: () throws -> Double

  /// A contender in this process. `setUp` makes what one round needs and is not timed.
  public init<Input>(
    _ name: String, setUp: @escaping () throws -> Input, _ work: @escaping (Input) throws -> Void
  ) {
    self.name = name
    run = {
      let input = try setUp()
      let start = ContinuousClock.now
      try work(input)
      return (ContinuousClock.now - start).seconds
    }
  }

  /// A contender in this process.
  public init(_ name: String, _ work: @escaping () throws -> Void) {
    self.init(name, setUp: {}, { _ in try work() })
  }

  /// A contender that measures itself.
  @_disfavoredOverload
  public init(_ name: String, measured: @escaping () throws -> Double) {
    self.name = name
    run = measured
  }

  /// The seconds of the best of some rounds, which other work on the machine disturbs least.
  public func best(of rounds: Int) throws -> Double {
    try (0..<rounds).map { _ in try run() }.min() ?? .nan
  }
}

extension Duration {
  /// This duration in seconds.
  public var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}
