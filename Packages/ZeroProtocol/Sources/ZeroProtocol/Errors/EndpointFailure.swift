/// How a request to the app's mutate or query endpoint failed as a whole.
public struct EndpointFailure: Sendable, Equatable {
  /// Where it went wrong.
  public enum Reason: String, Sendable, CaseIterable {
    /// The endpoint's database failed.
    case database
    /// A request or a reply does not have a known form.
    case parse
    /// A mutation ID is not the one that was due.
    case oooMutation
    /// The endpoint does not know this version of push requests.
    case unsupportedPushVersion
    /// Anything unexpected.
    case `internal`
    /// The endpoint answered with another HTTP status than 2xx.
    case http
    /// The endpoint did not answer in time.
    case timeout
  }

  /// Where it went wrong.
  public var reason: Reason
  /// HTTP status; only with reason `http`.
  public var status: Double?
  /// The beginning of the endpoint's reply; only with reason `http`.
  public var bodyPreview: String?
  /// What the endpoint said about it.
  public var details: JSONValue?

  public init(
    _ reason: Reason, status: Double? = nil, bodyPreview: String? = nil, details: JSONValue? = nil
  ) {
    self.reason = reason
    self.status = status
    self.bodyPreview = bodyPreview
    self.details = details
  }

  /// Whether the endpoint refused the credentials.
  public var isAuthFailure: Bool { reason == .http && (status == 401 || status == 403) }
}
