import ZeroProtocol

/// What a client is doing, for support and tests. Holds no tokens, rows or arguments.
public struct Diagnostics: Codable, Sendable {
  /// A query that the server is asked for.
  public struct Query: Codable, Sendable {
    /// The name the server knows it by.
    public var name: String
    /// Stands for name and arguments in the messages about it.
    public var hash: String
    /// Milliseconds the server keeps the rows after the last use.
    public var ttl: Double
    /// How many views and preloads use it.
    public var users: Int
    /// Whether the server has confirmed its rows on this connection.
    public var isComplete: Bool
  }

  /// A mutation that the server has not confirmed.
  public struct PendingMutation: Codable, Sendable {
    /// The mutator's name.
    public var name: String
    /// Its number, counted by its client from 1.
    public var id: Int
    /// The client that called it, which may be one of an earlier process.
    public var clientID: String
    /// Wall time of the call in milliseconds since 1970.
    public var timestamp: Double
    /// Why it has no effect on what is shown, if it failed when it was replayed.
    public var failedPrediction: String?
  }

  /// See ``Zero/clientID``.
  public var clientID: String
  /// See ``Zero/clientGroupID``; nil before storage is open.
  public var clientGroupID: String?
  /// See ``Zero/databaseName``.
  public var databaseName: String
  /// See ``Zero/schemaVersion``.
  public var schemaVersion: String
  /// Name of the connection's state; see ``ConnectionState/Name``.
  public var connectionState: String
  /// Why the connection is in that state, if there is a reason.
  public var connectionReason: String?
  /// The server's mark of the state that the rows here are of; nil before the first.
  public var cookie: String?
  /// The queries that the server is asked for, in order of their first use.
  public var queries: [Query]
  /// By table, the rows that are here.
  public var rowCounts: [String: Int]
  /// What the server has not confirmed, in order of the calls.
  public var pending: [PendingMutation]
  /// What waits where this client does not send it from, as found when storage was opened.
  public var unsent: [UnsentMutations]
  /// How many refused mutations the app has not acknowledged.
  public var refusedCount: Int
  /// How many views follow the rows.
  public var liveViewCount: Int
  /// Changes that are not in the store yet.
  public var unwrittenChanges: Int
  /// What a commit survives, as the store declares it; nil before storage is open.
  public var storeDurability: String?
  /// Why the store is not used, or not written any more.
  public var storeFailure: String?
  /// Whether memory stands in for a store that cannot be opened.
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
