import ZeroProtocol

/// A store whose values are encrypted before they reach another one.
final class EncryptedStore: Store {
  private let wrapped: any Store
  private let key: EncryptionKey
  private let database: String
  private let tableNames: [[UInt8]]

  /// - Parameter tables: names of the first tables of `wrapped`; its further ones are out of reach.
  init(_ wrapped: any Store, key: EncryptionKey, database: String, tables: [String]) {
    self.wrapped = wrapped
    self.key = key
    self.database = database
    // The zero byte ends the name: no name and key together look like another pair.
    tableNames = tables.map { Array($0.utf8) + [0] }
  }

  var durability: StoreDurability { wrapped.durability }
  var maxKeyBytes: Int { wrapped.maxKeyBytes }

  func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result {
    try wrapped.read { try body(transaction($0, nil)) }
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try wrapped.write { try body(transaction($0, $0)) }
  }

  func sync() throws(StoreError) { try wrapped.sync() }

  func close() { wrapped.close() }

  // MARK: -

  private func transaction(
    _ snapshot: any StoreSnapshot, _ transaction: (any StoreTransaction)?
  ) throws(StoreError) -> EncryptedTransaction {
    guard let cipher = ValueCipher(key) else {
      throw StoreError(
        .io, database: database, message: "the system's AES-256-GCM cannot be used; see its setup")
    }
    return EncryptedTransaction(
      snapshot, transaction, cipher: cipher, database: database, tableNames: tableNames)
  }
}
