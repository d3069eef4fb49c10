/// The streams in which readers get the same elements: each until its reader stops, or until all end.
///
/// They end with this object, too: a stream whose source is just gone would let its reader wait for good.
@MainActor final class OpenStreams<Element: Sendable> {
  private var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
  private var lastID = 0

  isolated deinit { finish() }

  /// Opens another stream that begins with `first`.
  func open(
    _ first: [Element],
    _ policy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(of: Element.self, bufferingPolicy: policy)
    for element in first { continuation.yield(element) }
    lastID += 1
    let id = lastID
    continuations[id] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.continuations[id] = nil }
    }
    return stream
  }

  func yield(_ element: Element) {
    for continuation in continuations.values { continuation.yield(element) }
  }

  /// Ends the streams that are open now.
  func finish() {
    for continuation in continuations.values { continuation.finish() }
    continuations = [:]
  }
}
