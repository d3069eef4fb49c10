public import ZeroProtocol

/// The named queries and mutators of an app, as its server knows them.
///
/// Names and columns are those of the client's schema; the server maps them.
public struct ServerRegistry {
  /// Makes the query; what it throws becomes an application error of that query.
  public typealias Query = (_ arguments: JSONValue?, _ context: ServerContext) throws -> AST
  /// Writes in one transaction; what it throws undoes the writes and becomes the mutation's result.
  public typealias Mutator = (
    _ transaction: ServerTransaction, _ arguments: JSONValue?, _ context: ServerContext
  ) throws -> Void

  private var queries: [UTF8Key: Query] = [:]
  private(set) var mutators: [UTF8Key: Mutator] = [:]

  public init() {}

  /// Registers a query under a full name, such as `issues.byStatus`; clients may ask for it as
  /// `issues|byStatus` too. A later one of the same name replaces it.
  public mutating func query(_ name: String, _ body: @escaping Query) {
    queries[Self.key(name)] = body
  }

  /// The query of a name, whose parts are separated by points or by bars; nil if there is none.
  func query(named name: String) -> Query? { queries[Self.key(name)] }

  /// Registers a mutator under a full name, such as `issue.create`. A later one of the same name
  /// replaces it.
  public mutating func mutator(_ name: String, _ body: @escaping Mutator) {
    mutators[UTF8Key(name)] = body
  }

  // MARK: -

  private static func key(_ name: String) -> UTF8Key {
    UTF8Key(DefinitionName.queryPath(name).joined(separator: "."))
  }
}

/// On whose behalf a query or a mutator runs.
public struct ServerContext: Sendable {
  /// The user that the token stands for; nil for nobody.
  public let userID: String?
}

/// The transaction of one mutation, in the names of the client's schema.
public final class ServerTransaction {
  /// The client whose mutation it is, and the mutation's number.
  public let clientID: String
  public let mutationID: UInt64
  private let transaction: DatabaseTransaction

  init(_ transaction: DatabaseTransaction, clientID: String, mutationID: UInt64) {
    self.transaction = transaction
    self.clientID = clientID
    self.mutationID = mutationID
  }

  /// Adds a row. Omitted columns take their default or null.
  /// - Throws: ``DatabaseError``: `unique` if the key exists, `foreignKey`, `notNull`, `type`.
  public func insert(_ table: String, _ values: JSONObject) throws(DatabaseError) {
    try transaction.insert(self.table(table), values, names: .client)
  }

  /// Adds a row, or changes the given columns of the row with that key.
  /// - Throws: ``DatabaseError``: `foreignKey`, `notNull`, `type`.
  public func upsert(_ table: String, _ values: JSONObject) throws(DatabaseError) {
    try transaction.upsert(self.table(table), values, names: .client)
  }

  /// Changes the given columns of the row with the key in `values`; does nothing without it.
  /// - Throws: ``DatabaseError``: `foreignKey`, `notNull`, `type`.
  public func update(_ table: String, _ values: JSONObject) throws(DatabaseError) {
    try transaction.update(self.table(table), values, names: .client)
  }

  /// Removes the row with the key in `values` and what refers to it by a cascading key.
  /// - Throws: ``DatabaseError`` with code `foreignKey` if another row refers to it.
  public func delete(_ table: String, _ values: JSONObject) throws(DatabaseError) {
    try transaction.delete(self.table(table), values, names: .client)
  }

  /// The row with the key in `key`, this transaction's own writes included.
  public func row(_ table: String, _ key: JSONObject) throws(DatabaseError) -> JSONObject? {
    let table = try self.table(table)
    return try transaction.row(table, key, names: .client).map { Self.object($0, table) }
  }

  /// All rows of a table, in no particular order.
  /// - Complexity: O(rows of the table)
  public func rows(_ table: String) throws(DatabaseError) -> [JSONObject] {
    let table = try self.table(table)
    return transaction.database.rows(of: table).map { Self.object($0, table) }
  }

  // MARK: -

  private func table(_ name: String) throws(DatabaseError) -> DatabaseTable {
    try transaction.database.schema.table(clientName: name)
  }

  private static func object(_ row: Row, _ table: DatabaseTable) -> JSONObject {
    JSONObject(
      table.client.columns.enumerated().map { ($1.name, row[$0].jsonValue) })
  }
}
