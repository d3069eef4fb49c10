/// The URL of a connection.
public struct ConnectURL: Sendable, Equatable {
  /// The whole URL.
  public let string: String
  /// Names of extra parameters that were left out because the client sets them itself.
  public let skippedParameters: [String]

  /// What the URL says about the client.
  public struct Parameters: Sendable, Equatable {
    /// Names this client; never reused.
    public var clientID: String
    /// Names the group of clients that share a storage.
    public var clientGroupID: String
    /// Nil for someone not logged in.
    public var userID: String?
    /// State of the client's data; nil if it has none.
    public var baseCookie: String?
    /// Monotonic clock, in milliseconds.
    public var timestamp: Double
    /// Last mutation ID that was received for this client.
    public var lastMutationID: Double
    /// Names this attempt.
    public var wsid: String
    /// Names this installation.
    public var profileID: String
    /// Asks the server for figures about its performance.
    public var isDebugging: Bool
    /// What the server last asked for to be repeated to it.
    public var extra: NamedValues<String>

    public init(
      clientID: String, clientGroupID: String, userID: String? = nil, baseCookie: String? = nil,
      timestamp: Double, lastMutationID: Double, wsid: String, profileID: String,
      isDebugging: Bool = false, extra: NamedValues<String> = [:]
    ) {
      self.clientID = clientID
      self.clientGroupID = clientGroupID
      self.userID = userID
      self.baseCookie = baseCookie
      self.timestamp = timestamp
      self.lastMutationID = lastMutationID
      self.wsid = wsid
      self.profileID = profileID
      self.isDebugging = isDebugging
      self.extra = extra
    }
  }

  /// - Parameters:
  ///   - origin: the server's URL with the scheme of WebSockets.
  ///   - version: protocol version to declare.
  public init(
    origin: String, version: Int = SyncProtocol.version, _ parameters: Parameters
  ) {
    var values: NamedValues<String> = [
      "clientID": parameters.clientID, "clientGroupID": parameters.clientGroupID,
    ]
    if let userID = parameters.userID { values["userID"] = userID }
    values["baseCookie"] = parameters.baseCookie ?? ""
    values["ts"] = parameters.timestamp.javaScriptText
    values["lmid"] = parameters.lastMutationID.javaScriptText
    values["wsid"] = parameters.wsid
    values["profileID"] = parameters.profileID
    if parameters.isDebugging { values["debugPerf"] = "true" }

    let own = Set(values.entries.map { UTF8Key($0.name) })
    let extra = parameters.extra.entries.filter { !own.contains(UTF8Key($0.name)) }
    let skipped = parameters.extra.entries.map(\.name).filter { own.contains(UTF8Key($0)) }
    let query = (values.entries + extra).map {
      "\(PercentEncoding.form($0.name))=\(PercentEncoding.form($0.value))"
    }.joined(separator: "&")
    string = ServerURL.append(path: "/sync/v\(version)/connect", to: origin) + "?" + query
    skippedParameters = skipped
  }
}
