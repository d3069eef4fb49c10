/// The changes to its desired queries that a client sends when it connects.
public struct QueriesPatch: Sendable, Equatable {
  /// In the order in which they are to be sent. No query occurs twice.
  public private(set) var ops: [DesiredQueryOp]

  /// - Parameters:
  ///   - wanted: queries in use, in the order in which they were registered.
  ///   - confirmed: hashes that the server recorded for this client, in order of their keys.
  ///   - sent: what travelled in the request that opened the connection; nil before it, or if nothing
  ///     did.
  public init(
    wanted: [DesiredQuery], confirmed: [String], sent: [DesiredQueryOp]? = nil
  ) {
    let wantedHashes = Set(wanted.map { UTF8Key($0.hash) })
    let confirmedHashes = Set(confirmed.map { UTF8Key($0) })
    ops = confirmed.filter { !wantedHashes.contains(UTF8Key($0)) }.map { .del(hash: $0) }
    ops += wanted.filter { !confirmedHashes.contains(UTF8Key($0.hash)) }.map { .put($0) }
    guard let sent else { return }

    let hashes = Set(ops.compactMap(\.hash).map { UTF8Key($0) })
    var sentPuts: Set<UTF8Key> = []
    var sentDels: Set<UTF8Key> = []
    for op in sent {
      switch op {
      case .put(let query):
        sentPuts.insert(UTF8Key(query.hash))
        if !hashes.contains(UTF8Key(query.hash)) { ops.append(.del(hash: query.hash)) }
      case .del(let hash): sentDels.insert(UTF8Key(hash))
      case .clear: break
      }
    }
    ops.removeAll { op in
      switch op {
      case .put(let query): sentPuts.contains(UTF8Key(query.hash))
      case .del(let hash): sentDels.contains(UTF8Key(hash))
      case .clear: false
      }
    }
  }
}
