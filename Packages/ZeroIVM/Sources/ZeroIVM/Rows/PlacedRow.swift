@_spi(Engine) import ZeroProtocol

/// A row on its way into an order: where it is in memory, and the beginning of its position.
///
/// No reference is counted for it. The row stays where it is until whoever takes it has copied it.
struct PlacedRow {
  let prefix: OrderPrefix
  let place: UnsafePointer<Row>

  @inline(__always) var base: UnsafeRawPointer { Row.packedBase(at: place) }
}

extension RowOrder {
  @inline(__always)
  func placed(_ place: UnsafePointer<Row>) -> PlacedRow {
    PlacedRow(prefix: prefix(Row.packedBase(at: place)), place: place)
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
