/// Where an app's API server is, and what may be passed on to it.
public struct Endpoint: Sendable {
  /// For named queries; nil if it has none.
  public var queryURL: String?
  /// For mutations; nil if it has none.
  public var mutateURL: String?
  /// Sent as `X-Api-Key`.
  public var apiKey: String?
  /// Whether the `Cookie` header of a client's connection is passed on.
  public var forwardsCookies = false
  /// Names, in lower case, of headers that clients may have passed on.
  public var allowedHeaders: Set<String> = []
  /// URLs that clients may ask for instead; query and fragment do not count.
  public var allowedURLs: Set<String> = []
  public var appID = "zero"
  public var schema = "zero_0"

  public init(queryURL: String? = nil, mutateURL: String? = nil) {
    self.queryURL = queryURL
    self.mutateURL = mutateURL
  }
}
