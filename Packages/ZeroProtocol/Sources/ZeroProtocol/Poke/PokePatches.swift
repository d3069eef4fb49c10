/// The body of one poke part with its rows packed by the client's schema.
///
/// Part boundaries mean nothing to the client; parts are applied in their order, and within one the
/// patches in the order of the properties here.
@_spi(Engine) public struct PokePatches: Sendable {
  /// Names the poke. Parts in binary chunks carry it too, but nothing depends on it there.
  public var pokeID: String
  /// Client ID and last mutation ID, each client once.
  public var lastMutationIDChanges: [(clientID: String, lastMutationID: Double)] = []
  /// Client ID and changes to the queries it asks for, each client once.
  public var desiredQueriesPatches: [(clientID: String, operations: [QueryOperation])] = []
  /// Changes to the set of queries whose rows are complete.
  public var gotQueriesPatch: [QueryOperation] = []
  /// Changes to rows, in order.
  public var rowsPatch: [RowOperation] = []
  /// Changes to the results of mutations.
  public var mutationsPatch: [MutationOperation] = []
  /// Whether the rows patch has any entry, those of unknown tables included.
  public var hasRows = false

  public init(pokeID: String) { self.pokeID = pokeID }

  /// A change to a set of queries.
  public enum QueryOperation: Sendable {
    /// - Parameter ttl: in milliseconds.
    case put(hash: String, ttl: Double?)
    case del(hash: String)
    case clear
  }

  /// A change to a row. Entries of tables that the schema lacks are left out.
  public enum RowOperation: Sendable {
    /// Insert or replace. Columns that the server did not send are absent; those that the schema
    /// lacks are left out.
    case put(Row)
    indirect case update(RowUpdate)
    /// Remove. Only the columns of the key are set; a key column may still be missing.
    case del(Row)
    /// Empty the whole local store.
    case clear
  }

  /// A change to part of a row.
  public struct RowUpdate: Sendable {
    /// Only the columns of the key are set.
    public var key: Row
    /// The columns to set; the others are absent. Nil if there are none.
    public var merge: Row?
    /// Indexes of the columns to keep of the result, nil for all.
    public var constrain: [Int]?

    public init(key: Row, merge: Row?, constrain: [Int]?) {
      self.key = key
      self.merge = merge
      self.constrain = constrain
    }
  }

  /// A change to the outcomes of mutations.
  public enum MutationOperation: Sendable {
    /// - Parameter result: as it came; it is checked when it is read.
    case put(clientID: String, id: Double, result: JSONObject)
    case del(clientID: String, id: Double)
  }
}
