import ZeroProtocol

/// Whether the app counts as visible: at once when it is shown, after a delay when it is hidden.
@MainActor final class Visibility {
  private(set) var isVisible: Bool
  var onChange: @MainActor () -> Void = {}
  /// The app was shown, also if it did not count as hidden yet.
  var onShown: @MainActor () -> Void = {}

  private let activity: AppActivity
  private let delay: Duration
  private let scheduler: any Scheduler
  private let loop: EventLoop
  private var timer: (any SchedulerTimer)?
  private var listenerID: Int?

  init(_ activity: AppActivity, delay: Duration, scheduler: any Scheduler, loop: EventLoop) {
    self.activity = activity
    self.delay = delay
    self.scheduler = scheduler
    self.loop = loop
    isVisible = activity.isVisible
    listenerID = activity.listen { [weak self] isVisible in
      guard let self else { return }
      loop.dispatch { self.activityChanged(isVisible) }
    }
  }

  func stop() {
    timer?.cancel()
    timer = nil
    if let listenerID { activity.ignore(listenerID) }
    listenerID = nil
  }

  // MARK: -

  private func activityChanged(_ isShown: Bool) {
    timer?.cancel()
    timer = nil
    if isShown {
      onShown()
      set(true)
    } else {
      timer = scheduler.after(delay) { [weak self] in
        guard let self else { return }
        loop.dispatch { self.set(false) }
      }
    }
  }

  private func set(_ isVisible: Bool) {
    timer = nil
    guard self.isVisible != isVisible else { return }
    self.isVisible = isVisible
    onChange()
  }
}
