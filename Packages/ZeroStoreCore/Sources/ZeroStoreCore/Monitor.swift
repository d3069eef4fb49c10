#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mutex with a condition: state that threads wait on.
///
/// Safe to share: `state` is touched only while `mutex` is held.
final class Monitor<State>: @unchecked Sendable {
  /// In memory of its own, which the compiler lets be changed without a check: the mutex is one.
  private let state = UnsafeMutablePointer<State>.allocate(capacity: 1)
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init(_ state: sending State) {
    self.state.initialize(to: state)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Runs `body` alone. `body` must not call back into this monitor.
  @inline(__always)
  func withLock<Result, Failure: Error>(
    _ body: (inout State, Waiter) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee, Waiter(mutex: mutex, condition: condition))
  }

  /// Lets the holder of the lock wait for a change of the state, or announce one.
  struct Waiter {
    fileprivate let mutex: UnsafeMutablePointer<pthread_mutex_t>
    fileprivate let condition: UnsafeMutablePointer<pthread_cond_t>

    func wait() { pthread_cond_wait(condition, mutex) }
    func wakeAll() { pthread_cond_broadcast(condition) }
  }
}

/// Names the calling thread for as long as it runs.
@inline(__always)
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
