@_spi(Engine) import ZeroProtocol

/// The first rows of its input, or of each partition of it.
///
/// A partition counts from the moment it is first read. In every step that sends two changes the
/// removal comes first, so that the output never has more rows than the limit.
final class Take: Operator {
  private struct State {
    var size: Int
    /// The last row inside; nil exactly if there is none.
    var bound: Row?
  }

  private let input: Operator
  private let limit: Int
  private let partition: KeyColumns?
  private var whole: State?
  private var partitions: [PartitionKey: State] = [:]
  /// The greatest bound any partition ever had; limits reads by other keys.
  private var maxBound: Row?
  /// A row that the output does not know of yet, though it is inside.
  private var hidden: Row?

  init(_ input: Operator, _ limit: Int, partition: KeyColumns?) {
    self.input = input
    self.limit = limit
    self.partition = partition
    super.init(order: input.order)
    input.feed(self)
  }

  override func destroy() { input.destroy() }

  override func brokenInvariant() -> String? {
    if hidden != nil { return "a limit is idle and hides a row" }
    for state in partitions.values + [whole].compactMap({ $0 }) {
      if state.size > limit { return "a limit of \(limit) has \(state.size) rows" }
      if (state.size == 0) != (state.bound == nil) { return "a limit has a size without bound" }
    }
    return input.brokenInvariant()
  }

  private func state(_ row: Row) -> State? {
    guard let partition else { return whole }
    return partitions[PartitionKey(row: row, key: partition)]
  }

