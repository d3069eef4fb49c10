import ZeroProtocol
import ZeroWebSocket

/// A request that was checked: where to connect and what to ask for there.
struct ConnectTarget: Sendable {
  /// What libcurl connects to: `http` or `https`, host and port.
  let origin: String
  /// Host and port as the URL has them.
  let authority: String
  let isSecure: Bool
  let handshake: ClientHandshake.Request

  init(_ request: SocketRequest, options: CurlTransportOptions) throws(SocketError) {
    let url = request.url
    guard let separator = url.range(ofFirst: "://") else { throw Self.invalid("has no scheme") }
    switch url[..<separator.lowerBound].lowercased() {
    case "ws": isSecure = false
    case "wss": isSecure = true
    default: throw Self.invalid("must begin with ws:// or wss://")
    }
    let rest = url[separator.upperBound...]
    guard !rest.utf8.contains(UInt8(ascii: "#")) else {
      throw Self.invalid("must not have a fragment")
    }
    let authorityEnd = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    authority = String(rest[..<authorityEnd])
    guard !authority.isEmpty, !authority.hasPrefix(":") else { throw Self.invalid("has no host") }
    guard !authority.utf8.contains(UInt8(ascii: "@")) else {
      throw Self.invalid("must not contain a user; send an Authorization header instead")
    }
    guard Self.isPrintable(url) else {
      throw Self.invalid("must not contain spaces or control characters")
    }
    origin = (isSecure ? "https://" : "http://") + authority + "/"
    let path = rest[authorityEnd...]
    var headers = request.headers
    if let agent = options.userAgent,
      !headers.contains(where: { $0.name.lowercased() == "user-agent" })
    {
      headers.insert(("User-Agent", agent), at: 0)
    }
    try Self.check(headers)
    for subprotocol in request.subprotocols {
      guard !subprotocol.isEmpty, Self.isPrintable(subprotocol),
        !subprotocol.utf8.contains(UInt8(ascii: ","))
      else {
        throw SocketError(
          .invalidRequest,
          message: "A subprotocol must have visible characters only and no comma.")
      }
    }
    handshake = ClientHandshake.Request(
      host: authority, target: path.hasPrefix("/") ? String(path) : "/" + path,
      subprotocols: request.subprotocols, headers: headers,
      offersCompression: options.offersCompression)
  }

  // MARK: -

  private static func check(_ headers: [(name: String, value: String)]) throws(SocketError) {
    for (name, value) in headers {
      let isName = !name.isEmpty && isPrintable(name) && !name.utf8.contains(UInt8(ascii: ":"))
      guard isName, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
        throw SocketError(
          .invalidRequest,
          message: "The header '\(isName ? name : "?")' has a character that is not allowed there.")
      }
    }
  }

  private static func isPrintable(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
  }

  private static func invalid(_ problem: String) -> SocketError {
    SocketError(.invalidRequest, message: "The URL of a WebSocket \(problem).")
  }
}

extension String {
  /// The first place where `text` stands.
  fileprivate func range(ofFirst text: String) -> Range<Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) {
        return start..<index(start, offsetBy: text.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
