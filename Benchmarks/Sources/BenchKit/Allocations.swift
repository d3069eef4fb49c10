import CBenchAllocations

/// Counts of the allocator for the calling thread.
public enum Allocations {
  /// Runs `body` and says how many heap blocks this thread asked for meanwhile. Always zero where the
  /// C library is not glibc.
  public static func count(_ body: () throws -> Void) rethrows -> Int {
    let before = bench_allocation_count()
    try body()
    return Int(bench_allocation_count() - before)
  }

  /// Runs `body` and gives its result with the bytes of heap that are in use more than before.
  public static func retained<Result>(_ body: () throws -> Result) rethrows -> (Result, bytes: Int)
  {
    let before = bench_heap_bytes_in_use()
    let result = try body()
    return (result, Int(bench_heap_bytes_in_use()) - Int(before))
  }
}
