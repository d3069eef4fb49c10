@_spi(Engine) import ZeroProtocol

/// A pipeline's access to a source: reads in one order through one filter, and changes.
final class Connection: Operator {
  private let source: MemorySource
  private let filter: RowFilter?
  /// The values of the primary key, if the filter allows one row only.
  let pinned: Constraint?
  let splitColumns: [Int]
  /// Place in the order of connecting to the source.
  var number = 0
  /// The round of the last change delivered here. While a round is under way only connections it has
  /// reached see its change.
  private var lastEpoch = 0
  private var choices: [(key: KeyColumns?, choice: IndexChoice)] = []

  init(
    _ source: MemorySource, order: RowOrder, filter: RowFilter?, pinned: Constraint?,
    splitColumns: [Int]
  ) {
    self.source = source
    self.filter = filter
    self.pinned = pinned
    self.splitColumns = splitColumns
    super.init(order: order)
    source.connect(self)
  }

  override func destroy() { source.disconnect(self) }

  func deliver(_ change: Change, epoch: Int) {
    guard output != nil else { return }
    lastEpoch = epoch
    guard let filter else { return emit(change) }
    if case .edit(let old, let new) = change {
      emitEdit(old: old, new: new, filter.passes)
    } else if filter.passes(change.row) {
      emit(change)
    }
  }

  override var isSurelyEmpty: Bool { source.primary.rows.isEmpty && source.overlay == nil }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    guard let overlay = source.overlay, lastEpoch >= source.epoch else {
      return readStored(request, body)
    }
    return readThrough(added: overlay.added, removed: overlay.removed, request, body)
  }

  /// Reads stored rows with the change that is under way applied.
  private func readThrough(
    added: Row?, removed: Row?, _ request: Request, _ body: (Row) -> Bool
  ) -> Bool {
    var added = added.flatMap { passes($0, request) ? $0 : nil }
    let isFinished = readStored(request) { row in
      if let removed, order.isSame(row, removed) { return true }
      if let new = added {
        let order = order.compare(new, row)
        if request.isReversed ? order > 0 : order < 0 {
          added = nil
          if !body(new) { return false }
        }
      }
      return body(row)
    }
    guard isFinished else { return false }
    if let new = added { return body(new) }
    return true
  }

  /// Whether a row that is not stored yet belongs to what is read.
  private func passes(_ row: Row, _ request: Request) -> Bool {
    if let constraint = request.constraint, !constraint.matches(row) { return false }
    for constraint in request.extras where !constraint.matches(row) { return false }
    if let start = request.start {
      let order = order.compare(row, bound: start.row) * (request.isReversed ? -1 : 1)
      if order < 0 || (order == 0 && !start.isInclusive) { return false }
    }
    return filter?.passes(row) ?? true
  }

  private func readStored(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    if let driver = uniqueConstraint(request) {
      guard let row = storedRow(driver), passes(row, request), driver.matches(row) else {
        return true
      }
      return body(row)
    }
    // The narrowest access: joins from the child side name one key each.
    guard let driver = request.extras.last else {
      guard let filter else { return scan(request.constraint, request, body) }
      return scan(request.constraint, request) { filter.passes($0) ? body($0) : true }
    }
    let filter = filter
    return scan(driver, request) { row in
      if let constraint = request.constraint, !constraint.matches(row) { return true }
      for constraint in request.extras.dropLast() where !constraint.matches(row) { return true }
      if let filter, !filter.passes(row) { return true }
      return body(row)
    }
  }

  /// A constraint that fixes the whole primary key.
  private func uniqueConstraint(_ request: Request) -> Constraint? {
    if let pinned { return pinned }
    if let constraint = request.constraint, covers(constraint.key) { return constraint }
    for constraint in request.extras where covers(constraint.key) { return constraint }
    return nil
  }

  private func covers(_ key: KeyColumns) -> Bool {
    source.primaryKey.columns.allSatisfy { key.columns.contains($0) }
  }

  private func storedRow(_ constraint: Constraint) -> Row? {
    let target = KeyTarget(source.primaryKey, constraint, source.faults)
    return withExtendedLifetime(constraint) { source.primary.rows.find(target) }
  }

  /// Reads stored rows that match `driver`, from the request's start on.
  private func scan(_ driver: Constraint?, _ request: Request, _ body: (Row) -> Bool) -> Bool {
    if let driver, driver.valueKey.hasNull(driver.values) { return true }
    let choice = choice(for: driver?.key)
    let index = choice.index
    let isDescending = request.isReversed != choice.isReversed
    if let bound = request.start, let driver, !agrees(driver, bound.row, choice) {
      // The bound lies in another range: compare row by row.
      let sign = request.isReversed ? -1 : 1
      return scan(driver, choice, nil, isDescending) { row in
        let order = order.compare(row, bound: bound.row) * sign
        return order < 0 || (order == 0 && !bound.isInclusive) ? true : body(row)
      }
    }
    guard let bound = request.start else {
      guard let driver else {
        return isDescending ? index.rows.descend(body) : index.rows.ascend(body)
      }
      return scan(driver, choice, nil, isDescending, body)
    }
    // At most the first row has the bound's key; more than the key may decide about it.
    var isFirst = true
    func visit(_ row: Row) -> Bool {
      if isFirst {
        isFirst = false
        let order = order.compare(row, bound: bound.row) * (request.isReversed ? -1 : 1)
        if order < 0 || (order == 0 && !bound.isInclusive) { return true }
      }
      return body(row)
    }
    guard let driver else {
      let start = RowTarget(bound.row, index.order)
      return withExtendedLifetime(bound) {
        isDescending
          ? index.rows.descend(from: start, visit) : index.rows.ascend(from: start, visit)
      }
    }
    return scan(driver, choice, bound.row, isDescending, visit)
  }

  /// Reads the rows of a constraint's range, from the position of `start` in it if there is one.
  private func scan(
    _ driver: Constraint, _ choice: IndexChoice, _ start: Row?, _ isDescending: Bool,
    _ body: (Row) -> Bool
  ) -> Bool {
    let rows = choice.index.rows
    let target = RangeTarget(driver, choice, start)
    // The walk ends with the range as well as when `body` wants no more.
    var isFinished = true
    func step(_ row: Row) -> Bool {
      guard driver.matches(row) else { return false }
      isFinished = body(row)
      return isFinished
    }
    // What is equal to the position is read in both directions.
    withExtendedLifetime((driver, choice, start)) {
      _ = isDescending ? rows.descend(from: target, step) : rows.ascend(from: target, step)
    }
    return isFinished
  }

  /// Whether a bound has the values of the constraint in its columns, as far as the order has them.
  private func agrees(_ driver: Constraint, _ row: Row, _ choice: IndexChoice) -> Bool {
    order.parts.allSatisfy { part in
      guard let place = driver.key.columns.firstIndex(of: part.column) else { return true }
      return ColumnComparison.order(
        ColumnView(row.packedBase, order.columnCount, part.column),
        driver.valueKey.view(driver.values, place), order.faults) == 0
    }
  }

  private func choice(for key: KeyColumns?) -> IndexChoice {
    for known in choices where known.key === key { return known.choice }
    let choice = source.choose(key, order)
    choices.append((key, choice))
    return choice
  }
}
