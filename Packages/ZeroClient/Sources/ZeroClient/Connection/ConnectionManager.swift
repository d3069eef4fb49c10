import ZeroProtocol

/// The state of the connection with those who watch it.
@MainActor final class ConnectionManager {
  typealias State = ConnectionStateMachine.State

  private var machine: ConnectionStateMachine
  private let scheduler: any Scheduler
  private let loop: EventLoop
  private var windowCheck: (any SchedulerTimer)?
  private var listeners = ListenerList<State>()
  private var waiters: [@MainActor (State) -> Void] = []
  /// Hears of a publication after all listeners: the run loop.
  var afterPublication: @MainActor (State) -> Void = { _ in }

  init(disconnectTimeout: Duration, scheduler: any Scheduler, loop: EventLoop) {
    self.scheduler = scheduler
    self.loop = loop
    machine = ConnectionStateMachine(
      disconnectTimeout: disconnectTimeout.inMilliseconds, at: scheduler.monotonicTime)
    startWindowCheck()
  }

  var state: State { machine.state }
  var isClosed: Bool { !machine.isRunning }
  var isPaused: Bool { machine.isPaused }
  var isConnected: Bool { if case .connected = machine.state { true } else { false } }
  var isDisconnected: Bool { if case .disconnected = machine.state { true } else { false } }

  /// Calls `listener` on every publication, in order of registration.
  /// - Returns: ends the calls.
  @discardableResult
  func listen(_ listener: @escaping @MainActor (State) -> Void) -> @MainActor () -> Void {
    guard !isClosed else { return {} }
    let id = listeners.add(listener)
    return { [weak self] in self?.listeners.remove(id) }
  }

  /// Calls `body` once, in a microtask after the next publication.
  func onNextChange(_ body: @escaping @MainActor (State) -> Void) { waiters.append(body) }

  func connecting(_ reason: ZeroError? = nil) {
    perform(machine.connecting(reason: reason, at: scheduler.monotonicTime))
  }

  func connected() { perform(machine.connected()) }
  func disconnected(_ reason: ZeroError) { perform(machine.disconnected(reason)) }
  func needsAuth(_ reason: ZeroError) { perform(machine.needsAuth(reason)) }
  func error(_ reason: ZeroError) { perform(machine.error(reason)) }
  func closed() { perform(machine.closed()) }

  /// Moves to the state that `reason` leads to by itself.
  func apply(_ reason: ZeroError) {
    switch reason.transition {
    case .keepConnecting: if !isPaused { connecting(reason) }
    case .needsAuth: needsAuth(reason)
    case .error: error(reason)
    case .disconnected: disconnected(reason)
    case .closed: closed()
    }
  }

  func requestConnect() {
    machine.requestConnect()
    isConnectRequested = true
  }

  /// Whether a request waits for a paused state.
  private(set) var isConnectRequested = false

  /// Stops the timer.
  func stop() { stopWindowCheck() }

  /// Leaves a paused state if the app asked for it.
  func resume() -> Bool {
    guard let actions = machine.resume(at: scheduler.monotonicTime) else { return false }
    isConnectRequested = false
    perform(actions)
    return true
  }

  // MARK: -

  private func perform(_ actions: [ConnectionStateMachine.Action]) {
    for action in actions {
      switch action {
      case .startWindowCheck: startWindowCheck()
      case .stopWindowCheck: stopWindowCheck()
      case .publish: publish()
      case .dropListeners: listeners.removeAll()
      }
    }
  }

  private func publish() {
    let state = machine.state
    ListenerList.call(state) { listeners }
    let waiters = self.waiters
    self.waiters = []
    for waiter in waiters { loop.microtask { waiter(state) } }
    afterPublication(state)
  }

  private func startWindowCheck() {
    stopWindowCheck()
    windowCheck = scheduler.every(
      .milliseconds(Int(ConnectionStateMachine.windowCheckInterval))
    ) { [weak self] in
      guard let self else { return }
      loop.dispatch { self.perform(self.machine.checkWindow(at: self.scheduler.monotonicTime)) }
    }
  }

  private func stopWindowCheck() {
    windowCheck?.cancel()
    windowCheck = nil
  }
}
