import ZeroIVM
public import ZeroProtocol

/// Runs mutators on given rows, as a client does when they are called, and tells what they changed.
@_spi(Engine) @MainActor public struct MutatorTrial {
  /// What a mutator did to a row; nil stands for no row.
  public struct Effect {
    public let table: TableDescriptor
    public let before: Row?
    public let after: Row?
  }

  private let rows: ClientRows

  /// - Parameter rows: of the schema's tables; columns that are absent count as null.
  /// - Throws: `EngineError` for two rows with one key.
  public init(schema: ZeroSchema, rows: [Row]) throws {
    self.rows = ClientRows(schema)
    for table in schema.tables {
      let own = rows.filter { $0.layout === table.layout }.map { $0.withNulls() }
      if !own.isEmpty { try self.rows.branch.load(table.name, ContiguousArray(own)) }
    }
  }

  /// Runs a mutator for the first time. The rows stay as they are.
  /// - Returns: the rows that it left different, in no particular order.
  /// - Throws: what the mutator throws; then nothing of it is kept.
  public func run(
    _ definition: MutatorDefinition, _ args: JSONValue?, clientID: String, mutationID: Int
  ) throws -> [Effect] {
    let writes = rows.writesOnShown()
    try definition.run(
      args, on: writes, schema: rows.schema, clientID: clientID, mutationID: mutationID,
      reason: .optimistic, token: nil)
    return zip(rows.schema.tables, writes.tables).flatMap { table, written in
      written.values.filter { $0.before != $0.row }
        .map { Effect(table: table, before: $0.before, after: $0.row) }
    }
  }
}
