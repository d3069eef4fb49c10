/// Ends a registration, such as of a listener. Releasing it does not.
@MainActor public final class Subscription {
  private var end: (@MainActor () -> Void)?

  init(_ end: @escaping @MainActor () -> Void) { self.end = end }

  /// Ends it. Doing it again has no effect.
  public func cancel() {
    end?()
    end = nil
  }
}
