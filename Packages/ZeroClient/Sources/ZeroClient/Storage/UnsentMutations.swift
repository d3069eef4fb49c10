import ZeroProtocol

/// Mutations that wait where this client does not send them from: in a database of another schema, user
/// or URL, or in another client group.
///
/// They stay there: a client with the same schema, user and URLs sends them.
public struct UnsentMutations: Codable, Sendable, Equatable {
  /// The database they are in.
  public var databaseName: String
  /// The protocol's version and the hash of the schema that they were made with.
  public var schemaVersion: String
  /// How many wait.
  public var count: Int
}

extension UnsentMutations {
  /// How many mutations wait under keys that start with `prefix`.
  static func count(in snapshot: any StoreSnapshot, _ prefix: [UInt8]) throws -> Int {
    var count = 0
    try snapshot.scan(DatabaseTable.pending.table, prefix: prefix) { _, _ in
      count += 1
      return true
    }
    return count
  }

  /// Counts what waits in other databases, and in other groups of the client's own, and reads what was
  /// refused in others. Runs on the storage executor.
  ///
  /// A database that cannot be opened is in use elsewhere, or unreadable: either way nothing is known.
  static func find(
    _ provider: any StoreProvider, others: [Catalog.Entry],
    own: (entry: Catalog.Entry, store: any Store, groupID: String)
  ) -> (unsent: [UnsentMutations], refused: [RefusedElsewhere]) {
    var found: [UnsentMutations] = []
    var refused: [RefusedElsewhere] = []
    func add(_ entry: Catalog.Entry, _ store: any Store, except group: String?) {
      guard let count = try? count(in: store, except: group), count > 0 else { return }
      found.append(
        UnsentMutations(
          databaseName: entry.name, schemaVersion: entry.schemaVersion, count: count))
    }
    add(own.entry, own.store, except: own.groupID)
    for entry in others {
      guard let store = try? provider.open(entry.name, tables: DatabaseTable.names) else {
        continue
      }
      defer { store.close() }
      add(entry, store, except: nil)
      if let records = try? RefusedElsewhere(entry, store, own: own.entry) {
        refused.append(records)
      }
    }
    return (found, refused)
  }

  // MARK: -

  /// What waits in disabled groups is not counted: it is on the list of refused mutations.
  private static func count(in store: any Store, except own: String?) throws -> Int {
    try store.read { snapshot in
      var groups: [String] = []
      try snapshot.scan(DatabaseTable.groups.table) { key, value in
        if (try? GroupRecord(stored: value))?.isDisabled != true {
          groups.append(key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        }
        return true
      }
      return try groups.filter { $0 != own }.reduce(0) {
        try $0 + count(in: snapshot, StorageKey.prefix(group: $1))
      }
    }
  }
}

extension ClientEngine {
  /// Looks for mutations that wait where this client does not send them from, and reports them; those
  /// that the server has refused move to this client.
  func findUnsentMutations(_ storage: OpenedStorage) {
    guard !storage.isFallback else { return }
    let (provider, loop) = (environment.storage, loop)
    // Clients that open one of these databases meanwhile wait, so that they do not find it in use.
    let others = storage.otherDatabases.filter { loop.closing.hold($0.name) }
    guard !others.isEmpty || storage.contents.groups.count > 1 else { return }
    let own = Catalog.Entry(
      name: databaseName, baseName: baseName, layout: storageLayoutVersion,
      schemaVersion: schemaVersion)
    environment.executor.run { [store = storage.store, groupID] in
      UnsentMutations.find(provider, others: others, own: (own, store, groupID))
    } completion: { [weak self] found in
      loop.dispatch {
        for entry in others { loop.closing.release(entry.name) }
        guard let self, self.closing == nil else { return }
        if !found.refused.isEmpty { self.adopt(found.refused) }
        guard !found.unsent.isEmpty else { return }
        self.unsent = found.unsent
        for mutations in found.unsent {
          self.log.warn("\(mutations.count) mutations wait unsent in \(mutations.databaseName)")
        }
        self.options.onUnsentMutations(found.unsent)
      }
    }
  }
}
