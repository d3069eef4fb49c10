import CZeroSockets
import Synchronization

/// The I/O thread of all sockets of the process. It runs while there are channels and sleeps in the
/// system unless one of them has something to do.
final class SocketLoop: Sendable {
  static let shared = SocketLoop()

  private struct State {
    var channels: [UInt32: Channel] = [:]
    var lastID: UInt32 = 0
    var isRunning = false
    /// Channels that asked for attention since the last round.
    var calls: [UInt32] = []
  }

  private let poller: Int32
  private let wakeReader: Int32
  private let wakeWriter: Int32
  private let state = Mutex(State())

  /// What cannot be watched for lack of descriptors ends at its deadline.
  private init() {
    poller = czero_poller_open()
    var reader: Int32 = -1
    var writer: Int32 = -1
    czero_pipe(&reader, &writer)
    wakeReader = reader
    wakeWriter = writer
    czero_poller_set(poller, reader, Int32(CZERO_READABLE), 0)
  }

  /// Adds a channel and calls it as soon as possible. Starts the thread if it is not running.
  func add(_ makeChannel: (UInt32, SocketWatcher) -> Channel) -> Channel {
    let (channel, mustStart) = state.withLock { state in
      repeat {
        state.lastID &+= 1
      } while state.lastID == 0
        || state.channels[state.lastID] != nil
      let id = state.lastID
      let channel = makeChannel(id, SocketWatcher(poller: poller, id: id))
      state.channels[id] = channel
      state.calls.append(id)
      let mustStart = !state.isRunning
      state.isRunning = true
      return (channel, mustStart)
    }
    if mustStart {
      let status = czero_thread_start(
        { context in
          guard let context else { return }
          Unmanaged<SocketLoop>.fromOpaque(context).takeUnretainedValue().run()
        }, Unmanaged.passUnretained(self).toOpaque())
      if status != 0 { giveUp() }
    } else {
      czero_pipe_signal(wakeWriter)
    }
    return channel
  }

  /// Has the thread look at a channel soon.
  func call(_ id: UInt32) {
    let isFirst = state.withLock { state in
      state.calls.append(id)
      return state.calls.count == 1
    }
    if isFirst { czero_pipe_signal(wakeWriter) }
  }

  // MARK: -

  /// No thread can be started, so no channel will ever get anywhere.
  private func giveUp() {
    let channels = state.withLock { state in
      let channels = Array(state.channels.values)
      state = State(lastID: state.lastID)
      return channels
    }
    for channel in channels { channel.failWithoutThread() }
  }

  private func run() {
    var round = LoopRound()
    let buffer = ReadBuffer()
    defer { buffer.deallocate() }
    let ready = UnsafeMutableBufferPointer<czero_ready>.allocate(capacity: 64)
    defer { ready.deallocate() }
    while true {
      for id in takeCalls() { visit(id, &round) { $0.attend(buffer) } }
      for id in round.takeAgain() { visit(id, &round) { $0.attend(buffer) } }
      if round.isIdle, stopIfUnused() { return }
      let count = czero_poller_wait(
        poller, ready.baseAddress, Int32(ready.count), round.timeout())
      for index in 0..<max(0, Int(count)) {
        let token = ready[index].token
        guard token != 0 else {
          czero_pipe_drain(wakeReader)
          continue
        }
        let events = ready[index].events
        visit(SocketWatcher.id(of: token), &round) {
          $0.handle(fd: SocketWatcher.fd(of: token), events: events, buffer)
        }
      }
      for id in round.takeDue() { visit(id, &round) { $0.expire() } }
    }
  }

  private func takeCalls() -> [UInt32] {
    state.withLock { state in
      defer { state.calls.removeAll(keepingCapacity: true) }
      return state.calls
    }
  }

  private func visit(
    _ id: UInt32, _ round: inout LoopRound, _ body: (Channel) -> Channel.Status
  ) {
    guard let channel = state.withLock({ $0.channels[id] }) else { return }
    let status = body(channel)
    round.note(id, status)
    if case .finished = status {
      state.withLock { state in _ = state.channels.removeValue(forKey: id) }
    }
  }

  private func stopIfUnused() -> Bool {
    state.withLock { state in
      guard state.channels.isEmpty, state.calls.isEmpty else { return false }
      state.isRunning = false
      return true
    }
  }
}

/// What the loop remembers between two waits: deadlines, and channels that have more to do at once.
private struct LoopRound {
  private var deadlines: [UInt32: ContinuousClock.Instant] = [:]
  private var again: [UInt32] = []

  var isIdle: Bool { deadlines.isEmpty && again.isEmpty }

  mutating func note(_ id: UInt32, _ status: Channel.Status) {
    switch status {
    case .finished: deadlines[id] = nil
    case .waiting(let deadline): deadlines[id] = deadline
    case .busy(let deadline):
      deadlines[id] = deadline
      again.append(id)
    }
  }

  mutating func takeAgain() -> [UInt32] {
    defer { again = [] }
    return again
  }

  /// Milliseconds until the next deadline, rounded up; -1 for none.
  func timeout() -> Int32 {
    guard again.isEmpty else { return 0 }
    guard let next = deadlines.values.min() else { return -1 }
    let now = ContinuousClock.now
    return next <= now ? 0 : Int32(clamping: (next - now).milliseconds + 1)
  }

  mutating func takeDue() -> [UInt32] {
    guard !deadlines.isEmpty else { return [] }
    let now = ContinuousClock.now
    return deadlines.filter { $0.value <= now }.map(\.key).sorted()
  }
}

/// Watches descriptors on behalf of one channel. The poller may be used from any thread.
struct SocketWatcher: Sendable {
  let poller: Int32
  let id: UInt32

  func watch(_ fd: Int32, events: Int32) {
    czero_poller_set(poller, fd, events, UInt64(id) << 32 | UInt64(UInt32(bitPattern: fd)))
  }

  static func id(of token: UInt64) -> UInt32 { UInt32(token >> 32) }

  static func fd(of token: UInt64) -> Int32 {
    Int32(bitPattern: UInt32(truncatingIfNeeded: token))
  }
}
