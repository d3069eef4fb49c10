/// The opening handshake from the server's side: reads the head of one HTTP request and makes answers.
public struct ServerHandshake: Sendable {
  /// A request whose head is complete.
  public struct Request: Sendable {
    /// The method, as sent.
    public var method: String
    /// Path and query.
    public var target: String
    /// The whole head, for its headers.
    public var head: HTTPHead
    /// What came behind the head: the beginning of a body, or nothing.
    public var rest: [UInt8]

    /// Whether the client asks for a WebSocket of version 13.
    public var isUpgrade: Bool {
      method == "GET" && head.value(of: "upgrade")?.lowercased() == "websocket"
        && HeaderList.contains("upgrade", in: head.value(of: "connection") ?? "")
        && head.value(of: "sec-websocket-version") == "13" && key != nil
    }

    /// The offered subprotocols.
    public var subprotocols: [String] {
      (head.value(of: "sec-websocket-protocol") ?? "").split(separator: ",").map(HeaderList.trim)
    }

    /// Makes the answer that accepts an upgrade.
    /// - Parameters:
    ///   - subprotocol: one of the offered ones, or nil for none.
    ///   - compresses: whether to agree to compression when the client offers it.
    public func accept(
      subprotocol: String?, compresses: Bool = false
    ) -> (bytes: [UInt8], compression: DeflateParameters?) {
      let agreed =
        compresses
        ? head.value(of: "sec-websocket-extensions").flatMap(DeflateParameters.choose) : nil
      var text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      text += "Sec-WebSocket-Accept: \(WebSocketKey.accept(for: key ?? ""))\r\n"
      if let subprotocol { text += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
      if let agreed { text += "Sec-WebSocket-Extensions: \(agreed.answer)\r\n" }
      return (Array((text + "\r\n").utf8), agreed?.parameters)
    }

    private var key: String? { head.value(of: "sec-websocket-key") }
  }

  /// How far the request is.
  public enum Outcome: Sendable {
    case needsMore
    case request(Request)
    /// Not HTTP, or a head of more than 128 KiB.
    case invalid
  }

  private var reader = HTTPHeadReader()

  /// Waits for one request.
  public init() {}

  /// Takes bytes from the client. Call it until the outcome is not `needsMore`.
  public mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    reader.append(bytes)
    guard let (head, _) = reader.next() else { return reader.isOverLimit ? .invalid : .needsMore }
    guard let head else { return .invalid }
    let parts = head.startLine.split(separator: " ")
    guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { return .invalid }
    return .request(
      Request(
        method: String(parts[0]), target: String(parts[1]), head: head, rest: reader.bytes))
  }

  /// Makes a plain HTTP response that closes the connection.
  public static func response(
    status: Int, reason: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(reason)\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    text += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    return Array(text.utf8) + body
  }
}
