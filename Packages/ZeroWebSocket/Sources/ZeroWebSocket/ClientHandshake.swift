/// The opening handshake from the client's side.
public struct ClientHandshake: Sendable {
  /// What to ask for.
  public struct Request: Sendable {
    /// Value of `Host`.
    public var host: String
    /// Path and query, beginning with a slash.
    public var target: String
    /// Values of `Sec-WebSocket-Protocol`, in order of preference. The server has to choose one if there
    /// is any.
    public var subprotocols: [String]
    /// Further headers, in order.
    public var headers: [(name: String, value: String)]
    /// Whether to offer permessage-deflate.
    public var offersCompression: Bool

    /// The parts must be free of line breaks: they are sent as they are.
    public init(
      host: String, target: String, subprotocols: [String] = [],
      headers: [(name: String, value: String)] = [], offersCompression: Bool = true
    ) {
      self.host = host
      self.target = target
      self.subprotocols = subprotocols
      self.headers = headers
      self.offersCompression = offersCompression
    }
  }

  /// The server agreed.
  public struct Acceptance: Sendable, Equatable {
    /// The server's choice among those offered; nil when none was.
    public var subprotocol: String?
    /// What was agreed for permessage-deflate; nil to go without.
    public var compression: DeflateParameters?
    /// What came behind the head: the first frames.
    public var rest: [UInt8]
  }

  /// The server answered with another status than 101.
  public struct Refusal: Sendable, Equatable {
    /// The status code, 100 to 999.
    public var status: Int
    /// The words behind the status code, as sent and of any length.
    public var reason: String
    /// Names in lower case, in order.
    public var headers: [(name: String, value: String)]
    /// The beginning of the body, at most 512 characters.
    public var bodyExcerpt: String

    public static func == (left: Self, right: Self) -> Bool {
      left.status == right.status && left.reason == right.reason
        && left.bodyExcerpt == right.bodyExcerpt
        && left.headers.elementsEqual(right.headers) { $0.name == $1.name && $0.value == $1.value }
    }
  }

  /// How far the handshake is.
  public enum Outcome: Sendable, Equatable {
    case needsMore
    case accepted(Acceptance)
    case refused(Refusal)
    /// The answer is no valid handshake.
    case invalid(String)
  }

  /// The bytes to send.
  public let requestBytes: [UInt8]

  private let key: String
  private let subprotocols: [String]
  private let offersCompression: Bool
  private var reader = HTTPHeadReader()
  private var refusal: (head: HTTPHead, status: Int, reason: String)?

  private static let excerptBytes = 4096
  private static let excerptCharacters = 512

  /// Makes a request with a fresh key.
  /// - Parameter random: source of the key, 16 bytes.
  public init(_ request: Request, random: inout some RandomNumberGenerator) {
    let nonce = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    key = Base64.encode(nonce)
    subprotocols = request.subprotocols
    offersCompression = request.offersCompression
    requestBytes = Self.encode(request, key: key)
  }

  /// Whether the server has refused and only the body of its answer is being waited for.
  public var isRefused: Bool { refusal != nil }

