import BenchKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Contender {
  /// A contender measured by the processor time of this thread, so that other work on the machine
  /// counts less. The engine and its peers here never wait.
  static func onProcessor<Input>(
    _ name: String, setUp: @escaping () throws -> Input, _ work: @escaping (Input) throws -> Void
  ) -> Contender {
    Contender(
      name,
      measured: {
        let input = try setUp()
        let start = processorSeconds()
        try work(input)
        return processorSeconds() - start
      })
  }

  static func onProcessor(_ name: String, _ work: @escaping () throws -> Void) -> Contender {
    onProcessor(name, setUp: {}, { _ in try work() })
  }

  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
