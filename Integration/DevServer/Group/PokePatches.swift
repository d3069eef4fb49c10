import ZeroProtocol

/// The content of one poke.
struct PokePatches: Sendable {
  enum QueryPatch: Sendable, Equatable { case put(String), delete(String) }

  struct ResultPatch: Sendable {
    let clientID: String
    let mutationID: UInt64
    /// Nil when the server has forgotten the result.
    let result: JSONValue?
  }

  /// By client, in the order of the changes.
  var desired: [(clientID: String, patches: [QueryPatch])] = []
  var got: [QueryPatch] = []
  var rows: [RowPatch] = []
  var results: [ResultPatch] = []
  var lastMutationIDs: [(clientID: String, id: UInt64)] = []

  var isEmpty: Bool {
    desired.isEmpty && got.isEmpty && rows.isEmpty && results.isEmpty && lastMutationIDs.isEmpty
  }

  /// Adds a change of a client's desired queries.
  mutating func addDesired(_ patch: QueryPatch, of clientID: String) {
    if let place = desired.firstIndex(where: { UTF8Key($0.clientID) == UTF8Key(clientID) }) {
      desired[place].patches.append(patch)
    } else {
      desired.append((clientID, [patch]))
    }
  }
}

/// A poke for one connection.
struct Poke: Sendable {
  /// What the connection was last sent; nil if nothing.
  let base: GroupVersion?
  let cookie: GroupVersion
  let patches: PokePatches
}
