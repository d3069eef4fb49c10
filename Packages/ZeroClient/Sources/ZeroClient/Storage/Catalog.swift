import Synchronization
import ZeroProtocol

/// The small store beside the databases that says which there are and whose profile this is.
///
/// It is opened for each use and closed again, so that clients of one process and of others can share
/// it. Runs on the storage executor.
struct Catalog: Sendable {
  /// A database as the catalog lists it.
  struct Entry: Sendable, Equatable {
    var name: String
    var baseName: String
    var layout: Int
    var schemaVersion: String
  }

  static let name = "zero-catalog"

  let provider: any StoreProvider

  /// One user of a catalog at a time in this process.
  private static let turn = Mutex(())

  /// Lists a database before it is used for the first time.
  /// - Returns: the profile ID: the stored one, or `newProfileID`, which then is stored; and the other
  ///   databases.
  func register(
    _ entry: Entry, newProfileID: String
  ) throws -> (profileID: String, others: [Entry]) {
    try withStore { store in
      let meta = CatalogTable.meta.table
      let stored = try store.read { try $0.get(meta, StorageKey.text("profileID")) }
      let profileID = stored.map { String(decoding: $0, as: UTF8.self) } ?? newProfileID
      try store.write { transaction in
        try transaction.put(meta, StorageKey.text("layout"), Array("\(storageLayoutVersion)".utf8))
        try transaction.put(meta, StorageKey.text("profileID"), Array(profileID.utf8))
        let key = Self.key(entry.name)
        var members: JSONObject = [
          "baseName": .string(entry.baseName), "layout": .number(Double(entry.layout)),
          "schemaVersion": .string(entry.schemaVersion),
        ]
        if key != StorageKey.text(entry.name) { members["name"] = .string(entry.name) }
        try transaction.put(CatalogTable.databases.table, key, StorageValue.encode(members))
      }
      let others = try Self.entries(store).filter {
        !$0.name.utf8.elementsEqual(entry.name.utf8)
      }
      return (profileID, others)
    }
  }

  /// All databases, sorted by name.
  func entries() throws -> [Entry] { try withStore { try Self.entries($0) } }

  /// Drops a database, then its entry. Where there is no catalog none is made.
  func drop(_ name: String) throws {
    try provider.drop(name)
    guard try provider.list().contains(Self.name) else { return }
    try withStore { store in
      try store.write { try $0.delete(CatalogTable.databases.table, Self.key(name)) }
    }
  }

  // MARK: -

  /// The key of a database: its name, which is shortened if a store may not take a key of that length.
  private static func key(_ name: String) -> [UInt8] {
    StorageKey.row(prefix: [], key: name, maxKeyBytes: 500)
  }

  private static func entries(_ store: any Store) throws -> [Entry] {
    try store.read { snapshot in
      var entries: [Entry] = []
      try snapshot.scan(CatalogTable.databases.table) { key, value in
        let name = key.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        let entry = (try? Entry(name: name, stored: value)) ?? Entry(name: name)
        if let entry { entries.append(entry) }
        return true
      }
      return entries
    }
  }

  private func withStore<Result>(_ body: (any Store) throws -> Result) throws -> Result {
    try Self.turn.withLock { _ in
      let store = try provider.open(Self.name, tables: CatalogTable.names)
      defer { store.close() }
      return try body(store)
    }
  }
}

extension Catalog.Entry {
  fileprivate init(name: String, stored value: RawSpan) throws {
    let object = try StorageValue.decode(value, "the catalog")
    guard case .string(let base)? = object["baseName"],
      case .number(let layout)? = object["layout"],
      case .string(let version)? = object["schemaVersion"]
    else { throw StorageValue.corrupt("the catalog") }
    var name = name
    if case .string(let whole)? = object["name"] { name = whole }
    self.init(
      name: name, baseName: base, layout: Int(exactly: layout) ?? .max, schemaVersion: version)
  }

  /// The entry of a database as its name has it; nil for a name of another form. An unreadable entry
  /// hides neither its database nor others from being collected and deleted.
  init?(name: String) {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0] == "rep",
      parts[parts.count - 2] == "\(DatabaseName.formatVersion)"
    else { return nil }
    self.init(
      name: name, baseName: parts[1..<(parts.count - 2)].joined(separator: ":"),
      layout: storageLayoutVersion, schemaVersion: String(parts[parts.count - 1]))
  }
}
