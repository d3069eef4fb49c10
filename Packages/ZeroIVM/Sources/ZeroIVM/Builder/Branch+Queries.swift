extension Branch {
  /// Opens a view of a query built over key paths.
  /// - Throws: ``QueryBuildError`` if it could not be built as asked, or ``EngineError``.
  public func materialize<T, Output>(_ query: Query<T, Output>) throws -> QueryView {
    let query = try query.checked()
    return try materialize(query.ast, query.format)
  }

  /// Opens a view of a query built from names.
  public func materialize(_ query: AnyQuery) throws(EngineError) -> QueryView {
    try materialize(query.ast, query.format)
  }

  /// The result of a query now, as structs.
  /// - Throws: ``QueryBuildError``, ``EngineError``, or ``RowDecodingError`` for the first row that
  ///   does not fit its struct.
  public func run<Output: QueryOutput>(_ query: Query<Output.Element, Output>) throws -> Output {
    let query = try query.checked()
    return try Output(decoding: try run(query.ast, query.format))
  }
}
