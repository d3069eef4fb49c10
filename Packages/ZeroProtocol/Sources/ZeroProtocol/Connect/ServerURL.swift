/// The base URL of a server: `http` or `https`, with at most one path component.
public struct ServerURL: Sendable, Hashable {
  /// The URL as a WHATWG URL parser prints it.
  public let string: String

  /// - Throws: `invalidURL` for another scheme (in lower case) or no valid URL, for more than one
  ///   path component, for a query and for a fragment.
  public init(_ text: String) throws(OptionError) {
    func error(_ message: String) -> OptionError {
      OptionError(.invalidURL, option: "server", message)
    }
    guard text.utf8.starts(with: "http://".utf8) || text.utf8.starts(with: "https://".utf8) else {
      throw error("must use the \"http\" or \"https\" scheme.")
    }
    guard let url = HTTPURL(text) else { throw error("must be a valid URL.") }
    var components = url.path.utf8.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
    ).dropFirst()
    if components.last?.isEmpty == true { components.removeLast() }
    guard components.count <= 1 else {
      throw error(
        "may have at most one path component. For example: \"https://myapp-myteam.zero.ms/zero\".")
    }
    guard url.query == nil else {
      throw error(
        "must not contain a search component. For example: \"https://myapp-myteam.zero.ms/\".")
    }
    guard url.fragment == nil else {
      throw error(
        "must not contain a hash component. For example: \"https://myapp-myteam.zero.ms/\".")
    }
    string = url.href
  }

  /// The URL with the scheme `ws` or `wss`.
  public var webSocketOrigin: String { "ws" + String(string.dropFirst(4)) }

  /// The HTTP URL of a WebSocket URL.
  public static func httpURL(webSocketURL: String) -> String {
    "http" + String(webSocketURL.dropFirst(2))
  }

  /// `url` with `path`, which begins with a slash, after it and one slash between them.
  public static func append(path: String, to url: String) -> String {
    url.utf8.last == UInt8(ascii: "/") ? url + String(path.dropFirst()) : url + path
  }
}
