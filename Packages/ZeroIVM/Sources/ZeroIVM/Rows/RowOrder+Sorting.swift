@_spi(Engine) import ZeroProtocol

extension RowOrder {
  /// A row to be sorted: where its block is, and the beginning of its position in the order.
  private struct Item {
    let prefix: OrderPrefix
    let base: UnsafeRawPointer
    let place: Int
  }

  /// The rows in this order.
  ///
  /// What is moved is an address for each row, so that no reference is counted, and most comparisons
  /// are of prefixes and look at no row.
  /// - Complexity: O(n log n)
  func sorted(_ rows: ContiguousArray<Row>) -> ContiguousArray<Row> {
    rows.withUnsafeBufferPointer { rows in
      guard let first = rows.baseAddress else { return [] }
      var items: ContiguousArray<Item> = []
      items.reserveCapacity(rows.count)
      for place in rows.indices {
        let base = Row.packedBase(at: first + place)
        items.append(Item(prefix: prefix(base), base: base, place: place))
      }
      items.sort { a, b in
        let order = OrderPrefix.order(a.prefix, b.prefix)
        return order == 0 ? compare(a.base, b.base) < 0 : order < 0
      }
      var sorted: ContiguousArray<Row> = []
      sorted.reserveCapacity(rows.count)
      for item in items { sorted.append(rows[item.place]) }
      return sorted
    }
  }

  /// Whether each row comes before the next.
  /// - Complexity: O(n)
  func isAscending(_ rows: ContiguousArray<Row>) -> Bool {
    rows.withUnsafeBufferPointer { rows in
      guard let first = rows.baseAddress else { return true }
      for place in 1..<max(1, rows.count)
      where compare(Row.packedBase(at: first + place - 1), Row.packedBase(at: first + place)) >= 0 {
        return false
      }
      return true
    }
  }
}