  private func save(_ row: Row, _ size: Int, _ bound: Row?) {
    let state = State(size: size, bound: bound)
    if let partition {
      partitions[PartitionKey(row: row, key: partition)] = state
      if let bound, maxBound.map({ order.compare(bound, $0) > 0 }) ?? true { maxBound = bound }
    } else {
      whole = state
    }
  }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    let state: State?
    if let partition {
      guard let constraint = request.constraint, constraint.key.hasSameColumns(partition) else {
        return readAcross(request, body)
      }
      state = partitions[key(constraint, partition)]
    } else {
      state = whole
    }
    guard let state else { return readFirst(request, body) }
    guard let bound = state.bound else { return true }
    return readUpTo(bound, request) { row in
      if let hidden, order.isSame(hidden, row) { return true }
      return body(row)
    }
  }

  private func key(_ constraint: Constraint, _ partition: KeyColumns) -> PartitionKey {
    if constraint.key === partition {
      return PartitionKey(row: constraint.values, key: constraint.valueKey)
    }
    let places = partition.columns.map { column in
      constraint.key.columns.firstIndex(of: column) ?? 0
    }
    return PartitionKey(
      row: constraint.values,
      key: KeyColumns(
        places.map { constraint.valueKey.columns[$0] }, constraint.values.layout))
  }

  private func readUpTo(_ bound: Row, _ request: Request, _ body: (Row) -> Bool) -> Bool {
    var isFinished = true
    _ = input.read(request) { row in
      if order.compare(row, bound) > 0 { return request.isReversed }
      isFinished = body(row)
      return isFinished
    }
    return isFinished
  }

  /// Reads rows of any partition; those of partitions nobody has read yet are not inside.
  private func readAcross(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    guard let maxBound else { return true }
    return readUpTo(maxBound, request) { row in
      guard let bound = state(row)?.bound, order.compare(row, bound) <= 0 else { return true }
      return body(row)
    }
  }

  /// The first read of a partition decides what is inside.
  private func readFirst(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    guard limit > 0 else { return true }
    var size = 0
    var last: Row?
    var isFinished = true
    var first = request
    first.start = nil
    first.isReversed = false
    _ = input.read(first) { row in
      size += 1
      last = row
      // The count goes on even if the reader has had enough.
      if isFinished { isFinished = body(row) }
      return size < limit
    }
    if let partition, let constraint = request.constraint {
      partitions[key(constraint, partition)] = State(size: size, bound: last)
      if let last, maxBound.map({ order.compare(last, $0) > 0 }) ?? true { maxBound = last }
    } else {
      whole = State(size: size, bound: last)
    }
    return isFinished
  }

  override func push(_ change: Change, port: Int) {
    switch change {
    case .add(let row): add(row)
    case .remove(let row): remove(row)
    case .edit(let old, let new): edit(old, new)
    case .child(let row, _):
      if let bound = state(row)?.bound, order.compare(row, bound) <= 0 { emit(change) }
    }
  }

  private func add(_ row: Row) {
    guard let state = state(row) else { return }
    guard let bound = state.bound else {
      save(row, 1, row)
      return emit(.add(row))
    }
    let isInside = order.compare(row, bound) < 0
    if state.size < limit {
      save(row, state.size + 1, isInside ? bound : row)
      return emit(.add(row))
    }
    guard isInside else { return }
    let (last, previous) = lastTwo(row, bound)
    guard let last else { return }
    let newBound = previous.flatMap { order.compare(row, $0) > 0 ? nil : $0 } ?? row
    save(row, state.size, newBound)
    hidden = row
    emit(.remove(last))
    hidden = nil
    emit(.add(row))
  }

  private func remove(_ row: Row) {
    guard let state = state(row), let bound = state.bound else { return }
    let order = order
    guard order.compare(row, bound) <= 0 else { return }
    var next: Row?
    var atBound: Row?
    _ = input.read(request(row, Bound(row: bound, isInclusive: true))) { row in
      if order.compare(row, bound) > 0 {
        next = row
        return false
      }
      atBound = row
      return true
    }
    if let next {
      emit(.remove(row))
      save(row, state.size, next)
      emit(.add(next))
      return
    }
    let newBound = atBound ?? previous(row, bound)
    save(row, newBound == nil ? 0 : state.size - 1, newBound)
    emit(.remove(row))
  }

  private func edit(_ old: Row, _ new: Row) {
    guard let state = state(old), let bound = state.bound else { return }
    let oldOrder = order.compare(old, bound)
    let newOrder = order.compare(new, bound)
    if oldOrder == 0 {
      if newOrder == 0 { return emit(.edit(old: old, new: new)) }
      if newOrder < 0 {
        save(new, state.size, limit == 1 ? new : previous(new, bound) ?? new)
        return emit(.edit(old: old, new: new))
      }
      guard let next = first(new, Bound(row: bound, isInclusive: true)) else { return }
      save(new, state.size, next)
      if order.isSame(next, new) { return emit(.edit(old: old, new: new)) }
      hidden = next
      emit(.remove(old))
      hidden = nil
      return emit(.add(next))
    }
    if oldOrder > 0 {
      guard newOrder < 0 else { return }
      let (last, previous) = lastTwo(new, bound)
      guard let last else { return }
      save(new, state.size, previous ?? new)
      hidden = new
      emit(.remove(last))
      hidden = nil
      return emit(.add(new))
    }
    if newOrder <= 0 { return emit(.edit(old: old, new: new)) }
    guard let next = first(new, Bound(row: bound, isInclusive: false)) else { return }
    if order.isSame(next, new) {
      save(new, state.size, new)
      return emit(.edit(old: old, new: new))
    }
    emit(.remove(old))
    save(new, state.size, next)
    emit(.add(next))
  }

  // MARK: -

  private func request(_ row: Row, _ start: Bound, isReversed: Bool = false) -> Request {
    Request(
      constraint: partition.map { Constraint(key: $0, values: row, valueKey: $0) }, start: start,
      isReversed: isReversed)
  }

  private func first(_ row: Row, _ start: Bound) -> Row? {
    var found: Row?
    _ = input.read(request(row, start)) { row in
      found = row
      return false
    }
    return found
  }

  /// The last row before the bound.
  private func previous(_ row: Row, _ bound: Row) -> Row? {
    var found: Row?
    _ = input.read(request(row, Bound(row: bound, isInclusive: false), isReversed: true)) { row in
      found = row
      return false
    }
    return found
  }

  /// The row at the bound and the one before it, which is none with a limit of one.
  private func lastTwo(_ row: Row, _ bound: Row) -> (last: Row?, previous: Row?) {
    let start = Bound(row: bound, isInclusive: true)
    if limit == 1 { return (first(row, start), nil) }
    var last: Row?
    var previous: Row?
    _ = input.read(request(row, start, isReversed: true)) { row in
      guard last != nil else {
        last = row
        return true
      }
      previous = row
      return false
    }
    return (last, previous)
  }
}
