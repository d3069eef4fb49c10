public import ZeroIVM
import ZeroProtocol

/// The state of a view at one moment.
public struct ViewSnapshot<Output: QueryOutput>: Sendable {
  /// The result.
  public let data: Output
  /// How far `data` can be trusted.
  public let resultType: ResultType
  /// Why the server refuses the query, or why rows cannot be read or followed; then `data` is the last
  /// that could.
  public let error: (any Error)?
  /// What is new since the snapshot before it, by places in the lists of rows. Nil for the first.
  public let changes: EntryChanges?
  let entries: (old: EntryList, new: EntryList)?

  /// What is new since the snapshot before it, row by row, with the rows; nil for the first.
  /// - Throws: `ZeroError` with the first row that cannot be read.
  public func rowChanges() throws -> [RowChange<Output.Element>]? {
    try ZeroError.reporting { try entries.map { try $0.new.rowChanges(from: $0.old) } }
  }
}
