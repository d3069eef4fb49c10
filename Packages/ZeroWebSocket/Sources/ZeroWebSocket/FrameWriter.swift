/// Turns messages into bytes to send, a window at a time, so that a large message is never copied as a
/// whole.
struct FrameWriter: ~Copyable {
  private let isMasked: Bool
  private var deflater: Deflater?
  private var random: any RandomNumberGenerator
  private var spareMask: UInt32?

  private var queue: [Frame] = []
  private var queueHead = 0
  /// Payload bytes of the first frame in the queue that are in the window already; nil before its
  /// header is.
  private var written: Int?
  private var current: (payload: [UInt8], mask: UInt32)?
  private var pongCount = 0

  /// Encoded bytes. They stay where they are until all are taken: TLS libraries want a write that is
  /// tried again to come from the same address.
  private var window = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var windowHead = 0
  private var windowTail = 0

  /// Bytes queued and not yet taken.
  private(set) var bufferedBytes = 0

  private static let largestWindow = 64 << 10
  private static let keptWindow = 4 << 10
  private static let smallestCompressed = 64
  private static let largestCompressed = 1 << 30
  private static let maxPongs = 128

  init(
    role: WebSocketRole, deflater: consuming Deflater?, random: any RandomNumberGenerator
  ) {
    isMasked = role == .client
    self.deflater = deflater
    self.random = random
  }

  deinit { window.deallocate() }

  /// Queues a message behind the others.
  mutating func enqueue(_ opcode: Opcode, _ payload: [UInt8]) {
    queue.append(Frame(opcode: opcode, payload: payload))
    bufferedBytes += payload.count
  }

  /// Queues a control frame before all messages that have not begun.
  ///
  /// Of more than 128 pongs that wait, only the latest is kept, as RFC 6455 allows: a peer that pings
  /// and never reads cannot make the queue grow.
  mutating func enqueueControl(_ opcode: Opcode, _ payload: [UInt8]) {
    var index = queueHead + (written == nil ? 0 : 1)
    while index < queue.count, queue[index].opcode.isControl { index += 1 }
    if opcode == .pong {
      if pongCount == Self.maxPongs, index > queueHead, queue[index - 1].opcode == .pong {
        bufferedBytes += payload.count - queue[index - 1].payload.count
        queue[index - 1].payload = payload
        return
      }
      pongCount += 1
    }
    queue.insert(Frame(opcode: opcode, payload: payload), at: index)
    bufferedBytes += payload.count
  }

  /// Drops all that has not begun.
  mutating func dropUnsent() {
    let keep = queueHead + (written == nil ? 0 : 1)
    guard keep < queue.count else { return }
    for frame in queue[keep...] { bufferedBytes -= frame.payload.count }
    pongCount -= queue[keep...].count { $0.opcode == .pong }
    queue.removeSubrange(keep...)
  }

  /// Lends the next bytes to send and drops as many as `take` says were sent.
  /// - Returns: whether there is nothing left.
  mutating func withOutput(_ take: (UnsafeRawBufferPointer) -> Int) -> Bool {
    if windowHead == windowTail { fill() }
    guard windowHead < windowTail else { return true }
    let taken = take(UnsafeRawBufferPointer(rebasing: window[windowHead..<windowTail]))
    windowHead += taken
    bufferedBytes -= taken
    if windowHead == windowTail && queue.isEmpty { release() }
    return bufferedBytes == 0
  }

  // MARK: -

  private struct Frame {
    let opcode: Opcode
    var payload: [UInt8]
  }

  /// Encodes queued frames into the empty window until it or the queue is at its end.
  private mutating func fill() {
    windowHead = 0
    windowTail = 0
    guard queueHead < queue.count else { return }
    grow()
    while queueHead < queue.count {
      if written == nil {
        guard window.count - windowTail >= FrameHeader.maxLength else { return }
        writeHeader()
      }
      guard let current, let done = written else { return }
      let count = min(current.payload.count - done, window.count - windowTail)
      current.payload.withUnsafeBytes { payload in
        let piece = UnsafeRawBufferPointer(rebasing: payload[done..<(done + count)])
        let target = UnsafeMutableRawBufferPointer(rebasing: window[windowTail...])
        if isMasked, let base = target.baseAddress {
          FrameMask.copy(piece, to: base, current.mask, offset: done)
        } else {
          target.copyMemory(from: piece)
        }
      }
      windowTail += count
      guard done + count == current.payload.count else {
        written = done + count
        return
      }
      finishFrame()
    }
  }

  private mutating func writeHeader() {
    let frame = queue[queueHead]
    var payload = frame.payload
    var isCompressed = false
    if !frame.opcode.isControl, payload.count >= Self.smallestCompressed,
      payload.count <= Self.largestCompressed, deflater != nil
    {
      payload = deflater?.deflate(payload) ?? payload
      isCompressed = true
      bufferedBytes += payload.count - frame.payload.count
    }
    let mask = isMasked ? nextMask() : 0
    let header = FrameHeader(
      opcode: frame.opcode, isFinal: true, isCompressed: isCompressed,
      payloadLength: payload.count, mask: isMasked ? mask : nil)
    let length = header.write(to: UnsafeMutableRawBufferPointer(rebasing: window[windowTail...]))
    windowTail += length
    bufferedBytes += length
    current = (payload, mask)
    written = 0
    queue[queueHead].payload = []
  }

  private mutating func finishFrame() {
    if queue[queueHead].opcode == .pong { pongCount -= 1 }
    written = nil
    current = nil
    queueHead += 1
    if queueHead == queue.count {
      queue.removeAll(keepingCapacity: queue.count <= 64)
      queueHead = 0
    } else if queueHead >= 1024 {
      queue.removeSubrange(..<queueHead)
      queueHead = 0
    }
  }

  /// Makes the empty window as large as what is queued asks for.
  private mutating func grow() {
    var wanted = 0
    if let current, let written { wanted = current.payload.count - written }
    for frame in queue[queueHead...] {
      wanted += frame.payload.count + FrameHeader.maxLength
      if wanted >= Self.largestWindow { break }
    }
    wanted = min(max(wanted, 512), Self.largestWindow)
    guard window.count < wanted else { return }
    window.deallocate()
    window = .allocate(byteCount: wanted, alignment: 16)
  }

  private mutating func release() {
    guard window.count > Self.keptWindow else { return }
    window.deallocate()
    window = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    windowHead = 0
    windowTail = 0
  }

  private mutating func nextMask() -> UInt32 {
    if let mask = spareMask {
      spareMask = nil
      return mask
    }
    let word = random.next()
    spareMask = UInt32(truncatingIfNeeded: word >> 32)
    return UInt32(truncatingIfNeeded: word)
  }
}
