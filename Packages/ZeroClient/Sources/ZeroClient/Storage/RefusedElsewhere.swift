import ZeroProtocol

/// Refused mutations that an earlier version of the app left in the database of another schema.
///
/// A change of the schema makes a client start in an empty database. What the server has refused waits
/// for the app all the same, so it moves there.
struct RefusedElsewhere: Sendable {
  var databaseName: String
  var records: [RefusedRecord]

  /// What is in another database of the same app, user and URLs; nil if there is nothing.
  init?(_ entry: Catalog.Entry, _ store: any Store, own: Catalog.Entry) throws {
    guard entry.baseName.utf8.elementsEqual(own.baseName.utf8) else { return nil }
    databaseName = entry.name
    records = try store.read { snapshot in
      var records: [RefusedRecord] = []
      try snapshot.scan(DatabaseTable.refused.table) { key, value in
        // One that cannot be read is left to a client of that database, which mends it.
        if let sequence = key.sequence(from: 0),
          let record = try? RefusedRecord(stored: value, sequence: sequence)
        {
          records.append(record)
        }
        return true
      }
      return records
    }
    if records.isEmpty { return nil }
  }

  /// Deletes the records where they were. Runs on the storage executor.
  func remove(_ provider: any StoreProvider) throws {
    let store = try provider.open(databaseName, tables: DatabaseTable.names)
    defer { store.close() }
    try store.write { transaction in
      for record in records {
        try transaction.delete(DatabaseTable.refused.table, StorageKey.integer(record.sequence))
      }
    }
    try store.sync()
  }
}

extension ClientEngine {
  /// Takes refused mutations into this client's list and database, and then away from where they were: a
  /// process that ends in between finds them in both and takes them once.
  func adopt(_ found: [RefusedElsewhere]) {
    var known = Set(refused.records.map(RefusedKey.init))
    let new = found.flatMap(\.records).filter { known.insert(RefusedKey($0)).inserted }
    let records = new.map { refused.renumbered($0) }
    refused.add(records)
    let (executor, provider, loop, log) = (environment.executor, environment.storage, loop, log)
    let names = found.map(\.databaseName).filter { loop.closing.hold($0) }
    let release: @MainActor () -> Void = { for name in names { loop.closing.release(name) } }
    write(ofRefused: true) { transaction in
      for record in records {
        try transaction.put(
          DatabaseTable.refused.table, StorageKey.integer(record.sequence), record.stored)
      }
    }
    guard let writer else { return release() }
    writer.sync { error in
      if error != nil { return release() }
      executor.run {
        Result {
          for other in found where names.contains(other.databaseName) { try other.remove(provider) }
        }
      } completion: { result in
        loop.dispatch {
          release()
          if case .failure(let error) = result {
            log.error("refused mutations of an earlier schema are kept there too: \(error)")
          }
        }
      }
    }
    notifyPendingListeners()
  }
}
