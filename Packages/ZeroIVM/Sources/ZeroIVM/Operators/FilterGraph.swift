import ZeroProtocol

/// Applies a condition with exists in it: reads its input through a tree of filters, and sends
/// changes through the same filters.
///
/// A tree rather than a graph of operators: each filter knows what is behind it, by the closure of
/// sending on, so that an `or` can collect what its branches let through.
final class FilterGraph: Operator {
  private let input: Operator
  private let filter: Filter

  init(_ input: Operator, _ filter: Filter) {
    self.input = input
    self.filter = filter
    super.init(order: input.order)
    input.feed(self)
  }

  override func destroy() { input.destroy() }

  override func brokenInvariant() -> String? { input.brokenInvariant() }

  override var isSurelyEmpty: Bool { input.isSurelyEmpty }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    var isFinished = true
    _ = input.read(request) { row in
      guard filter.passes(row) else { return !filter.isSurelyFalse }
      isFinished = body(row)
      return isFinished
    }
    return isFinished
  }

  override func push(_ change: Change, port: Int) {
    filter.push(change) { emit($0) }
  }
}

/// A condition as a filter of rows and changes.
class Filter {
  /// Whether a row is let through.
  func passes(_ row: Row) -> Bool { true }

  /// Whether no row is let through, as far as that is known without looking at one.
  var isSurelyFalse: Bool { false }

  /// Calls `next` with what is left of a change, at most once.
  func push(_ change: Change, _ next: (Change) -> Void) {}
}

/// A condition without subqueries.
final class RowConditionFilter: Filter {
  private let filter: RowFilter

  init(_ filter: RowFilter) { self.filter = filter }

  override func passes(_ row: Row) -> Bool { filter.passes(row) }

  override func push(_ change: Change, _ next: (Change) -> Void) {
    guard case .edit(let old, let new) = change else {
      if filter.passes(change.row) { next(change) }
      return
    }
    switch (filter.passes(old), filter.passes(new)) {
    case (true, true): next(change)
    case (true, false): next(.remove(old))
    case (false, true): next(.add(new))
    case (false, false): break
    }
  }
}

/// All of some filters, one behind the other.
final class AndFilter: Filter {
  private let filters: [Filter]

  init(_ filters: [Filter]) { self.filters = filters }

  override func passes(_ row: Row) -> Bool { filters.allSatisfy { $0.passes(row) } }

  override var isSurelyFalse: Bool { filters.contains { $0.isSurelyFalse } }

  override func push(_ change: Change, _ next: (Change) -> Void) {
    push(change, from: 0, next)
  }

  private func push(_ change: Change, from place: Int, _ next: (Change) -> Void) {
    guard place < filters.count else { return next(change) }
    filters[place].push(change) { push($0, from: place + 1, next) }
  }
}

/// Any of some filters. What the branches make of one change is put together into one change.
final class OrFilter: Filter {
  private let branches: [Filter]

  init(_ branches: [Filter]) { self.branches = branches }

  override func passes(_ row: Row) -> Bool { branches.contains { $0.passes(row) } }

  override var isSurelyFalse: Bool { branches.allSatisfy { $0.isSurelyFalse } }

  override func push(_ change: Change, _ next: (Change) -> Void) {
    var merge = ChangeMerge()
    for branch in branches { branch.push(change) { merge.collect($0) } }
    if let merged = merge.result(of: change) { next(merged) }
  }
}

/// Whether a join relates any row, or none, to a row.
final class ExistsFilter: Filter {
  private let join: Join
  private let isNegated: Bool

  init(_ join: Join, isNegated: Bool) {
    self.join = join
    self.isNegated = isNegated
  }

  // The count is taken afresh each time and to its end: rows with equal keys can differ while the
  // join tells them of a change one by one, and the first full read decides what a cap or limit
  // below holds.
  override func passes(_ row: Row) -> Bool { (join.childCount(of: row) > 0) != isNegated }

  override var isSurelyFalse: Bool { !isNegated && join.relatesNothing }

  override func push(_ change: Change, _ next: (Change) -> Void) {
    let row = change.row
    let size = join.childCount(of: row)
    if case .child(_, let below) = change, below.join === join {
      switch below.change {
      case .add where size == 1: return next(isNegated ? .remove(row) : .add(row))
      case .remove where size == 0: return next(isNegated ? .add(row) : .remove(row))
      default: break
      }
    }
    if (size > 0) != isNegated { next(change) }
  }
}
