#if canImport(Darwin)
  import Foundation
  import ZeroProtocol

  /// One WebSocket task in a session of its own, whose delegate queue is the main one.
  @MainActor final class URLSessionSocket: SocketConnection {
    private enum State { case connecting, open, closing, closed }

    private let request: SocketRequest
    private weak var events: (any SocketEvents)?
    private var state = State.connecting
    private var session: URLSession?
    private var task: URLSessionWebSocketTask?
    private var deadline: Task<Void, Never>?
    private(set) var bufferedBytes = 0

    init(
      _ request: SocketRequest, configuration: URLSessionConfiguration, events: any SocketEvents
    ) {
      self.request = request
      self.events = events
      guard let urlRequest = Self.urlRequest(request) else {
        Task { self.finish(code: 1006, error: Self.invalidURL) }
        return
      }
      let delegate = URLSessionSocketDelegate()
      delegate.socket = self
      let session = URLSession(
        configuration: configuration, delegate: delegate, delegateQueue: .main)
      let task = session.webSocketTask(with: urlRequest)
      task.maximumMessageSize = request.maxMessageBytes
      self.session = session
      self.task = task
      task.resume()
      expire(after: request.connectTimeout, "it took longer than \(request.connectTimeout)")
    }

    deinit {
      deadline?.cancel()
      task?.cancel(with: .normalClosure, reason: nil)
      session?.finishTasksAndInvalidate()
    }

    func send(text utf8: [UInt8]) {
      send(.string(String(decoding: utf8, as: UTF8.self)), byteCount: utf8.count)
    }

    func send(binary bytes: [UInt8]) { send(.data(Data(bytes)), byteCount: bytes.count) }

    func close(code: UInt16?, reason: String) {
      switch state {
      case .connecting:
        // Later, because events never come during a call.
        state = .closing
        task?.cancel()
        Task {
          self.finish(
            code: 1006,
            error: SocketError(.closed, message: "The WebSocket was closed before it opened."))
        }
      case .open:
        state = .closing
        let code = URLSessionWebSocketTask.CloseCode(rawValue: Int(code ?? 1000))
        task?.cancel(with: code ?? .normalClosure, reason: Self.cut(reason))
        expire(after: .seconds(5), "the server did not answer our close frame")
      case .closing, .closed: break
      }
    }

    // MARK: -

    func didOpen(subprotocol: String?) {
      guard state == .connecting else { return }
      state = .open
      deadline?.cancel()
      events?.socketDidOpen(self, subprotocol: subprotocol)
      receive()
    }

    func didClose(code: Int, reason: Data?) {
      finish(
        code: UInt16(clamping: code),
        reason: reason.map { String(decoding: $0, as: UTF8.self) } ?? "",
        wasClean: true, error: nil)
    }

    /// The task is over; `error` says why if it was not by close frames.
    func didComplete(_ error: (any Error)?, _ response: URLResponse?) {
      let status = (response as? HTTPURLResponse)?.statusCode
      if state == .connecting, let status, status != 101 {
        finish(
          code: 1006,
          error: SocketError(
            .httpStatus, message: "The server answered the WebSocket handshake with \(status).",
            httpStatus: status))
      } else {
        finish(code: 1006, error: Self.socketError(error))
      }
    }

    private func send(_ message: URLSessionWebSocketTask.Message, byteCount: Int) {
      guard state == .open else { return }
      bufferedBytes += byteCount
      task?.send(message) { [weak self] _ in
        Task { @MainActor in self?.didSend(byteCount) }
      }
    }

    private func didSend(_ byteCount: Int) {
      bufferedBytes -= byteCount
      if bufferedBytes == 0, state == .open { events?.socketDidDrain(self) }
    }

    private func receive() {
      task?.receive { [weak self] result in
        Task { @MainActor in self?.didReceive(result) }
      }
    }

    private func didReceive(_ result: Result<URLSessionWebSocketTask.Message, any Error>) {
      // Failures are reported by the delegate, with the close code where there is one.
      guard state == .open, case .success(let message) = result else { return }
      switch message {
      case .string(let text): events?.socketDidReceive(self, [.text(Array(text.utf8))])
      case .data(let data): events?.socketDidReceive(self, [.binary(Array(data))])
      @unknown default: break
      }
      receive()
    }

    private func expire(after limit: Duration, _ problem: String) {
      deadline?.cancel()
      deadline = Task { [weak self] in
        do { try await Task.sleep(for: limit) } catch { return }
        self?.task?.cancel()
        self?.finish(
          code: 1006, error: SocketError(.timeout, message: "The WebSocket failed: \(problem)."))
      }
    }

    private func finish(
      code: UInt16, reason: String = "", wasClean: Bool = false, error: SocketError?
    ) {
      guard state != .closed else { return }
      state = .closed
      deadline?.cancel()
      session?.finishTasksAndInvalidate()
      events?.socketDidClose(
        self, SocketClose(code: code, reason: reason, wasClean: wasClean, error: error))
    }

    private static let invalidURL = SocketError(
      .invalidRequest, message: "The URL of a WebSocket must begin with ws:// or wss://.")

    private static func urlRequest(_ request: SocketRequest) -> URLRequest? {
      guard let url = URL(string: request.url), ["ws", "wss"].contains(url.scheme?.lowercased())
      else { return nil }
      var urlRequest = URLRequest(url: url)
      for (name, value) in request.headers { urlRequest.addValue(value, forHTTPHeaderField: name) }
      if !request.subprotocols.isEmpty {
        urlRequest.setValue(
          request.subprotocols.joined(separator: ", "),
          forHTTPHeaderField: "Sec-WebSocket-Protocol")
      }
      return urlRequest
    }

    /// The reason in at most 123 bytes, cut between characters.
    private static func cut(_ reason: String) -> Data? {
      var cut = reason
      while cut.utf8.count > 123 { cut.removeLast() }
      return cut.isEmpty ? nil : Data(cut.utf8)
    }

    private static func socketError(_ error: (any Error)?) -> SocketError {
      guard let error = error as? URLError else {
        return SocketError(.connectionLost, message: "The connection ended without a close frame.")
      }
      let code: SocketError.Code =
        switch error.code {
        case .cannotFindHost, .dnsLookupFailed: .nameResolution
        case .cannotConnectToHost: .connectionRefused
        case .notConnectedToInternet: .unreachable
        case .timedOut: .timeout
        case .secureConnectionFailed: .tls
        case .serverCertificateUntrusted, .serverCertificateHasBadDate,
          .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
          .certificate
        case .dataLengthExceedsMaximum: .messageTooLarge
        case .badServerResponse: .handshake
        default: .connectionLost
        }
      return SocketError(code, message: error.localizedDescription)
    }
  }

  /// Receives the session's calls, on the main queue, and passes them on to a socket that may be gone.
  final class URLSessionSocketDelegate: NSObject, URLSessionWebSocketDelegate {
    @MainActor weak var socket: URLSessionSocket?

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didOpenWithProtocol subprotocol: String?
    ) {
      MainActor.assumeIsolated { socket?.didOpen(subprotocol: subprotocol) }
    }

    func urlSession(
      _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
      didCloseWith code: URLSessionWebSocketTask.CloseCode, reason: Data?
    ) {
      MainActor.assumeIsolated { socket?.didClose(code: code.rawValue, reason: reason) }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
      MainActor.assumeIsolated { socket?.didComplete(error, task.response) }
    }
  }
#endif
