import Synchronization
public import ZeroProtocol
import ZeroStoreCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps databases in memory, by name, for as long as the provider lives.
public final class MemoryStoreProvider: StoreProvider {
  private let databases = Mutex<[String: MemoryDatabase]>([:])

  /// A provider with no databases; it shares nothing with others.
  public init() {}

  public func open(_ name: String, tables: [String]) throws(StoreError) -> any Store {
    guard !name.isEmpty else {
      throw StoreError(.misuse, message: "a database needs a name; give it one")
    }
    let tables = try TableNames(tables, database: name)
    let key = MemoryDatabase.key(name)
    let database = databases.withLock { databases -> MemoryDatabase? in
      let database = databases[key, default: MemoryDatabase(name)]
      databases[key] = database
      return database.claim() ? database : nil
    }
    guard let database else { throw Self.held(name) }
    return MemoryStore(database: database, tables: tables)
  }

  public func list() throws(StoreError) -> [String] {
    databases.withLock { $0.values.map { $0.name } }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  public func drop(_ name: String) throws(StoreError) {
    let isHeld = databases.withLock { databases in
      let key = MemoryDatabase.key(name)
      guard let database = databases[key] else { return false }
      guard database.claim() else { return true }
      databases[key] = nil
      return false
    }
    if isHeld { throw Self.held(name) }
  }

  private static func held(_ name: String) -> StoreError {
    StoreError(
      .lockedInProcess, database: name,
      message: "this process (pid \(getpid())) already has it open; use that store or close it")
  }
}

extension StoreProvider where Self == MemoryStoreProvider {
  /// The provider that lives as long as the process: a database closed and opened again by name has
  /// its data.
  public static var memory: Self { processWide }
}

private let processWide = MemoryStoreProvider()
