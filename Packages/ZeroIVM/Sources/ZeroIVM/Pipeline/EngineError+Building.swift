import ZeroProtocol

extension EngineError {
  static func notExistsUnsupported(_ table: String) -> EngineError {
    EngineError(
      .notExistsUnsupported,
      "the query on table \"\(table)\" asks that a subquery has no rows, which cannot be told from "
        + "the rows a client has; ask for rows that exist")
  }

  static func existsStart(_ table: String) -> EngineError {
    EngineError(
      .existsStart, "the exists on table \"\(table)\" has a start; leave it out or flip the exists")
  }

  static func existsRelated(_ table: String) -> EngineError {
    EngineError(
      .existsRelated,
      "the exists on table \"\(table)\" has related rows, which nobody sees; leave them out")
  }

  static func missingAlias(_ table: String) -> EngineError {
    EngineError(
      .missingAlias,
      "the nested result on table \"\(table)\" has no alias; give it the name it is shown under")
  }

  static func emptyCorrelation(_ table: String) -> EngineError {
    EngineError(
      .invalidCondition,
      "a subquery of table \"\(table)\" is not tied to its parent; give columns to join by")
  }

  static func unevenCorrelation(_ related: CorrelatedSubquery) -> EngineError {
    EngineError(
      .invalidCondition,
      "the subquery on table \"\(related.subquery.table)\" is tied to its parent by "
        + "\(related.correlation.parentField.count) columns on one side and "
        + "\(related.correlation.childField.count) on the other; give pairs")
  }
}
