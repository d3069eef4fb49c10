import ZeroProtocol

/// What a client says of itself as it connects, in the URL and in the subprotocol.
struct ConnectParameters: Sendable {
  var protocolVersion: Int
  var clientID: String
  var clientGroupID: String
  /// Nil for nobody.
  var userID: String?
  /// Nil if the client has nothing yet.
  var baseCookie: String?
  /// To be echoed; empty if the client sent none.
  var wsid: String
  var token: String?
  /// The first message, if it came with the subprotocol.
  var initConnection: JSONValue?

  /// A connection that cannot be understood: it is closed with code 1002 and this reason.
  struct Failure: Error { let reason: String }

  /// - Parameters:
  ///   - target: path and query of the request.
  ///   - subprotocol: value of `Sec-WebSocket-Protocol`; nil without one.
  init(target: String, subprotocol: String?) throws(Failure) {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    guard let version = Self.version(path) else {
      throw Failure(reason: "Error: Invalid URL: \(target)")
    }
    protocolVersion = version
    let values = Self.values(parts.count > 1 ? String(parts[1]) : "")
    func text(_ name: String) throws(Failure) -> String {
      guard let value = values[name], !value.isEmpty else {
        throw Failure(reason: "Error: invalid querystring - missing \(name)")
      }
      return value
    }
    func number(_ name: String) throws(Failure) {
      let value = try text(name)
      guard Self.startsWithInteger(value) else {
        let url = "http://unused\(target)"
        throw Failure(
          reason: "Error: invalid querystring parameter \(name), got: \(value), url: \(url)")
      }
    }
    clientID = try text("clientID")
    clientGroupID = try text("clientGroupID")
    baseCookie = values["baseCookie"].flatMap { $0.isEmpty ? nil : $0 }
    try number("ts")
    try number("lmid")
    wsid = values["wsid"] ?? ""
    userID = values["userID"].flatMap { $0.isEmpty ? nil : $0 }
    guard let subprotocol else { throw Failure(reason: "Error: Unexpected undefined value") }
    guard case .object(let token)? = Self.decode(subprotocol) else {
      throw Failure(reason: "Error: URI malformed")
    }
    if case .string(let text)? = token["authToken"], !text.isEmpty { self.token = text }
    initConnection = token["initConnectionMessage"]
  }

  // MARK: -

  /// The number in `[/base]/sync/v<number>/<action>`; nil for another path.
  private static func version(_ path: String) -> Int? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard (4...5).contains(parts.count), parts[parts.count - 3] == "sync" else { return nil }
    let version = parts[parts.count - 2]
    guard version.first == "v", version.dropFirst().allSatisfy(\.isASCII) else { return nil }
    return Int(version.dropFirst())
  }

  private static func startsWithInteger(_ text: String) -> Bool {
    var digits = text.utf8.drop { $0 == UInt8(ascii: " ") }
    if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      digits = digits.dropFirst()
    }
    guard let first = digits.first else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
  }

  /// Form-encoded values; of a repeated name the first counts.
  private static func values(_ query: String) -> [String: String] {
    var values: [String: String] = [:]
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = PercentEncoding.decode(form: parts[0])
      if values[name] == nil {
        values[name] = parts.count > 1 ? PercentEncoding.decode(form: parts[1]) : ""
      }
    }
    return values
  }

  private static func decode(_ subprotocol: String) -> JSONValue? {
    guard let base64 = PercentEncoding.decode(strict: subprotocol),
      let bytes = Base64.decode(base64)
    else { return nil }
    return try? JSONValue(parsing: bytes)
  }
}
