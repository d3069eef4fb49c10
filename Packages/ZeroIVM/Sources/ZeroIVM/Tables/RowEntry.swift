public import ZeroProtocol

/// A row of a query's result with the rows nested in it, as structs are made from it.
public protocol RowEntry {
  var row: Row { get }

  /// Calls `body` for each row nested under `relation`, in order; for a relation to one row, for
  /// that one if there is one.
  ///
  /// - Returns: whether the relation is part of the result.
  /// - Throws: what `body` throws, at once.
  func visitRelated(
    _ relation: String, _ body: (any RowEntry) throws(RowDecodingError) -> Void
  ) throws(RowDecodingError) -> Bool
}

/// A row that cannot be read as the struct of its table.
public struct RowDecodingError: Error, Sendable, CustomStringConvertible {
  public enum Reason: Sendable {
    /// A null, where the type has no value for it.
    case null
    /// A value that the type does not take; `found` says which.
    case typeMismatch(found: String)
  }

  public let table: String
  public let column: String
  public let reason: Reason

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
