import ZeroProtocol
import ZeroStoreMemory

/// A client's database, open, with what it contains.
struct OpenedStorage: Sendable {
  let store: any Store
  let contents: DatabaseContents
  /// What else the catalog lists.
  let otherDatabases: [Catalog.Entry]
  /// What went wrong on the way. If there is anything, rows may be in memory only.
  let failures: [StoreError]
  /// Whether the store asked for could not be opened and memory stands in for it.
  let isFallback: Bool

  /// Lists the database in the catalog, opens it, and reads it. Runs on the storage executor.
  ///
  /// Nothing of this fails: a store that cannot be used is replaced by memory and left as it is.
  static func open(_ provider: any StoreProvider, _ request: DatabaseRequest) -> OpenedStorage {
    var failures: [StoreError] = []
    var profileID = request.newProfileID
    var others: [Catalog.Entry] = []
    do {
      (profileID, others) = try Catalog(provider: provider).register(
        Catalog.Entry(
          name: request.name, baseName: request.baseName, layout: storageLayoutVersion,
          schemaVersion: request.schemaVersion),
        newProfileID: profileID)
    } catch {
      failures.append(storeError(error, request.name))
    }
    do {
      let (store, contents) = try read(provider, request, profileID: profileID, &failures)
      return OpenedStorage(
        store: store, contents: contents,
        otherDatabases: others.filter { $0.layout == storageLayoutVersion }, failures: failures,
        isFallback: false)
    } catch {
      failures.append(storeError(error, request.name))
    }
    return inMemory(request, profileID: profileID, failures)
  }

  // MARK: -

  /// Opens the store and reads it. One that turns out to be corrupt while it is read is opened once
  /// more, since opening checks it thoroughly then, and sets it aside if it can.
  private static func read(
    _ provider: any StoreProvider, _ request: DatabaseRequest, profileID: String,
    _ failures: inout [StoreError]
  ) throws -> (store: any Store, contents: DatabaseContents) {
    var isFirst = true
    while true {
      let store = try openStore(provider, request.name, &failures)
      do {
        return (store, try DatabaseContents(opening: store, request, profileID: profileID))
      } catch let error as StoreError where error.code == .corrupt && isFirst {
        store.close()
        isFirst = false
      } catch {
        store.close()
        throw error
      }
    }
  }

  /// Opens the store; a corrupt one that the provider has set aside is replaced by an empty one.
  private static func openStore(
    _ provider: any StoreProvider, _ name: String, _ failures: inout [StoreError]
  ) throws(StoreError) -> any Store {
    do {
      return try provider.open(name, tables: DatabaseTable.names)
    } catch  where error.code == .corrupt && error.setAsidePath != nil {
      failures.append(error)
      return try provider.open(name, tables: DatabaseTable.names)
    }
  }

  private static func inMemory(
    _ request: DatabaseRequest, profileID: String, _ failures: [StoreError]
  ) -> OpenedStorage {
    do {
      let store = try MemoryStoreProvider().open(request.name, tables: DatabaseTable.names)
      let contents = try DatabaseContents(opening: store, request, profileID: profileID)
      return OpenedStorage(
        store: store, contents: contents, otherDatabases: [], failures: failures, isFallback: true)
    } catch {
      preconditionFailure("an empty memory store cannot be opened: \(error)")
    }
  }

  private static func storeError(_ error: any Error, _ database: String) -> StoreError {
    error as? StoreError
      ?? StoreError(
        .io, database: database, message: "the database could not be read: \(error)")
  }
}
