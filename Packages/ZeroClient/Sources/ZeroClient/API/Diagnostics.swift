import ZeroProtocol

/// What a client is doing, for support and tests. Holds no tokens, rows or arguments.
public struct Diagnostics: Codable, Sendable {
  public struct Query: Codable, Sendable {
    public var name: String
    public var hash: String
    /// Milliseconds the server keeps the rows after the last use.
    public var ttl: Double
    public var users: Int
    public var isComplete: Bool
  }

  public struct PendingMutation: Codable, Sendable {
    public var name: String
    public var id: Int
    public var clientID: String
    public var timestamp: Double
    /// Why it has no effect on what is shown, if it failed when it was replayed.
    public var failedPrediction: String?
  }

  public var clientID: String
  public var clientGroupID: String?
  public var databaseName: String
  public var schemaVersion: String
  public var connectionState: String
  public var connectionReason: String?
  public var cookie: String?
  public var queries: [Query]
  /// By table, the rows that are here.
  public var rowCounts: [String: Int]
  public var pending: [PendingMutation]
  /// What waits where this client does not send it from, as found when storage was opened.
  public var unsent: [UnsentMutations]
  public var refusedCount: Int
  public var liveViewCount: Int
  /// Changes that are not in the store yet.
  public var unwrittenChanges: Int
  public var storeDurability: String?
  /// Why the store is not used, or not written any more.
  public var storeFailure: String?
  public var isStoreInMemory: Bool
}

extension ClientEngine {
  /// A picture of what the client is doing now.
  public func diagnostics() -> Diagnostics {
    let state = connectionState
    let reason: String? =
      switch state {
      case .connecting(let reason): reason
      case .connected: nil
      case .disconnected(let reason), .error(let reason), .closed(let reason): reason
      case .needsAuth: "the token is refused"
      }
    let counts = options.schema.tables.enumerated().map { ($1.name, rows.count(of: $0)) }
    return Diagnostics(
      clientID: clientID, clientGroupID: groupID.isEmpty ? nil : groupID,
      databaseName: databaseName, schemaVersion: schemaVersion,
      connectionState: state.name.rawValue, connectionReason: reason, cookie: server.cookie,
      queries: queries.status.map {
        Diagnostics.Query(
          name: $0.query.name, hash: $0.query.hash, ttl: $0.ttl, users: $0.users,
          isComplete: $0.isGot)
      },
      rowCounts: Dictionary(counts, uniquingKeysWith: { first, _ in first }),
      pending: pending.map {
        Diagnostics.PendingMutation(
          name: $0.name, id: $0.id, clientID: $0.clientID, timestamp: $0.timestamp,
          failedPrediction: failedPredictions[$0.sequence])
      },
      unsent: unsent, refusedCount: refused.records.count, liveViewCount: views.all.count,
      unwrittenChanges: writer?.waitingCount ?? 0,
      storeDurability: writer.map { "\($0.durability)" },
      storeFailure: writer?.failure.map { "\($0)" }, isStoreInMemory: isStorageFallback)
  }
}
