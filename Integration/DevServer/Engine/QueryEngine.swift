public import ZeroProtocol

/// Runs queries on the tables of the server and keeps their results up to date.
///
/// One engine serves all client groups. Used from the isolation that made the server.
public protocol QueryEngine: AnyObject {
  /// Builds a query, in server names, on the rows as they are now.
  /// - Throws: what is wrong with the query.
  func makePipeline(_ query: AST) throws -> any QueryPipeline

  /// Takes the changes of a commit in and brings all pipelines up to date.
  /// - Throws: what keeps the engine from doing so; it is of no use then.
  func apply(_ changes: [RowChange]) throws
}

/// A query whose result is kept up to date.
public protocol QueryPipeline: AnyObject {
  /// Calls `body` for each place of the result and of everything related to it, also of junctions
  /// and of the rows that decide an exists. A row that is in several places comes several times.
  func forEachRow(_ body: (_ table: String, _ row: Row) -> Void) throws

  /// The places that came and went by the commits applied since the last call, in order.
  func takeChanges() -> [ReferenceChange]

  /// Stops the query. It is not used afterwards.
  func destroy()
}

/// A row that came into one more place of a result, or went from one.
public struct ReferenceChange: Sendable {
  public let table: String
  public let row: Row
  public let isAdded: Bool

  public init(table: String, row: Row, isAdded: Bool) {
    self.table = table
    self.row = row
    self.isAdded = isAdded
  }
}
