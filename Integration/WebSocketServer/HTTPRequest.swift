public import ZeroWebSocket

/// A complete HTTP request.
public struct HTTPRequest: Sendable {
  public var method: String
  /// Path and query as they were sent.
  public var target: String
  public var head: HTTPHead
  public var body: [UInt8]
  /// The subprotocols that a client offers.
  public var subprotocols: [String]

  /// The target up to the question mark.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The parameters of the query, form-decoded, in order.
  public var query: [(name: String, value: String)] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[target.index(after: mark)...].split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (Self.decode(parts[0]), parts.count > 1 ? Self.decode(parts[1]) : "")
    }
  }

  /// The first parameter of this name.
  public func parameter(_ name: String) -> String? {
    query.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }

  // MARK: -

  private static func decode(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// An answer to an HTTP request, after which the connection is closed.
public struct HTTPResponse: Sendable {
  public var status: Int
  public var reason: String
  public var headers: [(name: String, value: String)]
  public var body: [UInt8]

  public init(
    status: Int, reason: String, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) {
    self.status = status
    self.reason = reason
    self.headers = headers
    self.body = body
  }

  /// A short answer in words.
  public init(status: Int, reason: String, text: String) {
    self.init(
      status: status, reason: reason, headers: [("Content-Type", "text/plain; charset=utf-8")],
      body: Array(text.utf8))
  }
}
