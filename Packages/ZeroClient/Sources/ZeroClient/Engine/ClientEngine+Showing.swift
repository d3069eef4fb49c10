import ZeroIVM
import ZeroProtocol

extension ClientEngine {
  /// Applies a change to the sources and tells the views' listeners.
  ///
  /// Rows that a view cannot take, such as values that have no order, break the sources. They are then
  /// made anew with the change. Views that cannot be opened on them keep what they showed, tell their
  /// listeners why, and are tried again at every later change.
  /// - Parameter isDetaching: whether the views are built anew after the change instead of following it.
  /// - Throws: what the change threw.
  func showChange(detaching isDetaching: Bool = false, _ change: () throws -> Void) throws {
    var failure: (any Error)?
    try batch {
      if isDetaching {
        for view in views.all { view.detach() }
        hasDetachedViews = true
      }
      do {
        try change()
      } catch {
        failure = error
      }
      if rows.branch.failure == nil {
        rows.commit()
      } else {
        for view in views.all { view.detach() }
        hasDetachedViews = true
        try rows.rebuild()
      }
      attachViews()
    }
    if let failure { throw failure }
  }

  // MARK: -

  private func attachViews() {
    guard hasDetachedViews else { return }
    hasDetachedViews = false
    var changed: [EngineView] = []
    for view in views.all where view.isDetached {
      if view.reopen(rows.branch) { changed.append(view) }
      if let failure = view.failure {
        hasDetachedViews = true
        log.error("a view cannot follow the rows: \(failure)")
      }
    }
    for view in changed { view.notify() }
  }
}
