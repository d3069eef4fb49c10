@_spi(Engine) import ZeroProtocol

/// The columns of a table that a join or a partition is made over.
final class KeyColumns {
  let columns: ContiguousArray<Int>
  let columnCount: Int
  /// The column of a key of one column, by which most joins are made; −1 for a longer key.
  let only: Int

  init(_ columns: some Sequence<Int>, _ layout: RowLayout) {
    self.columns = ContiguousArray(columns)
    self.columnCount = layout.columns.count
    only = self.columns.count == 1 ? self.columns[0] : -1
  }

  /// The column of a key of one column.
  @inline(__always)
  func onlyView(_ base: UnsafeRawPointer) -> ColumnView { ColumnView(base, columnCount, only) }

  func view(_ row: Row, _ place: Int) -> ColumnView {
    ColumnView(row.packedBase, columnCount, columns[place])
  }

  /// Whether a part of the key is null or absent, so that the row joins nothing.
  @inline(__always)
  func hasNull(_ row: Row) -> Bool {
    only >= 0 ? onlyView(row.packedBase).isNull : hasNullPart(row)
  }

  private func hasNullPart(_ row: Row) -> Bool {
    for place in columns.indices where view(row, place).isNull { return true }
    return false
  }

  /// Whether `row` and `other` are equal in these columns and in those of `otherKey`, pair by pair.
  @inline(__always)
  func joins(_ row: Row, _ other: Row, _ otherKey: KeyColumns) -> Bool {
    only >= 0
      ? ColumnComparison.joins(onlyView(row.packedBase), otherKey.onlyView(other.packedBase))
      : joinsInParts(row, other, otherKey)
  }

  private func joinsInParts(_ row: Row, _ other: Row, _ otherKey: KeyColumns) -> Bool {
    for place in columns.indices
    where !ColumnComparison.joins(view(row, place), otherKey.view(other, place)) {
      return false
    }
    return true
  }

  /// Whether both rows, of this table, have the same key in the sense of ordering: null equals null.
  func isSame(_ a: Row, _ b: Row, _ faults: Faults) -> Bool {
    for place in columns.indices
    where ColumnComparison.order(view(a, place), view(b, place), faults) != 0 {
      return false
    }
    return true
  }

  /// Whether these are the same columns in any order.
  func hasSameColumns(_ other: KeyColumns) -> Bool {
    self === other
      || (columns.count == other.columns.count && columns.allSatisfy { other.columns.contains($0) })
  }
}

/// The values of a row in some columns, as a key of dictionaries. Null equals null and absent, minus
/// zero equals zero; text is equal by its bytes.
struct PartitionKey: Hashable {
  let row: Row
  let key: KeyColumns

  static func == (a: PartitionKey, b: PartitionKey) -> Bool {
    for place in a.key.columns.indices {
      let (x, y) = (a.key.view(a.row, place), b.key.view(b.row, place))
      if x.isNull && y.isNull { continue }
      if x.tag == ColumnView.Tag.json {
        guard y.tag == x.tag, x.bytes.order(y.bytes) == 0 else { return false }
      } else if !ColumnComparison.joins(x, y) {
        return false
      }
    }
    return true
  }

  func hash(into hasher: inout Hasher) {
    for place in key.columns.indices {
      let view = key.view(row, place)
      switch view.tag {
      case ColumnView.Tag.integer, ColumnView.Tag.double: hasher.combine(view.number)
      case ColumnView.Tag.string, ColumnView.Tag.json: hasher.combine(bytes: view.bytes)
      default: hasher.combine(view.isNull ? 0 : view.tag)
      }
    }
  }
}
