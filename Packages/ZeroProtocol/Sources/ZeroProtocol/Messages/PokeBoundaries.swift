/// The beginning of a poke.
public struct PokeStart: Sendable, Equatable {
  /// Versions of a schema that the server supports. Not sent by current servers.
  public struct SchemaVersions: Sendable, Equatable {
    /// The oldest.
    public var minSupportedVersion: Double
    /// The newest.
    public var maxSupportedVersion: Double

    public init(minSupportedVersion: Double, maxSupportedVersion: Double) {
      self.minSupportedVersion = minSupportedVersion
      self.maxSupportedVersion = maxSupportedVersion
    }
  }

  /// Names the poke within the connection.
  public var pokeID: String
  /// The state that the poke starts from; nil is that of a client without data.
  public var baseCookie: String?
  /// Not sent by current servers.
  public var schemaVersions: SchemaVersions?
  /// Not sent by current servers.
  public var timestamp: Double?

  public init(
    pokeID: String, baseCookie: String?, schemaVersions: SchemaVersions? = nil,
    timestamp: Double? = nil
  ) {
    self.pokeID = pokeID
    self.baseCookie = baseCookie
    self.schemaVersions = schemaVersions
    self.timestamp = timestamp
  }
}

extension PokeStart: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    pokeID = try members.required("pokeID")
    baseCookie = try members.nullable("baseCookie")
    schemaVersions = try members.optional("schemaVersions")
    timestamp = try members.optional("timestamp")
  }

  func write(_ members: inout MemberWriter) {
    members.put("pokeID", pokeID)
    members.putOrNull("baseCookie", baseCookie)
    members.putIfPresent("schemaVersions", schemaVersions)
    members.putIfPresent("timestamp", timestamp)
  }
}

extension PokeStart.SchemaVersions: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    minSupportedVersion = try members.required("minSupportedVersion")
    maxSupportedVersion = try members.required("maxSupportedVersion")
  }

  func write(_ members: inout MemberWriter) {
    members.put("minSupportedVersion", minSupportedVersion)
    members.put("maxSupportedVersion", maxSupportedVersion)
  }
}

/// The end of a poke, after which it may be applied.
public struct PokeEnd: Sendable, Equatable {
  /// That of the start.
  public var pokeID: String
  /// The state that the poke leads to. Empty and meaningless if the poke is cancelled.
  public var cookie: String
  /// True if the poke is to be forgotten.
  public var cancel: Bool?

  public init(pokeID: String, cookie: String, cancel: Bool? = nil) {
    self.pokeID = pokeID
    self.cookie = cookie
    self.cancel = cancel
  }
}

extension PokeEnd: MessageObject {
  init(_ members: inout MemberReader) throws(JSONError) {
    pokeID = try members.required("pokeID")
    cookie = try members.required("cookie")
    cancel = try members.optional("cancel")
  }

  func write(_ members: inout MemberWriter) {
    members.put("pokeID", pokeID)
    members.put("cookie", cookie)
    members.putIfPresent("cancel", cancel)
  }
}
