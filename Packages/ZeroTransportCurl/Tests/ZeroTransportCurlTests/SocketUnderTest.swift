import ZeroContracts
import ZeroProtocol
import ZeroTransportCurl

/// A socket of the transport with its listener.
@MainActor final class SocketUnderTest {
  let recorder = SocketRecorder()
  let socket: any SocketConnection

  init(_ request: SocketRequest, options: CurlTransportOptions = .forTests) {
    socket = CurlSocketFactory(options: options).open(request, events: recorder)
  }

  convenience init(_ url: String, options: CurlTransportOptions = .forTests) {
    self.init(SocketRequest(url: url, connectTimeout: .seconds(60)), options: options)
  }

  /// The kind of failure that ended the socket; nil after a clean end.
  func failure() async -> SocketError.Code? { await recorder.waitForClose()?.error?.code }

  /// A host whose first label is too long for the DNS, so that no network is asked for it.
  nonisolated static let unknownHost = String(repeating: "x", count: 64) + ".invalid"
}

extension CurlTransportOptions {
  /// Past the proxy that the machine may have, and patient with a machine that is busy.
  static var forTests: Self {
    var options = Self()
    options.proxy = .direct
    options.closeTimeout = .seconds(60)
    return options
  }
}
