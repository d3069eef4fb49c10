import ZeroProtocol

/// What the run loop has done for it.
@MainActor protocol RunLoopHost: AnyObject {
  /// Makes one attempt to connect. `finish` is called once, in a microtask of its own.
  func attempt(_ finish: @escaping @MainActor (ZeroError?) -> Void)
  func sendPing()
  func disconnect(_ reason: ZeroError)
  /// Whether the app is visible, as far as connecting goes.
  var isVisible: Bool { get }
  var pingTimeout: Duration { get }
  /// ``RunLoop/retryAt`` is another one.
  func retryTimeChanged()
  /// Called with what a failed attempt asks of the next ones; nil asks for nothing.
  func setReconnectParameters(_ parameters: NamedValues<String>?)
}

/// The course of connecting, staying connected, and trying again: a sequence of phases, each of which
/// waits for the first of some events and then leads to the next in a microtask.
@MainActor final class RunLoop {
  /// The pause after a failure that does not ask for another one.
  static let retryDelay: Double = 5000
  /// The longest pause that a server can ask for. The reference waits as long as it is told, for days if
  /// need be; whoever needs more than this can refuse the next attempt too.
  static let longestDelay: Double = 300_000
  /// The shortest pause, but for the first attempt after ``retryDelay`` without another short one. The
  /// reference does not wait at all for zero or less, and asks a server that always says so without end.
  static let shortestDelay: Double = 1000

  private enum Phase {
    case between, invisible, attempting, idle, pinging, paused, retryPause, ended
  }

  private unowned let host: any RunLoopHost
  private let manager: ConnectionManager
  private let scheduler: any Scheduler
  private let loop: EventLoop
  private var phase = Phase.between
  private var timer: (any SchedulerTimer)?
  /// When a server last asked for less than ``shortestDelay``.
  private var lastShortDelay: Double?
  /// Whether the network came or changed since this attempt or ping began: its failure says nothing about
  /// the next.
  private var isNetworkNew = false

  init(
    host: any RunLoopHost, manager: ConnectionManager, scheduler: any Scheduler, loop: EventLoop
  ) {
    self.host = host
    self.manager = manager
    self.scheduler = scheduler
    self.loop = loop
    manager.afterPublication = { [weak self] in self?.stateChanged(to: $0) }
  }

  /// Starts, in a microtask.
  func start() { loop.microtask { self.top() } }

  /// Ends for good. Nothing waits any more.
  func stop() { enter(.ended) }

  /// A message came that shows the connection to be alive.
  func messageReceived() { if phase == .idle { leave { self.top() } } }

  /// The answer to a ping.
  func pongReceived() { if phase == .pinging { leave { self.top() } } }

  /// The app was shown or hidden.
  func visibilityChanged() {
    switch phase {
    case .invisible: if host.isVisible { leave { self.attempt() } }
    case .idle: if !host.isVisible { leave { self.hide() } }
    default: break
    }
  }

  /// The app asks for a connection.
  func connectRequested() { if phase == .paused { leave { self.resume() } } }

  /// The network is back, or another one: no reason to wait with the next attempt.
  func networkBecameAvailable() {
    switch phase {
    case .retryPause: leave { self.top() }
    case .attempting, .pinging: isNetworkNew = true
    case .between, .invisible, .idle, .paused, .ended: break
    }
  }

  /// The network changed. A connection may still work: find out now. An attempt hangs on the network that
  /// was there when it began: begin another.
  func networkChanged() {
    switch phase {
    case .idle: leave { self.ping() }
    case .attempting:
      isNetworkNew = true
      host.disconnect(
        .client(ClientError(.abruptClose, "the network changed during the attempt to connect")))
    case .retryPause, .pinging: networkBecameAvailable()
    case .between, .invisible, .paused, .ended: break
    }
  }

  /// When the next attempt begins, in monotonic time, while the loop pauses before it.
  private(set) var retryAt: Double?

  // MARK: -

