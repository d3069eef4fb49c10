#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Runs `body` on a thread with as little stack as the threads of a concurrency pool have on Apple
/// platforms, so that recursion that is too deep ends the test process.
func onSmallStack(byteCount: Int = 512 << 10, _ body: @escaping @Sendable () -> Void) {
  final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, byteCount)
  defer { pthread_attr_destroy(&attributes) }
  let work = Unmanaged.passRetained(Work(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(
      &thread, &attributes,
      { work in
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
      }, work)
    if code == 0, let thread { pthread_join(thread, nil) }
  #else
    var thread = pthread_t()
    let code = pthread_create(
      &thread, &attributes,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
        return nil
      }, work)
    if code == 0 { pthread_join(thread, nil) }
  #endif
  precondition(code == 0, "no thread could be made: error \(code)")
}
