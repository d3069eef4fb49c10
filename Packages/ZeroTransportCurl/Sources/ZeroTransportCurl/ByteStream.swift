import CZeroSockets

/// What a read or a write came to.
enum StreamResult {
  case moved(Int)
  case wouldBlock
  case end
  case failed(String)
}

/// A connected socket. Confined to the lock of the channel that owns it.
final class ByteStream {
  private enum Carrier {
    /// Our own descriptor; libcurl is done.
    case plain
    /// Bytes go through libcurl, which encrypts them.
    case secure(CurlConnect)
  }

  private let fd: Int32
  private let carrier: Carrier
  private let watcher: SocketWatcher
  private var watched: Int32 = 0

  /// Whether received bytes may wait where the system does not see them.
  var hasHiddenBuffer: Bool { if case .secure = carrier { true } else { false } }

  /// Takes over the socket that `connect` has connected.
  /// - Returns: nil when the process is out of descriptors.
  init?(_ connect: CurlConnect, isPlain: Bool, watcher: SocketWatcher) {
    let socket = connect.takeSocket()
    self.watcher = watcher
    if isPlain {
      // With a descriptor of our own the connection outlives libcurl's handles.
      fd = czero_duplicate(socket)
      carrier = .plain
    } else {
      fd = socket
      carrier = .secure(connect)
    }
    guard fd >= 0 else { return nil }
  }

  deinit {
    watch(0)
    if case .plain = carrier, fd >= 0 { czero_close(fd) }
  }

  func send(_ bytes: UnsafeRawBufferPointer) -> StreamResult {
    switch carrier {
    case .plain: Self.result(czero_send(fd, bytes.baseAddress, bytes.count))
    case .secure(let connect): connect.send(bytes)
    }
  }

  func receive(_ buffer: UnsafeMutableRawBufferPointer) -> StreamResult {
    switch carrier {
    case .plain:
      let count = czero_receive(fd, buffer.baseAddress, buffer.count)
      return count == 0 ? .end : Self.result(count)
    case .secure(let connect): return connect.receive(buffer)
    }
  }

  /// Tells the peer that nothing more comes.
  func endSending() { czero_shutdown_write(fd) }

  /// Watches the socket for `events`; 0 for none.
  func watch(_ events: Int32) {
    guard events != watched else { return }
    watched = events
    watcher.watch(fd, events: events)
  }

  // MARK: -

  private static func result(_ count: Int) -> StreamResult {
    if count >= 0 { return .moved(count) }
    if czero_would_block(count) != 0 { return .wouldBlock }
    return .failed(
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
        guard let base = buffer.baseAddress else { return "" }
        base.initialize(repeating: 0, count: buffer.count)
        czero_error_text(count, base, buffer.count)
        return String(cString: base)
      })
  }
}
