import ZeroProtocol

/// Deletes databases that no client has used for so long that none will. Runs on the storage executor.
///
/// A database in which mutations wait, or refused ones for the app to acknowledge them, is never deleted:
/// nothing that an app did is lost unseen.
struct DatabaseCollection: Sendable {
  let provider: any StoreProvider
  let ownName: String
  let now: Double

  /// The names of the databases that may be deleted.
  func candidates() throws -> [String] {
    try Catalog(provider: provider).entries()
      .filter { $0.layout == storageLayoutVersion && !$0.name.utf8.elementsEqual(ownName.utf8) }
      .map(\.name)
  }

  /// Looks at `names` and deletes what is not used.
  /// - Returns: the clients of the deleted databases, for the server to be told.
  func run(_ names: [String]) throws -> [DeletedClient] {
    let catalog = Catalog(provider: provider)
    var gone: [DeletedClient] = []
    for name in names {
      // A database that another client has open, here or elsewhere, cannot be opened and is in use.
      guard let contents = try? contents(of: name), contents.isUnused(at: now) else { continue }
      try catalog.drop(name)
      gone.append(contentsOf: contents.clients)
    }
    return gone
  }

  // MARK: -

  private struct Contents {
    var clients: [DeletedClient] = []
    var latestHeartbeat = -Double.infinity
    var hasMutations = false

    func isUnused(at now: Double) -> Bool {
      !hasMutations && now - latestHeartbeat >= ClientLifecycle.maxDatabaseAge
    }
  }

  private func contents(of name: String) throws -> Contents {
    let store = try provider.open(name, tables: DatabaseTable.names)
    defer { store.close() }
    return try store.read { snapshot in
      var contents = Contents()
      try snapshot.scan(DatabaseTable.clients.table) { key, value in
        let record = try ClientRecord(stored: value)
        contents.clients.append(
          DeletedClient(
            group: record.group,
            client: key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }))
        contents.latestHeartbeat = max(contents.latestHeartbeat, record.heartbeat)
        return true
      }
      try snapshot.scan(DatabaseTable.deleted.table) { key, _ in
        let key = key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        if let client = DeletedClient(key: key) { contents.clients.append(client) }
        return true
      }
      for table in [DatabaseTable.pending, .refused] {
        try snapshot.scan(table.table) { _, _ in
          contents.hasMutations = true
          return false
        }
      }
      return contents
    }
  }
}
