import ZeroProtocol

/// What a group knows about one query: what it is, who wants it, and how far it has come.
struct QueryRecord {
  enum Definition: Equatable, Sendable {
    case named(String, arguments: [JSONValue])
    /// The query itself, as old clients send it, in server names.
    case ast(AST)
  }

  /// How one client stands to the query.
  struct Desire {
    /// Milliseconds to keep the query after the client no longer wants it.
    var ttl: Double
    /// When the client stopped wanting it, on the group's TTL clock; nil while it does.
    var inactivatedAt: Double?
    /// The group's version of the last change.
    var version: GroupVersion
  }

  let definition: Definition
  var desires: [String: Desire] = [:]
  /// The group's version at which the query became complete; nil before.
  var gotVersion: GroupVersion?
  /// Hash of the normalized query that the pipeline runs.
  var transformationHash: String?
  var pipeline: (any QueryPipeline)?

  /// When the query expires on the group's TTL clock; nil while a client wants it.
  var expiresAt: Double? {
    var latest = 0.0
    for desire in desires.values {
      guard let inactivatedAt = desire.inactivatedAt else { return nil }
      latest = max(latest, inactivatedAt + desire.ttl)
    }
    return latest
  }

  static let defaultTTL = 300_000.0
  static let maximumTTL = 600_000.0

  /// The time to live a client asks for, within what the server grants.
  static func clampTTL(_ ttl: Double?) -> Double {
    guard let ttl, ttl.isFinite else { return defaultTTL }
    return ttl < 0 ? maximumTTL : min(ttl, maximumTTL)
  }
}
