import ZeroProtocol

extension ClientEngine {
  /// Wraps changes of views as the options say.
  ///
  /// The app's closure is to call its argument once, at once. If it does not, the change is made after
  /// it returned: what came from the server or a mutator is never lost to what the app does. Calls
  /// after the first have no effect.
  /// - Throws: what `apply` throws.
  func batch(_ apply: @MainActor () throws -> Void) throws {
    guard let wrap = options.batchViewUpdates else { return try apply() }
    var result: Result<Void, any Error>?
    wrap { if result == nil { result = Result { try apply() } } }
    if result == nil {
      reportUnappliedBatch()
      try apply()
    }
    try result?.get()
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
