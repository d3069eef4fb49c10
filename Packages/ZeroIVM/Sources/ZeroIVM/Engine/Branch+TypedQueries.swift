import ZeroProtocol

extension Branch {
  /// Opens a view of a query made with the typed builder.
  /// - Throws: the mistake the query carries, or as `materialize(_:_:)`.
  public func materialize<T, Output>(_ query: Query<T, Output>) throws -> QueryView {
    let query = try query.checked()
    return try materialize(query.ast, query.format)
  }

  /// The result of a query now, as structs with their related rows.
  /// - Throws: the mistake the query carries, an ``EngineError``, or a row that the struct cannot be
  ///   made from.
  public func run<Output: QueryOutput>(_ query: Query<Output.Element, Output>) throws -> Output {
    let query = try query.checked()
    return try Output(decoding: try run(query.ast, query.format))
  }

  /// Adds a row given as struct.
  public func add<T: ZeroTable>(_ row: T) throws(EngineError) { try push(.add(row.row)) }

  /// Gives the row with the key of `row` the contents of `row`.
  public func update<T: ZeroTable>(_ row: T) throws(EngineError) {
    let row = row.row
    try push(.edit(old: row, new: row))
  }

  /// Removes the row with the key of `row`.
  public func remove<T: ZeroTable>(_ row: T) throws(EngineError) { try push(.remove(row.row)) }
}
