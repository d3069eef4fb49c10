import ZeroProtocol

/// What the server has told this client group, apart from rows: the rest of the snapshot that pokes
/// build on.
struct ServerState {
  var cookie: String?
  /// By client ID, the last of its mutations that the server has processed.
  var lastMutationIDs: [UTF8Key: Int] = [:]
  /// By client ID, the queries the server takes that client to want.
  var desired: [UTF8Key: Set<UTF8Key>] = [:]
  /// The queries whose rows are here.
  var got: Set<UTF8Key> = []
  /// By client ID and mutation ID as text, results of mutations.
  var results: [UTF8Key: [UTF8Key: MutationResponse]] = [:]

  /// What a poke changes here that someone watches.
  struct Changes {
    /// In key order.
    var got: [(hash: String, isGot: Bool)] = []
    /// In key order: text, so that 10 comes before 9.
    var ownResults: [ResultChange] = []
  }

  enum ResultChange {
    case added(MutationResponse)
    case removed(id: Int)
    case changed(id: Int)
  }

  func lastMutationID(of client: String) -> Int { lastMutationIDs[UTF8Key(client)] ?? 0 }

  /// Hashes of the queries that the server takes `client` to want, in key order.
  func desiredHashes(of client: String) -> [String] {
    (desired[UTF8Key(client)] ?? []).map(\.string).sorted { TextOrder.utf8($0, $1) < 0 }
  }

  /// This state after a poke, and what is different for `client`.
  func applying(_ poke: PokeContents, for client: String) -> (state: ServerState, changes: Changes)
  {
    var next = self
    next.cookie = poke.cookie
    next.lastMutationIDs.merge(poke.lastMutationIDs) { $1 }
    if poke.isCleared {
      next.desired = [:]
      next.got = []
      next.results = [:]
    }
    for (client, operation) in poke.desired {
      switch operation {
      case .put(let hash): next.desired[UTF8Key(client), default: []].insert(UTF8Key(hash))
      case .delete(let hash): next.desired[UTF8Key(client)]?.remove(UTF8Key(hash))
      }
    }
    for operation in poke.got {
      switch operation {
      case .put(let hash): next.got.insert(UTF8Key(hash))
      case .delete(let hash): next.got.remove(UTF8Key(hash))
      }
    }
    for operation in poke.results {
      switch operation {
      case .put(let response):
        next.results[UTF8Key(response.id.clientID), default: [:]][Self.key(response.id)] = response
      case .delete(let id): next.results[UTF8Key(id.clientID)]?[Self.key(id)] = nil
      }
    }
    return (next, changes(to: next, for: UTF8Key(client)))
  }

  // MARK: -

  private static func key(_ id: MutationID) -> UTF8Key { UTF8Key(id.id.javaScriptText) }

  private func changes(to next: ServerState, for client: UTF8Key) -> Changes {
    var changes = Changes()
    changes.got = got.symmetricDifference(next.got)
      .sorted { TextOrder.utf8($0.string, $1.string) < 0 }
      .map { ($0.string, next.got.contains($0)) }
    let (old, new) = (results[client] ?? [:], next.results[client] ?? [:])
    let keys = Set(old.keys).union(new.keys).sorted { TextOrder.utf8($0.string, $1.string) < 0 }
    for key in keys {
      switch (old[key], new[key]) {
      case (nil, let added?): changes.ownResults.append(.added(added))
      case (let removed?, nil):
        changes.ownResults.append(.removed(id: Int(exactly: removed.id.id) ?? 0))
      case (let before?, let after?) where before != after:
        changes.ownResults.append(.changed(id: Int(exactly: after.id.id) ?? 0))
      default: break
      }
    }
    return changes
  }
}
