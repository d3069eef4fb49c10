import ZeroProtocol

extension ClientEngine {
  /// Wraps changes of views as the options say.
  ///
  /// The app's closure is to call its argument once, at once. If it does not, the change is made after
  /// it returned: what came from the server or a mutator is never lost to what the app does. Calls
  /// after the first have no effect, also when they come later.
  /// - Throws: what `apply` throws.
  func batch(_ apply: @MainActor () throws -> Void) throws {
    guard let wrap = options.batchViewUpdates else { return try apply() }
    let change = BatchedChange()
    withoutActuallyEscaping(apply) { apply in
      change.apply = apply
      wrap { change.make() }
      if change.result == nil {
        reportUnappliedBatch()
        change.make()
      }
    }
    try change.result?.get()
  }

  // MARK: -

  private func reportUnappliedBatch() {
    guard !hasReportedUnappliedBatch else { return }
    hasReportedUnappliedBatch = true
    log.error(
      "batchViewUpdates returned without calling its argument; it must call it once, before it "
        + "returns. The change was made after it. This is not reported again.")
  }
}

/// A change that is made once. The closure handed to the app refers to this instead of the change, so
/// that it may outlive the call.
@MainActor private final class BatchedChange {
  var apply: (@MainActor () throws -> Void)?
  private(set) var result: Result<Void, any Error>?

  func make() {
    guard let apply else { return }
    self.apply = nil
    result = Result { try apply() }
  }
}
