import ZeroProtocol

/// What is on its way to one client, in order: held back while the client is paused, and each item
/// for the delay that was set when it was sent.
@MainActor final class Outbox {
  enum Item {
    case frame(PokeEncoder.Frame)
    case close(code: UInt16?, reason: String)
    case abort
  }

  private let socket: any DevServerSocket
  private let scheduler: any Scheduler
  private var items: [(item: Item, dueAt: Double)] = []
  private var timer: (any SchedulerTimer)?
  private(set) var isClosed = false
  /// When something went out last, on the monotonic clock.
  private(set) var lastSentAt: Double
  var isPaused = false {
    didSet { if !isPaused { flush() } }
  }

  init(_ socket: any DevServerSocket, scheduler: any Scheduler) {
    self.socket = socket
    self.scheduler = scheduler
    lastSentAt = scheduler.monotonicTime
  }

  func add(_ item: Item, delay: Double) {
    guard !isClosed else { return }
    items.append((item, scheduler.monotonicTime + delay))
    flush()
  }

  /// Sends ahead of everything that is held back.
  func send(ahead frame: PokeEncoder.Frame) {
    guard !isClosed, !isPaused else { return }
    perform(.frame(frame))
  }

  /// The socket is gone: nothing more goes out.
  func closed() {
    isClosed = true
    items.removeAll()
    timer?.cancel()
  }

  // MARK: -

  private func flush() {
    while !isPaused, !isClosed, let next = items.first {
      let wait = next.dueAt - scheduler.monotonicTime
      guard wait <= 0 else { return arm(wait) }
      items.removeFirst()
      perform(next.item)
    }
  }

  private func arm(_ milliseconds: Double) {
    timer?.cancel()
    timer = scheduler.after(.milliseconds(milliseconds)) { [weak self] in self?.flush() }
  }

  private func perform(_ item: Item) {
    lastSentAt = scheduler.monotonicTime
    switch item {
    case .frame(.text(let bytes)): socket.send(text: bytes)
    case .frame(.binary(let bytes)): socket.send(binary: bytes)
    case .close(let code, let reason):
      socket.close(code: code, reason: reason)
      closed()
    case .abort:
      socket.abort()
      closed()
    }
  }
}
