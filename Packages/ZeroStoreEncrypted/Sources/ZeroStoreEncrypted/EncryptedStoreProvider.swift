public import ZeroProtocol

/// Encrypts the values that another provider keeps, with AES-256-GCM.
///
/// What is kept: the provider's guarantees, its files, the order of keys. What an onlooker sees: names
/// of databases and tables, keys in plain (they hold table names, primary keys and IDs), the number and
/// length of values. What is hidden and protected against change: values, each bound to its record. An
/// old state of the whole file can be put back unnoticed.
public struct EncryptedStoreProvider: StoreProvider {
  private let wrapped: any StoreProvider
  private let key: EncryptionKey

  /// The table with which a key is recognised.
  private static let checkTable = "zero_encryption"
  private static let checkKey = Array("check".utf8)

  /// - Parameters:
  ///   - wrapped: keeps the encrypted values.
  ///   - key: one key for all databases. A database written with another one is refused with
  ///     `wrongKey` and left as it is.
  public init(_ wrapped: any StoreProvider, key: EncryptionKey) {
    self.wrapped = wrapped
    self.key = key
  }

  public func open(_ name: String, tables: [String]) throws(StoreError) -> any Store {
    let all = tables + [Self.checkTable]
    let inner = try wrapped.open(name, tables: all)
    do throws(StoreError) {
      let whole = EncryptedStore(inner, key: key, database: name, tables: all)
      try checkKey(whole, inner, name, tables.count)
      return EncryptedStore(inner, key: key, database: name, tables: tables)
    } catch {
      inner.close()
      throw error
    }
  }

  public func list() throws(StoreError) -> [String] { try wrapped.list() }

  public func drop(_ name: String) throws(StoreError) { try wrapped.drop(name) }

  // MARK: -

  /// Compares the key with the one that the database was made with, or makes it this key's.
  private func checkKey(
    _ store: EncryptedStore, _ inner: any Store, _ name: String, _ tableCount: Int
  ) throws(StoreError) {
    let table = StoreTable(tableCount)
    do {
      let hasCheck = try inner.read { try $0.get(table, Self.checkKey) != nil }
      if hasCheck {
        _ = try store.read { try $0.get(table, Self.checkKey) }
        return
      }
      try inner.read { snapshot in
        // A record whose key is damaged is not found, but a scan tells.
        try snapshot.scan(table) { _, _ in true }
        for ordinal in 0..<tableCount {
          try snapshot.scan(StoreTable(ordinal)) { _, _ in
            throw StoreError(
              .wrongKey, database: name,
              message: "its values are not encrypted; open it without a key or drop it")
          }
        }
      }
      try store.write { try $0.put(table, Self.checkKey, Array("zero".utf8)) }
    } catch let error as StoreError {
      guard error.code == .corrupt, error.underlyingCode == EncryptedTransaction.refusedCode else {
        throw error
      }
      throw StoreError(
        .wrongKey, database: name,
        message: "it was encrypted with another key; give the one it was made with or drop it")
    } catch {
      throw StoreError(.io, database: name, message: "the key cannot be checked: \(error)")
    }
  }
}
