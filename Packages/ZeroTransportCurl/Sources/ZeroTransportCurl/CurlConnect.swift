import CZeroCurl
import CZeroSockets
import ZeroProtocol

/// One libcurl connection: its making, and for TLS its use.
///
/// Each has a multi handle of its own. In a shared one libcurl closes connections it takes for idle
/// when it makes new ones, and it would serialize all sockets on one lock.
///
/// Confined to the lock of the channel that owns it; libcurl calls back only during calls made here.
final class CurlConnect {
  enum Outcome {
    case pending
    case connected
    case failed(SocketError)
  }

  /// When libcurl wants to be called even if nothing happens.
  private(set) var deadline: ContinuousClock.Instant?

  private let easy: UnsafeMutableRawPointer
  private let multi: UnsafeMutableRawPointer
  private let errorText: UnsafeMutablePointer<CChar>
  /// Why the system made no socket.
  private let socketFailure: UnsafeMutablePointer<Int32>
  private let watcher: SocketWatcher
  private var watched: Set<Int32> = []
  private let target: ConnectTarget
  private let usesProxy: Bool

  init(
    _ target: ConnectTarget, options: CurlTransportOptions, timeout: Duration,
    watcher: SocketWatcher
  ) throws(SocketError) {
    guard Self.isReady, let easy = curl_easy_init() else { throw Self.outOfMemory }
    guard let multi = curl_multi_init() else {
      curl_easy_cleanup(easy)
      throw Self.outOfMemory
    }
    self.easy = easy
    self.multi = multi
    self.watcher = watcher
    self.target = target
    usesProxy = options.proxy != .direct
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    czero_set_error_buffer(easy, errorText)
    socketFailure = .allocate(capacity: 1)
    socketFailure.initialize(to: 0)
    czero_open_sockets(easy, socketFailure)
    try options.apply(to: easy, target: target, timeout: timeout)
    czero_multi_watch(
      multi,
      { _, fd, what, context, _ in
        CurlConnect.from(context)?.watch(fd, what)
        return 0
      },
      { _, milliseconds, context in
        CurlConnect.from(context)?.arm(milliseconds)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    curl_multi_add_handle(multi, easy)
  }

  deinit {
    unwatchAll()
    czero_multi_watch(multi, nil, nil, nil)
    curl_multi_remove_handle(multi, easy)
    curl_easy_cleanup(easy)
    curl_multi_cleanup(multi)
    errorText.deallocate()
    socketFailure.deallocate()
  }

  /// Goes on after something happened on `fd`, or after the deadline when `fd` is nil.
  func advance(fd: Int32?, events: Int32 = 0) -> Outcome {
    var running: Int32 = 0
    var mask: Int32 = 0
    if events & Int32(CZERO_READABLE) != 0 { mask |= CURL_CSELECT_IN }
    if events & Int32(CZERO_WRITABLE) != 0 { mask |= CURL_CSELECT_OUT }
    if events & Int32(CZERO_FAILED) != 0 { mask |= CURL_CSELECT_ERR }
    if fd == nil { deadline = nil }
    curl_multi_socket_action(multi, fd ?? CURL_SOCKET_TIMEOUT, mask, &running)
    var result = CURLE_OK
    guard czero_multi_result(multi, &result) != 0 else { return .pending }
    return result == CURLE_OK ? .connected : .failed(error(for: result))
  }

  /// The connected socket, which from now on its user watches.
  func takeSocket() -> Int32 {
    unwatchAll()
    return czero_active_socket(easy)
  }

  /// Sends through TLS.
  func send(_ bytes: UnsafeRawBufferPointer) -> StreamResult {
    var count = 0
    let result = curl_easy_send(easy, bytes.baseAddress, bytes.count, &count)
    return streamResult(result, count)
  }

  /// Receives through TLS.
  func receive(_ buffer: UnsafeMutableRawBufferPointer) -> StreamResult {
    var count = 0
    let result = curl_easy_recv(easy, buffer.baseAddress, buffer.count, &count)
    return result == CURLE_OK && count == 0 ? .end : streamResult(result, count)
  }

  // MARK: -

  private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

  private static let outOfMemory = SocketError(
    .connectionLost, message: "libcurl cannot make a connection: there is not enough memory.")

  private static func from(_ context: UnsafeMutableRawPointer?) -> CurlConnect? {
    context.map { Unmanaged<CurlConnect>.fromOpaque($0).takeUnretainedValue() }
  }

  private func watch(_ fd: Int32, _ what: Int32) {
    var events: Int32 = 0
    if what == CURL_POLL_IN || what == CURL_POLL_INOUT { events |= Int32(CZERO_READABLE) }
    if what == CURL_POLL_OUT || what == CURL_POLL_INOUT { events |= Int32(CZERO_WRITABLE) }
    if events == 0 {
      if watched.remove(fd) != nil { watcher.watch(fd, events: 0) }
    } else {
      watched.insert(fd)
      watcher.watch(fd, events: events)
    }
  }

  private func unwatchAll() {
    for fd in watched { watcher.watch(fd, events: 0) }
    watched = []
  }

  private func arm(_ milliseconds: Int) {
    deadline = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  }

  private func streamResult(_ result: CURLcode, _ count: Int) -> StreamResult {
    switch result {
    case CURLE_OK: .moved(count)
    case CURLE_AGAIN: .wouldBlock
    default: .failed(String(cString: curl_easy_strerror(result)))
    }
  }

  private func error(for result: CURLcode) -> SocketError {
    let detail =
      errorText[0] == 0
      ? String(cString: curl_easy_strerror(result)) : String(cString: errorText)
    let code = SocketError.Code(
      result, systemError: czero_os_errno(easy), socketError: Int(socketFailure.pointee),
      proxyStatus: usesProxy ? czero_proxy_status(easy) : 0)
    return SocketError(
      code, message: "Cannot connect to \(target.authority): \(detail). \(code.advice)")
  }
}
