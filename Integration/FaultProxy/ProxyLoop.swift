import CZeroSockets
import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The proxy's thread: carries bytes between pairs of sockets.
final class ProxyLoop {
  private let state: ProxyState
  private let poller: Int32
  private let listener: Int32
  private let waker: Int32
  private var links: [UInt64: ProxyLink] = [:]
  private var lastLink: UInt64 = 1
  private var cutsSeen = 0

  private static let listenerToken: UInt64 = 0
  private static let wakerToken: UInt64 = 1

  init(_ state: ProxyState, poller: Int32, listener: Int32, waker: Int32) {
    self.state = state
    self.poller = poller
    self.listener = listener
    self.waker = waker
  }

  /// Runs until the proxy is released.
  func run() {
    _ = czero_poller_set(poller, listener, Int32(CZERO_READABLE), Self.listenerToken)
    _ = czero_poller_set(poller, waker, Int32(CZERO_READABLE), Self.wakerToken)
    var ready = [czero_ready](repeating: czero_ready(), count: 64)
    while true {
      let count = czero_poller_wait(poller, &ready, Int32(ready.count), timeout())
      for event in ready.prefix(max(0, Int(count))) { handle(event) }
      let values = state.values.withLock { $0 }
      if values.isStopped { break }
      if values.cuts != cutsSeen {
        cutsSeen = values.cuts
        for id in links.keys { close(id, reset: true) }
      }
      for (id, link) in links {
        if !link.carry(values.conditions, now: Self.now()) {
          close(id, reset: link.isCut)
        } else {
          watch(link, id, values.conditions)
        }
      }
      state.values.withLock { $0.openCount = links.count }
    }
    for id in links.keys { close(id, reset: true) }
    for descriptor in [listener, waker, poller] { czero_close(descriptor) }
  }

  // MARK: -

  static func now() -> Double { Double(DispatchTime.now().uptimeNanoseconds) / 1e6 }

  /// Milliseconds until the next held bytes are due; -1 if there are none.
  private func timeout() -> Int32 {
    guard let due = links.values.compactMap(\.nextDue).min() else { return -1 }
    return Int32(min(60_000, max(0, (due - Self.now()).rounded(.up))))
  }

  private func handle(_ event: czero_ready) {
    switch event.token {
    case Self.wakerToken: czero_pipe_drain(waker)
    case Self.listenerToken: accept()
    default: links[event.token / 2]?.isReady[Int(event.token % 2)] = true
    }
  }

  private func accept() {
    let client = czero_accept(listener)
    guard client >= 0 else { return }
    let values = state.values.withLock { $0 }
    guard !values.conditions.isRefusing, let server = Self.connect(values.upstream) else {
      czero_reset_on_close(client)
      czero_close(client)
      return
    }
    lastLink += 1
    links[lastLink] = ProxyLink(client: client, server: server)
  }

  private func watch(_ link: ProxyLink, _ id: UInt64, _ conditions: FaultProxy.Conditions) {
    for side in 0..<2 {
      var events: Int32 = 0
      if !conditions.isFrozen {
        if link.mayRead(side) { events |= Int32(CZERO_READABLE) }
        if link.isBlocked[side] { events |= Int32(CZERO_WRITABLE) }
      }
      guard link.watched[side] != events else { continue }
      link.watched[side] = events
      _ = czero_poller_set(poller, link.sockets[side], events, id * 2 + UInt64(side))
    }
  }

  private func close(_ id: UInt64, reset: Bool) {
    guard let link = links.removeValue(forKey: id) else { return }
    for socket in link.sockets {
      _ = czero_poller_set(poller, socket, 0, 0)
      if reset { czero_reset_on_close(socket) }
      czero_close(socket)
    }
  }

  /// A connection to a port of loopback; nil if nobody listens there.
  private static func connect(_ port: UInt16) -> Int32? {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { return nil }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        #if canImport(Darwin)
          Darwin.connect(descriptor, $0, size)
        #elseif canImport(Glibc)
          Glibc.connect(descriptor, $0, size)
        #else
          Musl.connect(descriptor, $0, size)
        #endif
      }
    }
    guard result == 0, fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) >= 0
    else {
      czero_close(descriptor)
      return nil
    }
    return descriptor
  }
}

/// Two sockets whose bytes are carried to each other: 0 is the client's, 1 the server's.
final class ProxyLink {
  let sockets: [Int32]
  /// Which events are watched.
  var watched: [Int32] = [-1, -1]
  /// Sockets that have something to read, or room to write.
  var isReady = [true, true]
  /// Sockets that took less than was to be written.
  private(set) var isBlocked = [false, false]
  /// Whether the byte limit was reached.
  private(set) var isCut = false
  /// Bytes on the way to each socket, with the time at which they are due.
  private var waiting: [[(bytes: ArraySlice<UInt8>, dueAt: Double)]] = [[], []]
  private var waitingBytes = [0, 0]
  private var hasEnded = [false, false]
  private var isShut = [false, false]
  private var toClient = 0

  private static let limit = 1 << 20

  init(client: Int32, server: Int32) { sockets = [client, server] }

  var nextDue: Double? { waiting.compactMap { $0.first?.dueAt }.min() }

  func mayRead(_ side: Int) -> Bool { !hasEnded[side] && waitingBytes[1 - side] < Self.limit }

  /// Reads what has arrived and writes what is due.
  /// - Returns: whether the link goes on.
  func carry(_ conditions: FaultProxy.Conditions, now: Double) -> Bool {
    guard !conditions.isFrozen else { return true }
    for side in 0..<2 where isReady[side] {
      isReady[side] = false
      isBlocked[side] = false
      guard read(side, dueAt: now + conditions.delay) else { return false }
    }
    for side in 0..<2 where !isBlocked[side] {
      guard write(side, conditions, now: now) else { return false }
    }
    return !(isShut[0] && isShut[1])
  }

  // MARK: -

  private func read(_ side: Int, dueAt: Double) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while mayRead(side) {
      let count = czero_receive(sockets[side], &buffer, buffer.count)
      if count == 0 {
        hasEnded[side] = true
        return true
      }
      guard count > 0 else { return czero_would_block(count) != 0 }
      waiting[1 - side].append((buffer[..<Int(count)], dueAt))
      waitingBytes[1 - side] += Int(count)
    }
    return true
  }

  private func write(_ side: Int, _ conditions: FaultProxy.Conditions, now: Double) -> Bool {
    while let next = waiting[side].first, next.dueAt <= now {
      let sent = next.bytes.withUnsafeBytes { czero_send(sockets[side], $0.baseAddress, $0.count) }
      guard sent > 0 else {
        isBlocked[side] = true
        return czero_would_block(sent) != 0
      }
      waitingBytes[side] -= Int(sent)
      if Int(sent) == next.bytes.count {
        waiting[side].removeFirst()
      } else {
        waiting[side][0].bytes = next.bytes.dropFirst(Int(sent))
      }
      if side == 0 {
        toClient += Int(sent)
        if let limit = conditions.cutAfterBytes, toClient >= limit {
          isCut = true
          return false
        }
      }
    }
    if hasEnded[1 - side], waiting[side].isEmpty, !isShut[side] {
      isShut[side] = true
      czero_shutdown_write(sockets[side])
    }
    return true
  }
}
