/// Keys of the client's snapshot as the reference writes them: one ordered space of rows, desired
/// queries, got queries and mutation results.
public enum StoreKey {
  /// Begins the keys of rows.
  public static let rowPrefix = "e/"
  /// Begins the keys of queries that a client wants.
  public static let desiredQueryPrefix = "d/"
  /// Begins the keys of queries whose rows are complete.
  public static let gotQueryPrefix = "g/"
  /// Begins the keys of results of mutations.
  public static let mutationResultPrefix = "m/"

  /// Prefix of the queries that `clientID` desires.
  public static func desiredQueries(clientID: String) -> String {
    desiredQueryPrefix + clientID + "/"
  }

  /// Key of one query that `clientID` desires.
  public static func desiredQuery(clientID: String, hash: String) -> String {
    desiredQueries(clientID: clientID) + hash
  }

  /// Key of a query whose rows are complete.
  public static func gotQuery(hash: String) -> String { gotQueryPrefix + hash }

  /// Key of the result of a mutation.
  public static func mutationResult(clientID: String, mutationID: Double) -> String {
    mutationResultPrefix + clientID + "/" + mutationID.javaScriptText
  }

  /// The table in the key of a row: what stands between the prefix and the next slash. A key
  /// without one has lost its last UTF-16 unit too, as in the reference.
  public static func table(ofRowKey key: String) -> String {
    let units = Array(key.utf16.dropFirst(2))
    let end = units.firstIndex(of: 0x2F) ?? max(0, units.count - 1)
    return String(decoding: units[..<end], as: UTF16.self)
  }
}
