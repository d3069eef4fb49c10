@_spi(Engine) import ZeroProtocol

/// All rows of a table in one order.
final class SourceIndex {
  typealias Place = (path: BTreePath, isFound: Bool)

  let order: RowOrder
  private(set) var rows: BTree<Row>

  init(_ order: RowOrder, _ rows: BTree<Row> = BTree()) {
    self.order = order
    self.rows = rows
  }

  /// - Parameter rows: in that order.
  /// - Complexity: O(n)
  convenience init(_ order: RowOrder, sorted rows: ContiguousArray<PlacedRow>) {
    self.init(
      order,
      BTree(count: rows.count) { places, leaf in
        for row in rows[places] { leaf.append(row.row.row, row.prefix) }
      })
  }

  /// Sorts all rows of another index.
  /// - Complexity: see ``RowOrder/sort(_:)``
  convenience init(_ order: RowOrder, sorting other: SourceIndex) {
    var rows: ContiguousArray<PlacedRow> = []
    rows.reserveCapacity(other.rows.count)
    _ = other.rows.ascend { (place: UnsafePointer<Row>) in
      rows.append(order.placed(place))
      return true
    }
    order.sort(&rows)
    self.init(order, sorted: rows)
  }

  /// The stored row with the position of `row`.
  func stored(_ row: Row) -> Row? {
    let target = RowTarget(row, order)
    return withExtendedLifetime(row) { rows.find(target) }
  }

  /// Where `row` is or would be, until the next change of the index.
  func place(of row: Row) -> Place {
    let target = RowTarget(row, order)
    return withExtendedLifetime(row) { rows.search(target) }
  }

  /// Takes a change.
  /// - Parameter known: the place of the change's old row, or of its new one for an addition; nil to
  ///   look for it.
  func apply(_ change: Change, at known: Place? = nil) {
    switch change {
    case .add(let row): insert(row, at: known ?? place(of: row))
    case .remove(let row): remove(at: known ?? place(of: row))
    case .edit(let old, let new):
      let place = known ?? place(of: old)
      if place.isFound, order.isSame(old, new) {
        rows.update(at: place.path) { $0 = new }
      } else {
        remove(at: place)
        insert(new, at: self.place(of: new))
      }
    case .child: break
    }
  }

  // MARK: -

  private func insert(_ row: Row, at place: Place) {
    // A taken position was refused before; a replaced row keeps the tree in order all the same.
    if place.isFound {
      rows.update(at: place.path) { $0 = row }
    } else {
      rows.insert(row, order.prefix(row.packedBase), at: place.path)
    }
  }

  private func remove(at place: Place) {
    if place.isFound { rows.remove(at: place.path) }
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

extension BTree where Element == Row {
  /// Visits all rows upwards until `body` returns false. Returns whether it never did.
  func ascend(_ body: (Row) -> Bool) -> Bool {
    ascend { place in Row.withUncounted(at: place, body) }
  }

  /// Visits rows at and behind a target upwards.
  func ascend(from target: some BTreeTarget, _ body: (Row) -> Bool) -> Bool {
    ascend(from: target) { place in Row.withUncounted(at: place, body) }
  }

  /// Visits all rows downwards until `body` returns false. Returns whether it never did.
  func descend(_ body: (Row) -> Bool) -> Bool {
    descend { place in Row.withUncounted(at: place, body) }
  }

  /// Visits rows at and before a target downwards.
  func descend(from target: some BTreeTarget, _ body: (Row) -> Bool) -> Bool {
    descend(from: target) { place in Row.withUncounted(at: place, body) }
  }
}

extension Row: BTreeElement {
  static var nodeWidth: Int { 64 }

  var key: UnsafeRawPointer { packedBase }

  @inline(__always)
  static func key(at place: UnsafePointer<Row>) -> UnsafeRawPointer { packedBase(at: place) }
}
