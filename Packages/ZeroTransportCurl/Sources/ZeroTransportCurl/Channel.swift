import Synchronization
import ZeroProtocol
import ZeroWebSocket

/// One socket between the I/O thread, which drives it, and the main actor, which sends.
///
/// Small messages are written by the sender itself when nothing is queued and the I/O thread is not at
/// work on this socket: that saves a change of threads.
final class Channel: Sendable {
  /// What the loop should do with the channel next.
  enum Status {
    case waiting(until: ContinuousClock.Instant?)
    /// There is more to do at once.
    case busy(until: ContinuousClock.Instant?)
    case finished
  }

  enum Command: Sendable {
    case text([UInt8])
    case binary([UInt8])
    case close(code: UInt16?, reason: String)
    case abandon

    var byteCount: Int {
      switch self {
      case .text(let bytes), .binary(let bytes): bytes.count
      case .close, .abandon: 0
      }
    }
  }

  /// More than this much waiting for the main actor stops reading.
  static let pauseBytes = 16 << 20
  private static let directBytes = 16 << 10

  private let id: UInt32
  private let delivery: SocketDelivery
  private let session: Mutex<SocketSession>
  private let commands = Mutex<[Command]>([])
  private let queuedBytes = Atomic(0)
  private let sessionBytes = Atomic(0)
  /// Whether a sender has seen bytes buffered and not yet been told that they are gone.
  private let owesDrain = Atomic(false)

  init(
    _ request: SocketRequest, options: CurlTransportOptions, id: UInt32, watcher: SocketWatcher,
    delivery: SocketDelivery
  ) {
    self.id = id
    self.delivery = delivery
    session = Mutex(
      SocketSession(request, options: options, watcher: watcher, delivery: delivery))
  }

  // MARK: - The main actor's side

  /// Never less than what is buffered: a message on its way into the session counts twice.
  var bufferedBytes: Int {
    queuedBytes.load(ordering: .acquiring) + sessionBytes.load(ordering: .acquiring)
  }

  func send(_ message: Command) {
    let isIdle = bufferedBytes == 0
    owesDrain.store(true, ordering: .sequentiallyConsistent)
    queuedBytes.add(message.byteCount, ordering: .acquiringAndReleasing)
    commands.withLock { $0.append(message) }
    if isIdle, message.byteCount <= Self.directBytes, tryDirectly(), bufferedBytes == 0 {
      owesDrain.store(false, ordering: .sequentiallyConsistent)
    } else {
      SocketLoop.shared.call(id)
    }
  }

  func close(code: UInt16?, reason: String) {
    commands.withLock { $0.append(.close(code: code, reason: reason)) }
    SocketLoop.shared.call(id)
  }

  /// Nobody listens any more.
  func abandon() {
    commands.withLock { $0.append(.abandon) }
    SocketLoop.shared.call(id)
  }

  func resume() { SocketLoop.shared.call(id) }

  // MARK: - The I/O thread's side

  func attend(_ buffer: ReadBuffer) -> Status {
    session.withLock { session in
      run(&session)
      session.attend(buffer)
      return conclude(&session)
    }
  }

  func handle(fd: Int32, events: Int32, _ buffer: ReadBuffer) -> Status {
    session.withLock { session in
      run(&session)
      session.handle(fd: fd, events: events, buffer)
      return conclude(&session)
    }
  }

  func expire() -> Status {
    session.withLock { session in
      run(&session)
      session.expire()
      return conclude(&session)
    }
  }

  /// Ends a channel that the loop cannot serve.
  func fail(_ error: SocketError) { session.withLock { $0.fail(error) } }

  // MARK: -

  /// - Returns: whether the session was free, so that the message is in it now, and all is well.
  private func tryDirectly() -> Bool {
    session.withLockIfAvailable { session in
      run(&session)
      session.flush()
      if case .waiting = conclude(&session) { return true }
      return false
    } ?? false
  }

  private func run(_ session: inout SocketSession) {
    let taken = commands.withLock { commands in
      defer { commands.removeAll(keepingCapacity: true) }
      return commands
    }
    guard !taken.isEmpty else { return }
    for command in taken { session.run(command) }
    sessionBytes.store(session.bufferedBytes, ordering: .releasing)
    let byteCount = taken.reduce(0) { $0 + $1.byteCount }
    queuedBytes.subtract(byteCount, ordering: .acquiringAndReleasing)
  }

  private func conclude(_ session: inout SocketSession) -> Status {
    sessionBytes.store(session.bufferedBytes, ordering: .releasing)
    if bufferedBytes == 0,
      owesDrain.exchange(false, ordering: .sequentiallyConsistent), session.isOpen
    {
      delivery.post(.drained)
    }
    return session.status
  }
}
