public import ZeroProtocol

extension Branch {
  /// Opens a view of a query made with the typed builder.
  /// - Throws: the mistake the query carries, or as `materialize(_:_:)`.
  public func materialize<T, Output>(_ query: Query<T, Output>) throws -> QueryView {
    let query = try query.checked()
    return try materialize(query.ast, query.format)
  }

  /// The rows of a query now, with their related rows.
  /// - Throws: the mistake the query carries, an ``EngineError``, or a row that the struct cannot be
  ///   made from.
  public func run<T>(_ query: Query<T, [T]>) throws -> [T] {
    let query = try query.checked()
    return try run(query.ast, query.format).rows(as: T.self)
  }

  /// The row of a query that asks for one; nil if there is none.
  public func run<T>(_ query: Query<T, T?>) throws -> T? {
    let query = try query.checked()
    return try run(query.ast, query.format).rows(as: T.self).first
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

extension ZeroTable {
  /// The packed row with the values of this struct.
  public var row: Row {
    var builder = RowBuilder()
    builder.begin(Self.table.layout)
    for (place, value) in encode().enumerated() { builder.set(place, value) }
    return builder.finish()
  }
}
