import ZeroDevServer
import ZeroProtocol

/// A query engine of a few lines for tests of the server: one table, equality conditions, no limit.
final class ScanEngine: QueryEngine {
  private var rows: [String: [String: Row]] = [:]
  private var pipelines: [ScanPipeline] = []

  func makePipeline(_ query: AST) throws -> any QueryPipeline {
    guard query.table != "broken" else { throw ApplicationError("no such table") }
    let pipeline = ScanPipeline(query)
    for row in (rows[query.table] ?? [:]).values { pipeline.add(row) }
    pipeline.changes = []
    pipelines.append(pipeline)
    return pipeline
  }

  func apply(_ changes: [RowChange]) throws {
    for change in changes {
      switch change.kind {
      case .insert(let row): add(row, to: change.table)
      case .delete(let row): remove(row, from: change.table)
      case .update(let old, let new):
        remove(old, from: change.table)
        add(new, to: change.table)
      }
    }
  }

  private func add(_ row: Row, to table: String) {
    rows[table, default: [:]][Self.key(row)] = row
    for pipeline in pipelines where pipeline.query.table == table { pipeline.add(row) }
  }

  private func remove(_ row: Row, from table: String) {
    rows[table]?[Self.key(row)] = nil
    for pipeline in pipelines where pipeline.query.table == table { pipeline.remove(row) }
  }

  static func key(_ row: Row) -> String {
    row.layout.primaryKey.map { "\(row[$0])" }.joined(separator: "/")
  }
}

final class ScanPipeline: QueryPipeline {
  let query: AST
  var rows: [String: Row] = [:]
  var changes: [ReferenceChange] = []

  init(_ query: AST) { self.query = query }

  func forEachRow(_ body: (String, Row) -> Void) throws {
    for row in rows.values.sorted(by: { ScanEngine.key($0) < ScanEngine.key($1) }) {
      body(query.table, row)
    }
  }

  func takeChanges() -> [ReferenceChange] {
    defer { changes = [] }
    return changes
  }

  func destroy() {}

  func add(_ row: Row) {
    guard matches(row) else { return }
    rows[ScanEngine.key(row)] = row
    changes.append(ReferenceChange(table: query.table, row: row, isAdded: true))
  }

  func remove(_ row: Row) {
    guard rows.removeValue(forKey: ScanEngine.key(row)) != nil else { return }
    changes.append(ReferenceChange(table: query.table, row: row, isAdded: false))
  }

  private func matches(_ row: Row) -> Bool {
    guard case .simple(let condition)? = query.where,
      case .column(let column) = condition.left.kind,
      case .literal(let value) = condition.right.kind
    else { return true }
    return row[column] == value
  }
}