  /// Takes bytes from the server. Call it until the outcome is not `needsMore`.
  public mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    reader.append(bytes)
    while refusal == nil {
      guard let (head, _) = reader.next() else {
        if reader.isOverLimit { return .invalid("The server's answer has no end.") }
        return looksLikeHTTP ? .needsMore : .invalid("The server does not speak HTTP.")
      }
      guard let head, let (status, reason) = Self.statusLine(head.startLine) else {
        return .invalid("The server's answer is not valid HTTP.")
      }
      switch status {
      case 101: return accept(head)
      case 100..<200: continue
      default: refusal = (head, status, reason)
      }
    }
    guard let refusal, let excerpt = bodyExcerpt(of: refusal.head, isAtEnd: false) else {
      return .needsMore
    }
    return .refused(makeRefusal(refusal, excerpt))
  }

  /// The connection is at its end.
  public mutating func receiveEnd() -> Outcome {
    guard let refusal else {
      return .invalid("The connection ended before the server answered.")
    }
    return .refused(makeRefusal(refusal, bodyExcerpt(of: refusal.head, isAtEnd: true) ?? ""))
  }

  // MARK: -

  private static func encode(_ request: Request, key: String) -> [UInt8] {
    var text = "GET \(request.target) HTTP/1.1\r\nHost: \(request.host)\r\n"
    text += "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    text += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n"
    if !request.subprotocols.isEmpty {
      text += "Sec-WebSocket-Protocol: \(request.subprotocols.joined(separator: ", "))\r\n"
    }
    if request.offersCompression {
      text += "Sec-WebSocket-Extensions: \(DeflateParameters.offer)\r\n"
    }
    for (name, value) in request.headers { text += "\(name): \(value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  private var looksLikeHTTP: Bool {
    reader.bytes.starts(with: Array("HTTP/1.".utf8).prefix(reader.bytes.count))
  }

  private static func statusLine(_ line: String) -> (status: Int, reason: String)? {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0].hasPrefix("HTTP/1."), parts[1].utf8.count == 3,
      let status = Int(parts[1]), (100...999).contains(status)
    else { return nil }
    return (status, parts.count > 2 ? String(parts[2]) : "")
  }

  private func accept(_ head: HTTPHead) -> Outcome {
    guard head.value(of: "upgrade")?.lowercased() == "websocket" else {
      return .invalid("The server's answer does not upgrade to WebSocket.")
    }
    guard HeaderList.contains("upgrade", in: head.value(of: "connection") ?? "") else {
      return .invalid("The server's answer does not upgrade the connection.")
    }
    guard head.value(of: "sec-websocket-accept") == WebSocketKey.accept(for: key) else {
      return .invalid("The server's Sec-WebSocket-Accept does not belong to our key.")
    }
    let subprotocol = head.value(of: "sec-websocket-protocol")
    if let subprotocol {
      guard subprotocols.contains(where: { $0.utf8.elementsEqual(subprotocol.utf8) }) else {
        return .invalid("The server chose a subprotocol that was not offered.")
      }
    } else if !subprotocols.isEmpty {
      return .invalid("The server did not choose the subprotocol that was offered.")
    }
    var compression: DeflateParameters?
    if let extensions = head.value(of: "sec-websocket-extensions") {
      do {
        compression = try DeflateParameters.accepted(extensions)
      } catch {
        return .invalid(error.message)
      }
      if compression != nil && !offersCompression {
        return .invalid("The server chose compression, which was not offered.")
      }
    }
    return .accepted(
      Acceptance(subprotocol: subprotocol, compression: compression, rest: reader.bytes))
  }

  /// - Returns: nil when more of the body should be waited for.
  private func bodyExcerpt(of head: HTTPHead, isAtEnd: Bool) -> String? {
    var body = reader.bytes[...]
    let isChunked = HeaderList.contains("chunked", in: head.value(of: "transfer-encoding") ?? "")
    let length = head.value(of: "content-length").flatMap { Int($0) }
    var isComplete = isAtEnd || body.count >= Self.excerptBytes
    if isChunked {
      let (decoded, isLast) = Self.dechunk(body)
      body = decoded
      isComplete = isComplete || isLast
    } else if let length, length >= 0, body.count >= length {
      body = body.prefix(length)
      isComplete = true
    }
    guard isComplete else { return nil }
    return String(String(decoding: body, as: UTF8.self).prefix(Self.excerptCharacters))
  }

  private static func dechunk(_ bytes: ArraySlice<UInt8>) -> (ArraySlice<UInt8>, isLast: Bool) {
    var rest = bytes
    var body: ArraySlice<UInt8> = []
    while let lineEnd = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: rest[..<lineEnd], as: UTF8.self)
      let digits = line.prefix { $0.isHexDigit }
      guard let size = Int(digits, radix: 16), size >= 0 else { return (body, true) }
      if size == 0 { return (body, true) }
      rest = rest[(lineEnd + 1)...]
      body += rest.prefix(size)
      guard rest.count > size else { return (body, false) }
      rest = rest.dropFirst(size)
      if rest.first == UInt8(ascii: "\r") { rest = rest.dropFirst() }
      if rest.first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
    }
    return (body, false)
  }

  private func makeRefusal(
    _ refusal: (head: HTTPHead, status: Int, reason: String), _ excerpt: String
  ) -> Refusal {
    Refusal(
      status: refusal.status, reason: refusal.reason, headers: refusal.head.headers,
      bodyExcerpt: excerpt)
  }
}
