/// The name of a client's local database.
public struct DatabaseName: Sendable {
  /// Layout version of the reference's storage, part of its names.
  public static let formatVersion = 7
  /// Begins the names of all databases of clients.
  public static let prefix = "rep:"
  /// Stands for the user when nobody is logged in.
  public static let anonymousUser = "__anonymous__"

  /// The text that is hashed into ``base``.
  public let keyText: String
  /// The name without version: the user and a hash of what else tells databases apart.
  public let base: String

  /// - Parameters:
  ///   - userID: nil when nobody is logged in; must not be empty.
  ///   - storageKey: the app's own key, empty by default.
  ///   - mutateURL: empty if not set.
  ///   - queryURL: empty if not set.
  /// - Throws: ``EmptyUserID``.
  public init(
    userID: String?, storageKey: String = "", mutateURL: String = "", queryURL: String = ""
  ) throws(EmptyUserID) {
    if let userID, userID.isEmpty { throw EmptyUserID() }
    let key: JSONObject = [
      "storageKey": .string(storageKey), "mutateUrl": .string(mutateURL),
      "queryUrl": .string(queryURL),
    ]
    keyText = JSONValue.object(key).jsonString
    base = "zero-\(userID ?? Self.anonymousUser)-\(TextHash.base36(keyText))"
  }

  /// The full name for a schema version.
  public func full(schemaVersion: String) -> String {
    Self.full(base: base, schemaVersion: schemaVersion)
  }

  /// The full name of `base` for a schema version, which may be empty.
  public static func full(base: String, schemaVersion: String) -> String {
    let name = "\(prefix)\(base):\(formatVersion)"
    return schemaVersion.isEmpty ? name : "\(name):\(schemaVersion)"
  }
}

/// A user ID that is given but empty, which would look like nobody being logged in.
public struct EmptyUserID: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String {
    "the user ID is empty; leave it out when nobody is logged in"
  }
}
