import CZeroSockets
import Synchronization
import ZeroProtocol

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
    /// Opened for the first channel and kept; nil while the process has none to spare.
    var descriptors: LoopDescriptors?
  }

  private let state = Mutex(State())

  /// Adds a channel and calls it as soon as possible. Starts the thread if it is not running.
  ///
  /// A channel that the loop cannot serve fails, and the next one is a new trial.
  func add(_ makeChannel: (UInt32, SocketWatcher) -> Channel) -> Channel {
    let (channel, failure, mustStart) = state.withLock { state in
      if state.descriptors == nil { state.descriptors = LoopDescriptors() }
      repeat {
        state.lastID &+= 1
      } while state.lastID == 0
        || state.channels[state.lastID] != nil
      let id = state.lastID
      guard let descriptors = state.descriptors else {
        let channel = makeChannel(id, SocketWatcher(poller: -1, id: id))
        return (channel, Self.noDescriptors as SocketError?, false)
      }
      let channel = makeChannel(id, SocketWatcher(poller: descriptors.poller, id: id))
      state.channels[id] = channel
      state.calls.append(id)
      let mustStart = !state.isRunning
      state.isRunning = true
      if !mustStart { descriptors.wake() }
      return (channel, nil, mustStart)
    }
    if let failure { channel.fail(failure) }
    if mustStart {
      let status = czero_thread_start(
        { context in
          guard let context else { return }
          Unmanaged<SocketLoop>.fromOpaque(context).takeUnretainedValue().run()
        }, Unmanaged.passUnretained(self).toOpaque())
      if status != 0 { giveUp(Self.noThread) }
    }
    return channel
  }

  /// Has the thread look at a channel soon.
  func call(_ id: UInt32) {
    state.withLock { state in
      // Of a channel that the loop does not know, or does not any more.
      guard state.channels[id] != nil else { return }
      state.calls.append(id)
      if state.calls.count == 1 { state.descriptors?.wake() }
    }
  }

  // MARK: -

  private static let noDescriptors = SocketError(
    .tooManyOpenFiles,
    message:
      "The process has no file descriptor left for a socket. Close files, or raise the limit.")
  private static let noThread = SocketError(
    .connectionLost, message: "The system cannot start a thread for I/O.")
  private static let noPoller = SocketError(
    .connectionLost,
    message:
      "The system does not tell any more what happens on sockets. Look for code of this process "
      + "that closes descriptors that are not its own.")

  /// Without a thread no channel will ever get anywhere. The next channel starts another.
  private func giveUp(_ error: SocketError) {
    let channels = state.withLock { state in
      let channels = Array(state.channels.values)
      state = State(lastID: state.lastID)
      return channels
    }
    for channel in channels { channel.fail(error) }
  }

  private func run() {
    guard let descriptors = state.withLock({ $0.descriptors }) else { return }
    let (poller, reader) = (descriptors.poller, descriptors.wakeReader)
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
      // Waiting again would fail at once, for ever.
      if count < 0 { return giveUp(Self.noPoller) }
      for index in 0..<max(0, Int(count)) {
        let token = ready[index].token
        guard token != 0 else {
          czero_pipe_drain(reader)
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

/// The descriptors of the loop itself.
private struct LoopDescriptors {
  let poller: Int32
  let wakeReader: Int32
  private let wakeWriter: Int32

  /// - Returns: nil when the process or the system has none left.
  init?() {
    let poller = czero_poller_open()
    guard poller >= 0 else { return nil }
    var reader: Int32 = -1
    var writer: Int32 = -1
    guard czero_pipe(&reader, &writer) == 0 else {
      czero_close(poller)
      return nil
    }
    guard czero_poller_set(poller, reader, Int32(CZERO_READABLE), 0) == 0 else {
      for descriptor in [poller, reader, writer] { czero_close(descriptor) }
      return nil
    }
    (self.poller, wakeReader, wakeWriter) = (poller, reader, writer)
  }

  /// Ends the wait of the thread.
  func wake() { czero_pipe_signal(wakeWriter) }
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
