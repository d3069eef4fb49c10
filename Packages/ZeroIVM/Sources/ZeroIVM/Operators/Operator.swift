import ZeroProtocol

/// A step of a pipeline: reads from its inputs when asked, and passes on changes.
///
/// An operator owns its inputs; the last one is owned by a view. Reading calls `body` with row after
/// row until it returns false, and returns whether it never did. While an operator passes on a
/// change it has to answer reads as if exactly the changes passed on so far were applied.
class Operator {
  /// The order of the rows. For an operator whose rows are in none, that of the primary key.
  let order: RowOrder
  /// Where changes go; alive as long as changes come, because it owns this operator.
  unowned(unsafe) var output: Operator?
  /// Which of the output's inputs this operator is.
  var port = 0

  init(order: RowOrder) { self.order = order }

  /// Whether reading would find nothing, whatever is asked for, as far as that is known without reading.
  var isSurelyEmpty: Bool { false }

  func read(_ request: Request, _ body: (Row) -> Bool) -> Bool { true }

  /// Takes a change from input `port`.
  func push(_ change: Change, port: Int) {}

  /// Disconnects from the sources. Called once, from the view's end.
  func destroy() {}

  /// Reports broken rules of this operator's state to tests.
  func brokenInvariant() -> String? { nil }

  @inline(__always)
  final func emit(_ change: Change) { output?.push(change, port: port) }

  @inline(__always)
  final func feed(_ output: Operator, port: Int = 0) {
    self.output = output
    self.port = port
  }
}

/// An operator that lets through rows and changes that a test accepts.
extension Operator {
  /// Passes on what of an edit is left if only rows that `isPresent` accepts get through.
  @inline(__always)
  final func emitEdit(old: Row, new: Row, _ isPresent: (Row) -> Bool) {
    switch (isPresent(old), isPresent(new)) {
    case (true, true): emit(.edit(old: old, new: new))
    case (true, false): emit(.remove(old))
    case (false, true): emit(.add(new))
    case (false, false): break
    }
  }
}
