@_spi(Engine) import ZeroProtocol

/// A few rows of each partition of its input, in no order: enough to tell whether an exists holds.
///
/// Which rows are inside is decided when a partition is first read, and then by arrival.
final class Cap: Operator {
  private let input: Operator
  private let limit: Int
  private let partition: KeyColumns
  private let primaryKey: KeyColumns
  /// The rows inside by partition, in order of arrival.
  private var partitions: [PartitionKey: ContiguousArray<Row>] = [:]
  /// Whether there was nothing to read at the first read. Then every row came as a change, and a
  /// partition that is not in ``partitions`` has none.
  private var startedEmpty = false

  init(_ input: Operator, _ limit: Int, partition: KeyColumns, primaryKey: KeyColumns) {
    self.input = input
    self.limit = limit
    self.partition = partition
    self.primaryKey = primaryKey
    super.init(order: input.order)
    input.feed(self)
  }

  override func destroy() { input.destroy() }

  override func brokenInvariant() -> String? {
    for rows in partitions.values where rows.count > limit {
      return "a cap of \(limit) has \(rows.count) rows"
    }
    return input.brokenInvariant()
  }

  /// Known from the first read on, which has to take place all the same.
  override var isSurelyEmpty: Bool { startedEmpty && partitions.isEmpty }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    guard let constraint = request.constraint else { return true }
    if partitions.isEmpty {
      if !startedEmpty && limit > 0 { startedEmpty = input.isSurelyEmpty }
      if startedEmpty { return true }
    }
    let key = PartitionKey(row: constraint.values, key: constraint.valueKey)
    if let rows = partitions[key] {
      for row in rows {
        // Looked up again, because what is inside may be changing right now.
        let point = Constraint(key: primaryKey, values: row, valueKey: primaryKey)
        guard input.read(Request(constraint: point), body) else { return false }
      }
      return true
    }
    guard limit > 0, !startedEmpty else { return true }
    var rows: ContiguousArray<Row> = []
    var isFinished = true
    _ = input.read(request) { row in
      rows.append(row)
      if isFinished { isFinished = body(row) }
      return rows.count < limit
    }
    partitions[key] = rows
    return isFinished
  }

  override func push(_ change: Change, port: Int) {
    let key = PartitionKey(row: change.row, key: partition)
    guard var rows = partitions[key] ?? (startedEmpty ? [] : nil) else { return }
    switch change {
    case .add(let row):
      guard rows.count < limit else { return }
      rows.append(row)
      partitions[key] = rows
      emit(change)
    case .remove(let row):
      guard let place = place(row, rows) else { return }
      rows.remove(at: place)
      var replacement: Row?
      let constraint = Constraint(key: partition, values: row, valueKey: partition)
      _ = input.read(Request(constraint: constraint)) { row in
        if self.place(row, rows) != nil { return true }
        replacement = row
        return false
      }
      partitions[key] = rows
      emit(change)
      if let replacement {
        partitions[key]?.append(replacement)
        emit(.add(replacement))
      }
    case .child(let row, _): if place(row, rows) != nil { emit(change) }
    case .edit(let old, let new):
      guard let place = place(old, rows) else { return }
      rows[place] = new
      partitions[key] = rows
      emit(change)
    }
  }

  private func place(_ row: Row, _ rows: ContiguousArray<Row>) -> Int? {
    rows.firstIndex { primaryKey.isSame($0, row, order.faults) }
  }
}
