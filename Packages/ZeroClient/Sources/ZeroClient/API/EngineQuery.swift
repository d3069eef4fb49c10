import ZeroIVM
import ZeroProtocol

/// A query as the engine takes it, with the time to live asked for.
@MainActor final class EngineQuery {
  let ast: AST
  let format: Format
  let id: CustomQueryID?
  var ttl: TTL

  init<Output: QueryOutput>(_ query: Query<Output.Element, Output>, ttl: TTL) throws {
    let query = try query.checked()
    ast = query.ast
    format = query.format
    id = query.customQueryID
    self.ttl = ttl
  }

  /// - Throws: `ZeroError` for a query that the server is not asked for, so that it confirms nothing.
  func checkCompletes() throws {
    guard id == nil else { return }
    throw ZeroError.client(
      ClientError(
        .internal,
        "a query on table \"\(ast.table)\" without a name is not asked of the server, so that it never "
          + "becomes complete; take what is here, or define the query by name"))
  }

  func materialize(_ engine: ClientEngine) throws -> EngineView {
    try engine.materialize(ast, format, id, ttl: ttl)
  }
}
