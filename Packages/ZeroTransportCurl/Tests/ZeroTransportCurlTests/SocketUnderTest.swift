import ZeroContracts
import ZeroProtocol
import ZeroTransportCurl

/// A socket of the transport with its listener.
@MainActor final class SocketUnderTest {
  let recorder = SocketRecorder()
  let socket: any SocketConnection

  init(_ request: SocketRequest, options: CurlTransportOptions = CurlTransportOptions()) {
    socket = CurlSocketFactory(options: options).open(request, events: recorder)
  }

  convenience init(_ url: String, options: CurlTransportOptions = CurlTransportOptions()) {
    self.init(SocketRequest(url: url), options: options)
  }

  /// The kind of failure that ended the socket; nil after a clean end.
  func failure() async -> SocketError.Code? { await recorder.waitForClose()?.error?.code }
}
