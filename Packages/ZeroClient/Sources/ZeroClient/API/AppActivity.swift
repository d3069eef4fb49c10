/// Whether the app is in sight. A client whose app is hidden for a while disconnects; it reconnects at
/// once when the app is shown.
@MainActor public final class AppActivity {
  /// Set it from the app's life cycle.
  public var isVisible: Bool {
    didSet { if isVisible != oldValue { ListenerList.call(isVisible) { listeners } } }
  }

  private var listeners = ListenerList<Bool>()

  /// - Parameter isVisible: whether the app is in sight from the start.
  public init(isVisible: Bool = true) { self.isVisible = isVisible }

  // MARK: -

  func listen(_ listener: @escaping @MainActor (Bool) -> Void) -> Int { listeners.add(listener) }
  func ignore(_ id: Int) { listeners.remove(id) }
}
