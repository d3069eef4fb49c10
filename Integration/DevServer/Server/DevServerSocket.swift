/// The server's end of a WebSocket, as the development server uses it.
@MainActor public protocol DevServerSocket: AnyObject {
  func send(text: [UInt8])
  func send(binary: [UInt8])

  /// Starts the closing handshake; what was sent before still goes out.
  /// - Parameter code: nil for a close frame without a code.
  func close(code: UInt16?, reason: String)

  /// Drops the connection without a closing handshake.
  func abort()
}

/// The request that opens a WebSocket.
public struct UpgradeRequest: Sendable {
  /// Path and query.
  public var target: String
  public var headers: [(name: String, value: String)]

  public init(target: String, headers: [(name: String, value: String)]) {
    self.target = target
    self.headers = headers
  }

  /// The value of the first header of that name, in any case.
  public subscript(header: String) -> String? {
    headers.first { $0.name.lowercased() == header.lowercased() }?.value
  }
}
