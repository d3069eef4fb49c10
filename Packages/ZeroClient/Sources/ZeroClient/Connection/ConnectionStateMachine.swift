public import ZeroProtocol

/// What the connection is doing, and since when it has been trying.
///
/// A value without clock, socket or listeners: every call says what time it is and returns what the
/// caller has to do, in this order. Calls that change nothing return nothing.
@_spi(Engine) public struct ConnectionStateMachine: Sendable {
  /// What the connection is doing, with what goes with it.
  public enum State: Sendable {
    case connecting(Attempt)
    case connected
    /// The retry window elapsed, or there is a reason not to connect.
    case disconnected(ZeroError)
    /// Paused until the app asks to connect, if possible with a new token.
    case needsAuth(ZeroError)
    /// Paused until the app asks to connect.
    case error(ZeroError)
    case closed(ZeroError)
  }

  /// An attempt to connect, and the retry window that it is in.
  public struct Attempt: Sendable {
    /// Counted from 1 in each retry window; 0 before the first.
    public var number: Int
    /// When the retry window ends, in milliseconds of the monotonic clock.
    public var disconnectAt: Double
    /// Why the attempt before this one failed.
    public var reason: ZeroError?
  }

  /// Something for the caller to do.
  public enum Action: Sendable, Hashable {
    /// Call ``checkWindow(at:)`` every ``windowCheckInterval`` from now on.
    case startWindowCheck
    case stopWindowCheck
    /// Tell the listeners about ``state``, though it may equal the one before.
    case publish
    /// There will be no other state: forget the listeners.
    case dropListeners
  }

  /// The state after the last call.
  public private(set) var state: State
  /// Milliseconds that connecting may go on before the state becomes `disconnected`.
  public let disconnectTimeout: Double

  private var windowStart: Double?
  private var isConnectRequested = false

  /// Milliseconds between two checks whether the retry window elapsed.
  public static let windowCheckInterval: Double = 1000

  /// Begins in `connecting` with a retry window from `now`. The caller starts the window check.
  public init(disconnectTimeout: Double, at now: Double) {
    self.disconnectTimeout = disconnectTimeout
    windowStart = now
    state = .connecting(
      Attempt(number: 0, disconnectAt: now + disconnectTimeout, reason: nil))
  }

  /// An attempt begins, or the connection was lost and attempts begin.
  public mutating func connecting(reason: ZeroError? = nil, at now: Double) -> [Action] {
    switch state {
    case .closed: return []
    case .disconnected(let current):
      guard current.clientKind == .hidden else { return [] }
      windowStart = nil
    case .connecting(var attempt):
      attempt.number += 1
      attempt.reason = reason
      state = .connecting(attempt)
      return [.publish]
    case .connected, .needsAuth, .error: break
    }
    let start = windowStart ?? now
    windowStart = start
    state = .connecting(
      Attempt(number: 1, disconnectAt: start + disconnectTimeout, reason: reason))
    return [.startWindowCheck, .publish]
  }

  /// The server confirmed the connection.
  public mutating func connected() -> [Action] {
    switch state {
    case .closed, .connected: return []
    default: return leave(for: .connected)
    }
  }

  /// Gives up, or stops for a reason that is no failure. The first reason stays.
  public mutating func disconnected(_ reason: ZeroError) -> [Action] {
    switch state {
    case .closed, .disconnected: return []
    case .connected: windowStart = nil
    case .connecting, .needsAuth, .error: break
    }
    state = .disconnected(reason)
    return [.stopWindowCheck, .publish]
  }

  /// Pauses for want of a valid token.
  public mutating func needsAuth(_ reason: ZeroError) -> [Action] {
    switch state {
    case .closed, .needsAuth: return []
    default: return leave(for: .needsAuth(reason))
    }
  }

  /// Pauses because of an error that trying again would not mend.
  public mutating func error(_ reason: ZeroError) -> [Action] {
    switch state {
    case .closed, .error: return []
    default: return leave(for: .error(reason))
    }
  }

  /// Ends for good.
  public mutating func closed() -> [Action] {
    if case .closed = state { return [] }
    state = .closed(
      .client(ClientError(.clientClosed, "Zero was explicitly closed by calling zero.close()")))
    return [.stopWindowCheck, .publish, .dropListeners]
  }

  /// The app asks for a connection. Kept until ``resume(at:)`` takes it.
  public mutating func requestConnect() { isConnectRequested = true }

  /// Leaves a paused state if the app asked for it.
  /// - Returns: nil if it did not, or nothing is paused; then the request is kept.
  public mutating func resume(at now: Double) -> [Action]? {
    guard isConnectRequested, isPaused else { return nil }
    isConnectRequested = false
    return connecting(at: now)
  }

  /// Ends the retry window if its time has come.
  public mutating func checkWindow(at now: Double) -> [Action] {
    guard case .connecting(let attempt) = state, now >= attempt.disconnectAt else { return [] }
    let seconds = (disconnectTimeout / 1000).rounded(.down)
    return disconnected(
      .client(
        ClientError(
          .offline,
          "Zero was unable to connect for \(seconds.javaScriptText) seconds and was disconnected")))
  }
}

extension ConnectionStateMachine {
  /// Whether nothing happens until the app asks to connect.
  public var isPaused: Bool {
    switch state {
    case .needsAuth, .error: true
    default: false
    }
  }

  /// Whether there is an end to come.
  public var isRunning: Bool {
    if case .closed = state { false } else { true }
  }

  // MARK: -

  private mutating func leave(for state: State) -> [Action] {
    windowStart = nil
    self.state = state
    return [.stopWindowCheck, .publish]
  }
}

extension ConnectionStateMachine.State {
  /// Why the state is what it is.
  public var reason: ZeroError? {
    switch self {
    case .connecting(let attempt): attempt.reason
    case .connected: nil
    case .disconnected(let reason), .needsAuth(let reason), .error(let reason),
      .closed(let reason):
      reason
    }
  }

  /// The error as which this state ends what waits for a connection; nil if it is none to them.
  ///
  /// A connection that was lost, timed out or hidden is not: the run loop goes on by itself.
  public var failure: ZeroError? {
    switch reason?.clientKind {
    case .connectTimeout, .abruptClose, .cleanClose, .hidden: nil
    default: reason
    }
  }
}
