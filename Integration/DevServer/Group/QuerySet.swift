import ZeroProtocol

/// The clients of a group and the queries they want.
///
/// Changes are made at a version that the caller has decided on; what a client behind it misses is
/// told by ``changes(after:)``.
struct QuerySet {
  /// Known clients, in the order in which they came.
  private(set) var clients: [String] = []
  /// By hash.
  var queries: [String: QueryRecord] = [:]
  /// Hashes in the order in which they came.
  private(set) var order: [String] = []
  /// Queries that are gone: since when they are not complete any more.
  private(set) var lostGot: [String: GroupVersion] = [:]
  /// Queries that are gone: since when each client does not want them any more.
  private(set) var lostDesires: [(clientID: String, hash: String, version: GroupVersion)] = []

  func knows(client: String) -> Bool { clients.contains(client) }

  /// - Returns: whether the client is new.
  mutating func register(client: String) -> Bool {
    guard !knows(client: client) else { return false }
    clients.append(client)
    return true
  }

  /// A client wants a query.
  /// - Returns: whether that is news; a query wanted already matters only for a longer time to live.
  /// - Throws: ``GroupError`` if the query is unknown and not defined here.
  mutating func want(
    _ hash: String, _ definition: QueryRecord.Definition?, ttl: Double?, client: String,
    at version: GroupVersion
  ) throws(GroupError) -> Bool {
    let ttl = QueryRecord.clampTTL(ttl)
    if queries[hash] == nil {
      guard let definition else {
        throw GroupError(
          kind: "Internal", message: "query \(hash) is not known and was sent without its name")
      }
      queries[hash] = QueryRecord(definition: definition)
      order.append(hash)
    }
    if let desire = queries[hash]?.desires[client], desire.inactivatedAt == nil, desire.ttl >= ttl {
      return false
    }
    queries[hash]?.desires[client] = QueryRecord.Desire(ttl: ttl, version: version)
    lostDesires.removeAll { $0.clientID == client && $0.hash == hash }
    return true
  }

  /// A client no longer wants a query.
  /// - Returns: whether it did.
  mutating func release(
    _ hash: String, client: String, clock: Double, ttl: Double? = nil, at version: GroupVersion
  ) -> Bool {
    guard var desire = queries[hash]?.desires[client], desire.inactivatedAt == nil else {
      return false
    }
    desire.inactivatedAt = clock
    desire.version = version
    if let ttl { desire.ttl = ttl }
    queries[hash]?.desires[client] = desire
    return true
  }

  /// A client is gone: nobody wants its queries on its behalf any more.
  /// - Returns: the hashes it wanted.
  mutating func remove(client: String, clock: Double, at version: GroupVersion) -> [String] {
    clients.removeAll { $0 == client }
    return order.filter { release($0, client: client, clock: clock, at: version) }
  }

  /// Hashes that a client wants now.
  func wanted(by client: String) -> [String] {
    order.filter { hash in
      queries[hash]?.desires[client].map { $0.inactivatedAt == nil } ?? false
    }
  }

  /// Clients that want or wanted a query.
  func clients(knowing hash: String) -> [String] {
    queries[hash].map { Array($0.desires.keys) } ?? []
  }

  /// Hashes of the queries whose time is over.
  func expired(clock: Double) -> [String] {
    order.filter { hash in queries[hash]?.expiresAt.map { $0 <= clock } ?? false }
  }

  /// When the next query expires on the TTL clock.
  var nextExpiry: Double? { queries.values.compactMap(\.expiresAt).min() }

  /// Drops the record of a query.
  mutating func forget(_ hash: String, at version: GroupVersion) {
    guard let query = queries.removeValue(forKey: hash) else { return }
    order.removeAll { $0 == hash }
    lostGot[hash] = version
    for (client, desire) in query.desires {
      let since = desire.inactivatedAt == nil ? version : desire.version
      lostDesires.append((client, hash, since))
    }
  }

  /// A query's rows are complete as of `version`.
  mutating func complete(_ hash: String, at version: GroupVersion) {
    queries[hash]?.gotVersion = version
    lostGot[hash] = nil
  }

  /// Puts a query back that was kept.
  mutating func restore(_ hash: String, _ query: QueryRecord) {
    queries[hash] = query
    order.append(hash)
  }

  mutating func restoreLostGot(_ hash: String, _ version: GroupVersion) {
    lostGot[hash] = version
  }

  mutating func restoreLostDesire(client: String, _ hash: String, _ version: GroupVersion) {
    lostDesires.append((client, hash, version))
  }

  /// What a client with everything up to `version` misses.
  func changes(after version: GroupVersion) -> PokePatches {
    var patches = PokePatches()
    for hash in order {
      guard let query = queries[hash] else { continue }
      if let got = query.gotVersion, got > version { patches.got.append(.put(hash)) }
      for (client, desire) in query.desires.sorted(by: { $0.key < $1.key })
      where desire.version > version {
        patches.addDesired(
          desire.inactivatedAt == nil ? .put(hash) : .delete(hash), of: client)
      }
    }
    for (hash, since) in lostGot.sorted(by: { $0.key < $1.key }) where since > version {
      if queries[hash] == nil { patches.got.append(.delete(hash)) }
    }
    for lost in lostDesires where lost.version > version {
      patches.addDesired(.delete(lost.hash), of: lost.clientID)
    }
    return patches
  }
}
