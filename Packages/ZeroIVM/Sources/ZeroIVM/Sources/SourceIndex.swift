@_spi(Engine) import ZeroProtocol

/// All rows of a table in one order.
final class SourceIndex {
  let order: RowOrder
  private(set) var rows: BTree<Row>

  init(_ order: RowOrder, _ rows: BTree<Row> = BTree()) {
    self.order = order
    self.rows = rows
  }

  /// Sorts all rows of another index.
  /// - Complexity: O(n log n)
  convenience init(_ order: RowOrder, sorting other: SourceIndex) {
    var rows: ContiguousArray<Row> = []
    rows.reserveCapacity(other.rows.count)
    _ = other.rows.ascend { row in
      rows.append(row)
      return true
    }
    self.init(order, BTree(sorted: order.sorted(rows)))
  }

  /// The stored row with the position of `row`.
  func stored(_ row: Row) -> Row? {
    let (order, base) = (order, row.packedBase)
    return rows.find { order.compare($0, base) }
  }

  func insert(_ row: Row) {
    let (place, isFound) = place(of: row)
    // A taken position was refused before; a replaced row keeps the tree in order all the same.
    if isFound { rows.update(at: place) { $0 = row } } else { rows.insert(row, at: place) }
  }

  func remove(_ row: Row) {
    let (place, isFound) = place(of: row)
    if isFound { rows.remove(at: place) }
  }

  func replace(_ old: Row, with new: Row) {
    if order.isSame(old, new) {
      let (place, isFound) = place(of: old)
      if isFound { rows.update(at: place) { $0 = new } }
    } else {
      remove(old)
      insert(new)
    }
  }

  // MARK: -

  private func place(of row: Row) -> (rank: Int, isFound: Bool) {
    let (order, base) = (order, row.packedBase)
    return rows.search { order.compare($0, base) }
  }
}

/// An index chosen for reading with a constraint in a connection's order.
final class IndexChoice {
  let index: SourceIndex
  /// For each leading part of the index's order that the constraint fixes, the place in the
  /// constraint's key.
  let fixed: ContiguousArray<Int>
  /// Whether the index has the connection's order the other way round.
  let isReversed: Bool

  init(index: SourceIndex, fixed: ContiguousArray<Int>, isReversed: Bool) {
    self.index = index
    self.fixed = fixed
    self.isReversed = isReversed
  }

  /// The order of a stored row against the constraint's values in the fixed columns.
  @inline(__always)
  func compare(_ row: UnsafeRawPointer, _ constraint: Constraint) -> Int {
    let order = index.order
    if fixed.count == 1, constraint.valueKey.only >= 0 {
      // Fixed columns are ascending.
      return ColumnComparison.order(
        ColumnView(row, order.columnCount, order.parts[0].column),
        constraint.valueKey.onlyView(constraint.values.packedBase), order.faults)
    }
    return compareParts(row, constraint)
  }

  private func compareParts(_ row: UnsafeRawPointer, _ constraint: Constraint) -> Int {
    for (part, place) in fixed.enumerated() {
      let order = ColumnComparison.order(
        ColumnView(row, index.order.columnCount, index.order.parts[part].column),
        constraint.valueKey.view(constraint.values, place), index.order.faults)
      if order != 0 { return order }
    }
    return 0
  }
}

extension Row: BTreeElement {
  static var nodeWidth: Int { 64 }

  var key: UnsafeRawPointer { packedBase }

  @inline(__always)
  static func key(at place: UnsafePointer<Row>) -> UnsafeRawPointer { packedBase(at: place) }
}
