import Foundation
import Testing

/// The processor time that a test takes on its thread. Unlike a time limit it does not count how long
/// the test waits for a processor, which on a busy machine is longer than any work.
struct BoundedWork {
  private let start = Self.now()

  /// What grows with the size takes a second or two; what grows with its square takes minutes.
  func check() {
    let seconds = Double(Self.now() - start) / 1e9
    #expect(seconds < 60, "it took \(seconds) s of processor time")
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
  }
}
