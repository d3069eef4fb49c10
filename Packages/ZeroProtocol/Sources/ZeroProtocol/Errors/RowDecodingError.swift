/// A row that cannot be read as the struct of its table.
public struct RowDecodingError: Error, Sendable, CustomStringConvertible {
  /// Why a value cannot be read.
  public enum Reason: Sendable {
    /// A null, where the type has no value for it.
    case null
    /// A value that the type does not take; `found` says which.
    case typeMismatch(found: String)
  }

  /// The table's name on the client.
  public let table: String
  /// The column's name on the client.
  public let column: String
  /// Why its value cannot be read.
  public let reason: Reason

  /// An error about that column.
  public init(table: String, column: String, reason: Reason) {
    self.table = table
    self.column = column
    self.reason = reason
  }

  public var description: String {
    let problem =
      switch reason {
      case .null: "is null; make the column optional in the schema"
      case .typeMismatch(let found): "holds \(found), which its type does not take"
      }
    return "column \"\(column)\" of table \"\(table)\" \(problem)"
  }
}
