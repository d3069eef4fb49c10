public import ZeroProtocol

/// What a commit did to one row.
public struct RowChange: Sendable {
  /// The row before and after; nil where there is none. Never both nil. An update that changes the
  /// primary key is two changes.
  public enum Kind: Sendable {
    case insert(Row)
    case update(old: Row, new: Row)
    case delete(Row)
  }

  /// Server name of the table.
  public let table: String
  public let kind: Kind
}

/// One committed transaction, as client groups hear of it.
struct Commit: Sendable {
  /// Number of the commit, which becomes the commit part of cookies.
  let version: UInt64
  var rows: [RowChange] = []
  /// Last mutation IDs that moved.
  var lastMutationIDs: [(client: ClientKey, id: UInt64)] = []
  /// Results of mutations, set or deleted (nil).
  var results: [(client: ClientKey, id: UInt64, result: JSONValue?)] = []
}

/// A client within its group.
struct ClientKey: Hashable, Sendable {
  let group: String
  let client: String
}
