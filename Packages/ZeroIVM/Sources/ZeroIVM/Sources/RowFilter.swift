import ZeroProtocol

/// A condition without subqueries, compiled for a table.
final class RowFilter {
  private let predicate: RowPredicate
  private let faults: Faults

  init(_ condition: Condition, _ layout: RowLayout, _ faults: Faults) throws(EngineError) {
    do {
      predicate = try RowPredicate(condition, layout)
    } catch {
      throw .predicate(error)
    }
    self.faults = faults
  }

  /// Whether the row fulfils the condition. A row that makes it undecidable is reported and does
  /// not.
  func passes(_ row: Row) -> Bool {
    do {
      return try predicate.matches(row)
    } catch {
      faults.raise(.predicate(error))
      return false
    }
  }
}
