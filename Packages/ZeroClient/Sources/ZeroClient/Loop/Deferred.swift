import ZeroProtocol

/// A result that is there now or comes later, once: what the JavaScript API returns as a promise.
///
/// A failure is a `ZeroError`, or a `QueryError` of a query that the server refuses, or an error of
/// the app's own code. Read ``result`` without waiting, await ``value``, or register a closure with
/// ``onSettled(_:)``.
@MainActor public final class Deferred<Value: Sendable> {
  /// The result, or nil while it is pending.
  public private(set) var result: Result<Value, any Error>?

  private let loop: EventLoop
  private var continuations: [@MainActor (Result<Value, any Error>) -> Void] = []

  init(_ loop: EventLoop) { self.loop = loop }

  init(_ loop: EventLoop, settled result: Result<Value, any Error>) {
    self.loop = loop
    self.result = Self.reported(result)
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
    let result = Self.reported(result)
    self.result = result
    let continuations = self.continuations
    self.continuations = []
    for body in continuations { loop.microtask { body(result) } }
  }

  private static func reported(_ result: Result<Value, any Error>) -> Result<Value, any Error> {
    result.mapError { ZeroError.reported($0) }
  }

  func succeed(_ value: Value) { settle(.success(value)) }
  func fail(_ error: any Error) { settle(.failure(error)) }
}

extension Deferred where Value == Void {
  func succeed() { settle(.success(())) }
}