  private func top() {
    guard phase == .between else { return }
    switch manager.state {
    case .closed: enter(.ended)
    case .connecting, .disconnected:
      if host.isVisible { attempt() } else { enter(.invisible) }
    case .connected: idle()
    case .needsAuth, .error:
      enter(.paused)
      resumeIfRequested()
    }
  }

  private func attempt() {
    enter(.attempting)
    isNetworkNew = false
    host.attempt { [weak self] failure in
      guard let self, phase == .attempting else { return }
      enter(.between)
      if let failure { failed(failure) } else { check(manager.state) }
    }
  }

  private func idle() {
    if !host.isVisible {
      enter(.between)
      return hide()
    }
    enter(.idle)
    timer = after(host.pingTimeout) { $0.ping() }
  }

  private func ping() {
    guard manager.isConnected else { return top() }
    enter(.pinging)
    isNetworkNew = false
    host.sendPing()
    timer = after(host.pingTimeout) { loop in
      let reason = ZeroError.client(ClientError(.pingTimeout, "Server ping request failed"))
      loop.host.disconnect(reason)
      loop.failed(reason)
    }
  }

  private func hide() {
    host.disconnect(
      .client(ClientError(.hidden, "Connection closed because tab was hidden")))
    top()
  }

  private func resumeIfRequested() {
    if phase == .paused, manager.isConnectRequested { leave { self.resume() } }
  }

  private func resume() {
    _ = manager.resume()
    top()
  }

  private func stateChanged(to state: ConnectionManager.State) {
    switch phase {
    case .idle, .pinging, .invisible: leave { self.check(state) }
    case .paused: leave { self.top() }
    case .between, .attempting, .retryPause, .ended: break
    }
  }

  /// Whether a change of state is a failure to be followed up, or just the next thing.
  private func check(_ state: ConnectionManager.State) {
    if let failure = state.failure { failed(failure) } else { top() }
  }

  private func failed(_ error: ZeroError) {
    switch error.transition {
    case .keepConnecting:
      var delay = isNetworkNew ? 0 : Self.retryDelay
      isNetworkNew = false
      if let backoff = error.backoff {
        delay = bounded(backoff.delay(standard: Self.retryDelay))
        host.setReconnectParameters(backoff.reconnectParams)
      }
      guard delay > 0 else { return loop.microtask { self.top() } }
      enter(.retryPause)
      retryAt = scheduler.monotonicTime + delay
      host.retryTimeChanged()
      timer = after(.clamping(milliseconds: delay)) { $0.top() }
    case .needsAuth:
      manager.needsAuth(error)
      top()
    case .error:
      manager.error(error)
      top()
    case .disconnected:
      manager.disconnected(error)
      top()
    case .closed: top()
    }
  }

  /// The pause that the server asked for, within what makes sense.
  private func bounded(_ delay: Double) -> Double {
    guard !delay.isNaN else { return Self.retryDelay }
    guard delay < Self.shortestDelay else { return min(delay, Self.longestDelay) }
    let now = scheduler.monotonicTime
    defer { lastShortDelay = now }
    if let last = lastShortDelay, now - last < Self.retryDelay { return Self.shortestDelay }
    return delay
  }

  private func enter(_ phase: Phase) {
    timer?.cancel()
    timer = nil
    let hadRetryTime = retryAt != nil
    retryAt = nil
    guard self.phase != .ended else { return }
    self.phase = phase
    // The end may come while the host goes.
    if hadRetryTime, phase != .ended { host.retryTimeChanged() }
  }

  /// Ends the phase now and goes on with `next` in a microtask.
  private func leave(_ next: @escaping @MainActor () -> Void) {
    enter(.between)
    loop.microtask {
      guard self.phase == .between else { return }
      next()
    }
  }

  private func after(
    _ delay: Duration, _ body: @escaping @MainActor (RunLoop) -> Void
  ) -> any SchedulerTimer {
    scheduler.after(delay) { [weak self] in
      guard let self else { return }
      loop.dispatch {
        self.leave { body(self) }
      }
    }
  }
}
