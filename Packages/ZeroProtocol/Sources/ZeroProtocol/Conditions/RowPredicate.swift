/// A condition without subqueries, compiled for the rows of one layout.
///
/// Deciding a row allocates nothing and counts no references, save for patterns of `ILIKE` outside
/// ASCII. Immutable and free to share.
///
/// Semantics, as in the reference: `IS` takes null for equal to null; for any other operator a null
/// or absent operand makes the comparison false. `=` and `IN` never take values of different types
/// or JSON values for equal; ordering them, and matching something that is no text, is an error.
public struct RowPredicate: Sendable {
  private let layout: RowLayout
  private let columnCount: Int
  private let test: PredicateTest

  /// Compiles `condition`. A column that the layout lacks is absent from every row.
  /// - Throws: `subquery`, `unboundParameter`, `listRequired`, `invalidPattern`, and `typeMismatch`
  ///   for a comparison of literals that can be decided now.
  public init(_ condition: Condition, _ layout: RowLayout) throws(PredicateError) {
    self.layout = layout
    columnCount = layout.columns.count
    test = try PredicateTest.compile(condition, layout)
  }

  /// Whether the condition is true for `row`, which must have the layout compiled for.
  /// - Throws: `typeMismatch`. Members of groups are decided from left to right until one settles
  ///   the result, so an error behind it does not show.
  public func matches(_ row: Row) throws(PredicateError) -> Bool {
    let columns = row.storage.withUnsafeMutablePointers { header, elements in
      precondition(
        header.pointee.layout === layout,
        "a predicate is used on rows of the layout it is made for")
      return PackedColumns(base: UnsafeRawPointer(elements), count: columnCount)
    }
    let isMatch = try test.holds(for: columns)
    withExtendedLifetime(row.storage) {}
    return isMatch
  }
}
