import Foundation

/// What this process has used of the machine.
public enum Processor {
  /// Seconds that all threads of this process ran.
  public static var processSeconds: Double { usage.processor }

  /// How often a thread of this process went to sleep and was woken again.
  public static var wakeups: Int { usage.waits }

  /// Seconds that the calling thread ran.
  public static var threadSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Bytes of memory that are resident; 0 where the system does not tell.
  public static var residentBytes: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else {
      return 0
    }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  private static var usage: (processor: Double, waits: Int) {
    var usage = rusage()
    #if canImport(Darwin)
      getrusage(RUSAGE_SELF, &usage)
    #else
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #endif
    let times = [usage.ru_utime, usage.ru_stime]
    let seconds = times.reduce(0.0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    return (seconds, Int(usage.ru_nvcsw))
  }
}
