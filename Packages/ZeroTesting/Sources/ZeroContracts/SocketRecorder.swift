public import ZeroProtocol

/// Listens to a socket and keeps what it heard, for tests.
@MainActor public final class SocketRecorder: SocketEvents {
  /// One call, in short.
  public enum Event: Equatable, Sendable {
    case opened(subprotocol: String?)
    case received(SocketMessage)
    case drained
    case closed(code: UInt16, reason: String, wasClean: Bool, error: SocketError.Code?)
  }

  public private(set) var events: [Event] = []
  /// How many messages came with each call of `socketDidReceive`.
  public private(set) var batchSizes: [Int] = []
  /// The argument of `socketDidClose`.
  public private(set) var close: SocketClose?
  /// Keep ``events`` empty of messages and count them only, for large transfers.
  public var countsOnly = false
  public private(set) var receivedCount = 0
  public private(set) var receivedBytes = 0
  /// Called after each message was recorded.
  public var onMessage: (@MainActor (any SocketConnection, SocketMessage) -> Void)?

  public init() {}

  public var messages: [SocketMessage] {
    events.compactMap { if case .received(let message) = $0 { message } else { nil } }
  }

  public var isOpen: Bool {
    events.contains { if case .opened = $0 { true } else { false } }
  }

  /// Suspends until `condition` holds. It is looked at after each event; a condition that never
  /// becomes true ends with the socket.
  /// - Returns: whether the condition held.
  @discardableResult
  public func wait(_ condition: @escaping @MainActor (SocketRecorder) -> Bool) async -> Bool {
    if condition(self) { return true }
    if close != nil { return false }
    return await withCheckedContinuation { waiters.append((condition, $0)) }
  }

  @discardableResult public func waitForOpen() async -> Bool { await wait { $0.isOpen } }

  /// Suspends until the socket is gone.
  public func waitForClose() async -> SocketClose? {
    await wait { $0.close != nil }
    return close
  }

  public func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {
    record(.opened(subprotocol: subprotocol))
  }

  public func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    batchSizes.append(messages.count)
    for message in messages {
      receivedCount += 1
      switch message {
      case .text(let bytes), .binary(let bytes): receivedBytes += bytes.count
      }
      if !countsOnly { events.append(.received(message)) }
      onMessage?(socket, message)
    }
    wake()
  }

  public func socketDidDrain(_ socket: any SocketConnection) { record(.drained) }

  public func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    self.close = close
    record(
      .closed(
        code: close.code, reason: close.reason, wasClean: close.wasClean, error: close.error?.code))
  }

  // MARK: -

  private typealias Condition = @MainActor (SocketRecorder) -> Bool

  private var waiters: [(condition: Condition, continuation: CheckedContinuation<Bool, Never>)] = []

  private func record(_ event: Event) {
    events.append(event)
    wake()
  }

  private func wake() {
    guard !waiters.isEmpty else { return }
    let waiting = waiters
    waiters = []
    for waiter in waiting {
      if waiter.condition(self) {
        waiter.continuation.resume(returning: true)
      } else if close != nil {
        waiter.continuation.resume(returning: false)
      } else {
        waiters.append(waiter)
      }
    }
  }
}
