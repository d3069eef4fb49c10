public import ZeroProtocol

/// A change of one row of one table, which the row's layout names.
public enum SourceChange: Sendable {
  case add(Row)
  case remove(Row)
  case edit(old: Row, new: Row)

  /// The row that says which table this is about.
  var row: Row {
    switch self {
    case .add(let row), .remove(let row), .edit(_, let row): row
    }
  }
}
