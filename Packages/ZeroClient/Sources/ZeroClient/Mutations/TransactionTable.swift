public import ZeroIVM
public import ZeroProtocol

/// The tables of a transaction, as generated code names them.
@MainActor public struct TransactionMutate {
  private let transaction: MutatorTransaction

  init(_ transaction: MutatorTransaction) { self.transaction = transaction }

  /// The table that `T` stands for; generated code calls it.
  public func table<T: ZeroTable>(_ type: T.Type = T.self) -> TableMutator<T> {
    TableMutator(transaction)
  }
}

/// Writes to the table of `T`. What is written shows to the mutator at once, and to views when it returns.
///
/// - Throws: ``MutatorWriteError`` for a key that cannot be, `ZeroError.transactionClosed` after the
///   mutator has returned.
@MainActor public struct TableMutator<T: ZeroTable> {
  private let transaction: MutatorTransaction

  init(_ transaction: MutatorTransaction) { self.transaction = transaction }

  /// Adds a row; does nothing if there is one with its key.
  public func insert(_ row: T) throws { try table().insert(encoded(row)) }

  /// Adds a row, or replaces the one with its key.
  public func upsert(_ row: T) throws { try table().upsert(encoded(row)) }

  /// Adds a row of the assigned columns, the others being null, or changes them in the row with its
  /// key.
  public func upsert(_ changes: some RowChanges) throws { try table().upsert(encoded(changes)) }

  /// Changes the assigned columns of the row with the key among them; does nothing if there is none.
  public func update(_ changes: some RowChanges) throws { try table().update(encoded(changes)) }

  /// Removes the row with the key of `row`; does nothing if there is none.
  public func delete(_ row: T) throws { try table().delete(encoded(row)) }

  /// Removes the row with the key among the assigned columns; does nothing if there is none.
  public func delete(_ changes: some RowChanges) throws { try table().delete(encoded(changes)) }

  // MARK: -

  fileprivate func table() throws -> TransactionTable { try transaction.table(T.table.name) }

  private func encoded(_ row: T) throws -> Row {
    let layout = try table().descriptor.layout
    let values = row.encode()
    var builder = RowBuilder()
    builder.begin(layout)
    for (column, value) in zip(layout.columns.indices, values) { builder.set(column, value) }
    return builder.finish()
  }

  private func encoded(_ changes: some RowChanges) throws -> Row {
    let layout = try table().descriptor.layout
    var builder = RowBuilder()
    builder.begin(layout)
    for (column, value) in changes.values.values where layout.columns.indices.contains(column) {
      builder.set(column, value)
    }
    return builder.finish()
  }
}

extension TableMutator where T: Identifiable, T.ID: ZeroValue {
  /// Removes the row whose key is `id`; does nothing if there is none.
  /// - Throws: ``MutatorWriteError`` if the key of the table has several columns.
  public func delete(id: T.ID) throws {
    guard let key = T.table.primaryKey.first, T.table.primaryKey.count == 1 else {
      throw MutatorWriteError(
        "the key of table \"\(T.table.name)\" has several columns; delete by the row instead of its id"
      )
    }
    try table().delete([key: id.zero.jsonValue])
  }
}

/// Writes to a table by column names.
@MainActor public struct TransactionTable {
  private let transaction: MutatorTransaction
  private let place: Int

  init(_ transaction: MutatorTransaction, _ place: Int) {
    self.transaction = transaction
    self.place = place
  }

  /// Adds a row, the columns that are not named being null; does nothing if there is one with its key.
  /// - Throws: ``MutatorWriteError`` for an unknown or a missing key column.
  public func insert(_ columns: JSONObject) throws { try insert(row(columns)) }

  /// ``insert(_:)-(JSONObject)``, or ``update(_:)-(JSONObject)`` if there is a row with the key.
  public func upsert(_ columns: JSONObject) throws { try upsert(row(columns)) }

  /// Changes the named columns of the row with the key among them; does nothing if there is none.
  public func update(_ columns: JSONObject) throws { try update(row(columns)) }

  /// Removes the row with the key among the columns; does nothing if there is none.
  public func delete(_ columns: JSONObject) throws { try delete(row(columns)) }

  // MARK: -

  var descriptor: TableDescriptor { transaction.descriptor(place) }

  func insert(_ row: Row) throws { try transaction.insert(place, row) }
  func upsert(_ row: Row) throws { try transaction.upsert(place, row) }
  func update(_ row: Row) throws { try transaction.update(place, row) }
  func delete(_ row: Row) throws { try transaction.delete(place, row) }

  private func row(_ columns: JSONObject) throws -> Row {
    let layout = descriptor.layout
    var builder = RowBuilder()
    builder.begin(layout)
    for (name, value) in columns.members {
      guard let column = layout.index(of: name) else {
        throw MutatorWriteError("table \"\(layout.table)\" has no column \"\(name)\"")
      }
      builder.set(column, value)
    }
    return builder.finish()
  }
}
