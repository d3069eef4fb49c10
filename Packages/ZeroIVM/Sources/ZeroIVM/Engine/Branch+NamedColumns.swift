public import ZeroProtocol

extension Branch {
  /// Opens a view of a query built from names.
  public func materialize(_ query: AnyQuery) throws(EngineError) -> QueryView {
    try materialize(query.ast, query.format)
  }

  /// The result of a query built from names, now.
  public func run(_ query: AnyQuery) throws(EngineError) -> ViewData {
    try run(query.ast, query.format)
  }

  /// A row of a table from values by column; columns left out are null.
  /// - Throws: `unknownTable`, `unknownColumn`.
  public func row(
    _ table: String, _ values: KeyValuePairs<String, Value>
  ) throws(EngineError) -> Row {
    guard let layout = schema.table(table)?.layout else { throw .unknownTable(table) }
    var builder = RowBuilder()
    builder.begin(layout)
    for (column, value) in values {
      guard let place = layout.index(of: column) else { throw .unknownColumn(column, table) }
      builder.set(place, value)
    }
    builder.nullifyAbsent()
    return builder.finish()
  }
}
