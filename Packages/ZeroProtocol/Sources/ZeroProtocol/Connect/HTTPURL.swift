/// A URL that begins with `http://` or `https://`, taken apart and printed again as a WHATWG URL
/// parser does it.
struct HTTPURL {
  let scheme: String
  /// Name and password with the `@` after them, or nothing.
  let credentials: String
  let host: String
  /// Nil for the port that the scheme implies.
  let port: UInt16?
  /// Begins with a slash.
  let path: String
  /// With its question mark; nil if there is none.
  let query: String?
  /// With its number sign; nil if there is none.
  let fragment: String?

  /// - Returns: nil if `text` has another scheme, or no valid host or port.
  init?(_ text: String) {
    // Tabs and line ends are dropped wherever they are, and white space at the end.
    var bytes = text.utf8.filter { !PercentEncoding.isAny($0, of: "\t\n\r") }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    let isSecure = bytes.starts(with: "https://".utf8)
    guard isSecure || bytes.starts(with: "http://".utf8) else { return nil }
    scheme = isSecure ? "https" : "http"
    var rest = bytes[(scheme.utf8.count + 3)...]

    let fragmentStart = rest.firstIndex(of: UInt8(ascii: "#"))
    fragment = fragmentStart.map { Self.encode(rest[$0...], "\"<>`", isText: true) }
    rest = rest[..<(fragmentStart ?? rest.endIndex)]
    let queryStart = rest.firstIndex(of: UInt8(ascii: "?"))
    query = queryStart.map { Self.encode(rest[$0...], "\"<>'", isText: true) }
    rest = rest[..<(queryStart ?? rest.endIndex)]

    rest = rest.drop(while: Self.isSlash)
    let authority = rest.prefix { !Self.isSlash($0) }
    guard let (credentials, host, port) = Self.parse(authority: authority, isSecure: isSecure)
    else { return nil }
    self.credentials = credentials
    self.host = host
    self.port = port
    path = Self.parse(path: rest.dropFirst(authority.count))
  }

  /// The whole URL.
  var href: String {
    let port = port.map { ":\($0)" } ?? ""
    return "\(scheme)://\(credentials)\(host)\(port)\(path)\(query ?? "")\(fragment ?? "")"
  }

  // MARK: -

  private static func isSlash(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\")
  }

  private static func parse(
    authority: ArraySlice<UInt8>, isSecure: Bool
  ) -> (credentials: String, host: String, port: UInt16?)? {
    var credentials = ""
    var address = authority
    if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
      address = authority[(at + 1)...]
      let parts = authority[..<at].split(
        separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false
      ).map { encode($0, "\"#<>?`{}/:;=@[\\]^|") }
      let password = parts.count > 1 && !parts[1].isEmpty ? ":\(parts[1])" : ""
      if !parts[0].isEmpty || !password.isEmpty { credentials = "\(parts[0])\(password)@" }
    }
    var port: UInt16?
    let bracket = address.lastIndex(of: UInt8(ascii: "]")) ?? address.startIndex
    if let colon = address[bracket...].firstIndex(of: UInt8(ascii: ":")) {
      guard let number = parse(port: address[(colon + 1)...]) else { return nil }
      port = number == (isSecure ? 443 : 80) ? nil : number
      if address[(colon + 1)...].isEmpty { port = nil }
      address = address[..<colon]
    }
    guard let host = URLHost.parse(Array(address)) else { return nil }
    return (credentials, host, port)
  }

  /// The number; 0 for nothing, nil for what is no port.
  private static func parse(port: ArraySlice<UInt8>) -> UInt16? {
    var number: UInt32 = 0
    for digit in port {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + UInt32(digit - UInt8(ascii: "0"))
      guard number <= UInt16.max else { return nil }
    }
    return UInt16(truncatingIfNeeded: number)
  }

  private static func parse(path: ArraySlice<UInt8>) -> String {
    var segments: [String] = []
    let parts = path.dropFirst().split(omittingEmptySubsequences: false, whereSeparator: isSlash)
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      switch dots(part) {
      case 1: if isLast { segments.append("") }
      case 2:
        _ = segments.popLast()
        if isLast { segments.append("") }
      default: segments.append(encode(part, "\"#<>?`{}"))
      }
    }
    return "/" + segments.joined(separator: "/")
  }

  /// How many dots a segment consists of, some of which may be written `%2e`; 0 if there is anything
  /// else.
  private static func dots(_ segment: ArraySlice<UInt8>) -> Int {
    guard (1...6).contains(segment.count) else { return 0 }
    var count = 0
    var rest = segment
    while let first = rest.first {
      if first == UInt8(ascii: ".") {
        rest = rest.dropFirst()
      } else if rest.count >= 3, rest.starts(with: "%2".utf8),
        rest[rest.startIndex + 2] | 0x20 == UInt8(ascii: "e")
      {
        rest = rest.dropFirst(3)
      } else {
        return 0
      }
      count += 1
    }
    return count
  }

  /// Writes control characters, spaces, everything beyond ASCII and `special` as `%XX`.
  ///
  /// - Parameter isText: leaves the first byte alone, which marks what kind of text follows.
  private static func encode(
    _ text: ArraySlice<UInt8>, _ special: StaticString, isText: Bool = false
  ) -> String {
    func encode(_ text: ArraySlice<UInt8>) -> String {
      PercentEncoding.encode(text) {
        $0 > 0x20 && $0 < 0x7F && !PercentEncoding.isAny($0, of: special)
      }
    }
    guard isText else { return encode(text) }
    return String(decoding: text.prefix(1), as: UTF8.self) + encode(text.dropFirst())
  }
}
