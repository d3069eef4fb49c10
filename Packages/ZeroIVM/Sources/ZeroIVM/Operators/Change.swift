import ZeroProtocol

/// What an operator tells the next one. Related rows are not part of it: whoever needs them reads
/// them from the join while the change is under way.
enum Change {
  /// The row and all below it enters the result.
  case add(Row)
  /// The row and all below it leaves the result.
  case remove(Row)
  /// Other contents in the same place of the tree, with the same related rows.
  case edit(old: Row, new: Row)
  /// The row is as before; something below it changed.
  case child(Row, ChildChange)

  /// The row the change is about, the new one of an edit.
  @inline(__always) var row: Row {
    switch self {
    case .add(let row), .remove(let row), .edit(_, let row), .child(let row, _): row
    }
  }

  /// The row that is there after the change and was not, or not so, before.
  var added: Row? {
    switch self {
    case .add(let row), .edit(_, let row): row
    case .remove, .child: nil
    }
  }

  /// The row that is gone after the change, or is another.
  var removed: Row? {
    switch self {
    case .remove(let row), .edit(let row, _): row
    case .add, .child: nil
    }
  }
}

/// A change among the rows that a join relates to a row.
final class ChildChange {
  unowned let join: JoinOperator
  let change: Change

  init(_ join: JoinOperator, _ change: Change) {
    self.join = join
    self.change = change
  }
}
