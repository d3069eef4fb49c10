public import ZeroIVM
public import ZeroProtocol

/// What a mutator works on: the client's rows as they are for this run, and its own writes.
///
/// A transaction is valid until its mutator returns; later use throws `ZeroError.transactionClosed`.
@MainActor public final class MutatorTransaction {
  /// The client that made the mutation; on a rebase it may be one of an earlier process.
  public let clientID: String
  /// The mutation's number, counted by that client from 1.
  public let mutationID: Int
  /// Whether it runs for the first time.
  public let reason: MutationReason
  /// The auth token, if there is one.
  public let token: String?

  private let writes: WriteSet
  private let schema: ZeroSchema
  private var isOpen = true

  init(
    _ writes: WriteSet, schema: ZeroSchema, clientID: String, mutationID: Int,
    reason: MutationReason, token: String?
  ) {
    self.writes = writes
    self.schema = schema
    self.clientID = clientID
    self.mutationID = mutationID
    self.reason = reason
    self.token = token
  }

  /// Writes to tables, typed: `tx.mutate.issue.insert(…)`.
  public var mutate: TransactionMutate { TransactionMutate(self) }

  /// Writes to a table by its name.
  /// - Throws: ``MutatorWriteError`` if the schema has no such table.
  public func table(_ name: String) throws -> TransactionTable {
    guard let place = schema.tables.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) })
    else { throw MutatorWriteError("the schema has no table \"\(name)\"") }
    return TransactionTable(self, place)
  }

  /// Runs a query on the rows as this transaction sees them, its own writes included.
  /// - Throws: `ZeroError`.
  public func run<Output: QueryOutput>(_ query: Query<Output.Element, Output>) throws -> Output {
    try checkOpen()
    return try ZeroError.reporting {
      let checked = try query.checked()
      let rows = try writes.forkWithWrites().run(checked.ast, checked.format)
      return try Output(decoding: rows)
    }
  }

  /// ``run(_:)-(Query<Output.Element,Output>)`` for an untyped query.
  /// - Returns: the rows as an app in JavaScript would see them.
  @_spi(Engine) public func run(_ query: AnyQuery) throws -> JSONValue {
    try checkOpen()
    let rows = try writes.forkWithWrites().run(query.ast, query.format)
    return JSONValue(rows, query.format)
  }

  // MARK: -

  func close() { isOpen = false }

  func descriptor(_ table: Int) -> TableDescriptor { schema.tables[table] }

  func insert(_ table: Int, _ row: Row) throws {
    let key = try open(table, row)
    guard writes.row(table, key: key, keyRow: row) == nil else { return }
    try writes.write(table, key: key, keyRow: row, row.withNulls())
  }

  func upsert(_ table: Int, _ row: Row) throws {
    let key = try open(table, row)
    if let old = writes.row(table, key: key, keyRow: row) {
      try writes.write(table, key: key, keyRow: row, old.merging(row))
    } else {
      try writes.write(table, key: key, keyRow: row, row.withNulls())
    }
  }

  func update(_ table: Int, _ row: Row) throws {
    let key = try open(table, row)
    guard let old = writes.row(table, key: key, keyRow: row) else { return }
    try writes.write(table, key: key, keyRow: row, old.merging(row))
  }

  func delete(_ table: Int, _ row: Row) throws {
    let key = try open(table, row)
    guard writes.row(table, key: key, keyRow: row) != nil else { return }
    try writes.write(table, key: key, keyRow: row, nil)
  }

  private func open(_ table: Int, _ row: Row) throws -> String {
    try checkOpen()
    do {
      return try row.keyText()
    } catch {
      throw MutatorWriteError("a write to table \"\(row.layout.table)\": \(error)")
    }
  }

  private func checkOpen() throws {
    if !isOpen { throw ZeroError.transactionClosed }
  }
}

/// A mutator tried to write what cannot be written.
public struct MutatorWriteError: Error, Sendable, CustomStringConvertible {
  /// What cannot be written, and why.
  public let description: String
  init(_ description: String) { self.description = description }
}
