@_spi(Engine) public import ZeroIVM
public import ZeroProtocol

/// Checks that the structs of tables, generated or written by hand, agree with their descriptors.
///
/// Structs refer to columns and relations by their place in the descriptor, which the compiler
/// cannot check. A test of the app does:
///
///     #expect(GeneratedCode.failures(schema: .app, tables: [User.self, Issue.self]) == [])
///
/// Checked are the members of `Columns` and `Relations`: their names, places and types; and the
/// properties that `init(_:)` reads and `encode()` writes, with made-up rows. What `Changes` writes
/// is not: samples of mutators in a drift file show that.
public enum GeneratedCode {
  /// What does not agree.
  /// - Parameters:
  ///   - tables: the structs of all tables of the schema.
  ///   - examples: rows of tables for which none can be made up: those with a JSON column of a type
  ///     that refuses `{}`, `[]` and text, and may not be null.
  /// - Returns: empty if everything agrees; in the order of `tables`.
  public static func failures(
    schema: ZeroSchema, tables: [any ZeroTable.Type], examples: [any ZeroTable] = []
  ) -> [TableFailure] {
    do {
      try schema.validate()
    } catch {
      return [TableFailure(table: nil, error.message)]
    }
    var failures: [TableFailure] = []
    for type in tables {
      let table = type.table
      if schema.table(table.name)?.layout !== table.layout {
        failures.append(
          TableFailure(table: table.name, "the schema does not have the table of \(type)"))
      }
      failures += self.failures(type, examples)
    }
    let names = Set(tables.map { UTF8Key($0.table.name) })
    for table in schema.tables where !names.contains(UTF8Key(table.name)) {
      failures.append(TableFailure(table: table.name, "no struct of it is given to the check"))
    }
    return failures
  }

  // MARK: -

  private static func failures<T: ZeroTable>(
    _ type: T.Type, _ examples: [any ZeroTable]
  ) -> [TableFailure] {
    let references = TableReferences(type)
    var failures = references.failures
    let example = examples.lazy.compactMap { $0 as? T }.first
    failures += TableProbe(type, references, example: example).failures()
    return failures
  }
}
