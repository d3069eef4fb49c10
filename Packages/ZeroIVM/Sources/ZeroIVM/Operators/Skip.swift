import ZeroProtocol

/// Leaves out the rows before a bound. The bound's row may lack columns.
final class Skip: Operator {
  private let input: Operator
  private let bound: Bound

  init(_ input: Operator, _ bound: Bound) {
    self.input = input
    self.bound = bound
    super.init(order: input.order)
    input.feed(self)
  }

  override func destroy() { input.destroy() }

  override func brokenInvariant() -> String? { input.brokenInvariant() }

  private func isPresent(_ row: Row) -> Bool {
    let order = order.compare(row, bound: bound.row)
    return order > 0 || (order == 0 && bound.isInclusive)
  }

  override func push(_ change: Change, port: Int) {
    if case .edit(let old, let new) = change {
      emitEdit(old: old, new: new, isPresent)
    } else if isPresent(change.row) {
      emit(change)
    }
  }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    var request = request
    if request.isReversed {
      var isFinished = true
      _ = input.read(request) { row in
        guard isPresent(row) else { return false }
        isFinished = body(row)
        return isFinished
      }
      return isFinished
    }
    if let start = request.start {
      let order = order.compare(start.row, bound: bound.row)
      if order < 0 || (order == 0 && !bound.isInclusive) { request.start = bound }
    } else {
      request.start = bound
    }
    return input.read(request, body)
  }
}
