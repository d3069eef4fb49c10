import ZeroProtocol
import ZeroTransportCurl

/// Connects, sends back every message if asked to, and ends when the server closes.
@MainActor final class EchoSocket: SocketEvents {
  private let url: String
  private let echoes: Bool
  private var socket: (any SocketConnection)?
  private var lastText: String?
  private var finish: CheckedContinuation<String?, Never>?

  init(_ url: String, echoes: Bool) {
    self.url = url
    self.echoes = echoes
  }

  /// - Returns: the last text message, if there was one.
  func run() async -> String? {
    await withCheckedContinuation { continuation in
      finish = continuation
      socket = CurlSocketFactory().open(SocketRequest(url: url), events: self)
    }
  }

  func socketDidOpen(_ socket: any SocketConnection, subprotocol: String?) {}

  func socketDidReceive(_ socket: any SocketConnection, _ messages: [SocketMessage]) {
    for message in messages {
      switch message {
      case .text(let utf8):
        if echoes {
          socket.send(text: utf8)
        } else {
          lastText = String(decoding: utf8, as: UTF8.self)
        }
      case .binary(let bytes):
        if echoes { socket.send(binary: bytes) }
      }
    }
  }

  func socketDidDrain(_ socket: any SocketConnection) {}

  func socketDidClose(_ socket: any SocketConnection, _ close: SocketClose) {
    finish?.resume(returning: lastText)
    finish = nil
  }
}
