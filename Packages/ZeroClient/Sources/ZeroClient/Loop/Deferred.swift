/// A result that is there now or comes later, once: what the JavaScript API returns as a promise.
///
/// Read ``result`` without waiting, await ``value``, or register a closure with ``onSettled(_:)``.
@MainActor public final class Deferred<Value: Sendable> {
  /// The result, or nil while it is pending.
  public private(set) var result: Result<Value, any Error>?

  private let loop: EventLoop
  private var continuations: [@MainActor (Result<Value, any Error>) -> Void] = []

  init(_ loop: EventLoop) { self.loop = loop }

  init(_ loop: EventLoop, settled result: Result<Value, any Error>) {
    self.loop = loop
    self.result = result
  }

  /// The value, as soon as there is one. Cancelling the awaiting task does not cancel what is awaited.
  ///
  /// The awaiting code resumes as a job of its own after the turn in which the result came.
  /// - Throws: the failure.
  public var value: Value {
    get async throws {
      try await withCheckedContinuation { continuation in
        onSettled { continuation.resume(returning: $0) }
      }.get()
    }
  }

  /// Calls `body` with the result: in a microtask after it comes, in order of registration; when it is
  /// there already, at the end of the current turn.
  public func onSettled(_ body: @escaping @MainActor (Result<Value, any Error>) -> Void) {
    if let result {
      loop.microtask { body(result) }
    } else {
      continuations.append(body)
    }
  }

  // MARK: -

  /// Settles; a second call does nothing.
  func settle(_ result: Result<Value, any Error>) {
    guard self.result == nil else { return }
    self.result = result
    let continuations = self.continuations
    self.continuations = []
    for body in continuations { loop.microtask { body(result) } }
  }

  func succeed(_ value: Value) { settle(.success(value)) }
  func fail(_ error: any Error) { settle(.failure(error)) }
}

extension Deferred where Value == Void {
  func succeed() { settle(.success(())) }
}
