@_spi(Engine) import ZeroProtocol

/// A row on its way into an order, with the beginning of its position there.
///
/// No reference is counted for it: whoever has the rows keeps them until they are in the order.
struct PlacedRow {
  let prefix: OrderPrefix
  let row: UncountedRow

  @inline(__always) var base: UnsafeRawPointer { row.packedBase }
}

extension RowOrder {
  @inline(__always)
  func placed(_ place: UnsafePointer<Row>) -> PlacedRow {
    let row = UncountedRow(at: place)
    return PlacedRow(prefix: prefix(row.packedBase), row: row)
  }

  @inline(__always)
  func compare(_ a: PlacedRow, _ b: PlacedRow) -> Int {
    let order = OrderPrefix.order(a.prefix, b.prefix)
    return order == 0 ? compare(a.base, b.base) : order
  }

  /// Whether each row comes before the next.
  /// - Complexity: O(n)
  func isAscending(_ rows: ContiguousArray<PlacedRow>) -> Bool {
    for place in rows.indices.dropFirst() where compare(rows[place - 1], rows[place]) >= 0 {
      return false
    }
    return true
  }
}
