@_spi(Engine) import ZeroProtocol

extension RowOrder {
  /// A row to be sorted: where its block is, and the beginning of its position in the order.
  private struct Item {
    let prefix: UInt64
    let base: UnsafeRawPointer
    let place: Int
  }

  /// What all rows have in the column that decides first, apart from null.
  private enum LeadingValues { case numbers, text, other }

  /// The rows in this order.
  ///
  /// What is moved is an address for each row, so that no reference is counted, and most comparisons
  /// are of prefixes and look at no row.
  /// - Complexity: O(n log n)
  func sorted(_ rows: ContiguousArray<Row>) -> ContiguousArray<Row> {
    rows.withUnsafeBufferPointer { rows in
      guard let first = rows.baseAddress else { return [] }
      let leading = leadingValues(rows)
      var items: ContiguousArray<Item> = []
      items.reserveCapacity(rows.count)
      for place in rows.indices {
        let base = Row.packedBase(at: first + place)
        items.append(Item(prefix: prefix(base, leading), base: base, place: place))
      }
      items.sort { a, b in
        a.prefix == b.prefix ? compare(a.base, b.base) < 0 : a.prefix < b.prefix
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

  // MARK: -

  /// Values that cannot be compared have to be met by comparisons, which report them; so only columns
  /// of one kind get prefixes.
  private func leadingValues(_ rows: UnsafeBufferPointer<Row>) -> LeadingValues {
    guard let part = parts.first, let first = rows.baseAddress else { return .other }
    var (hasNumbers, hasText) = (false, false)
    for place in rows.indices {
      let view = ColumnView(Row.packedBase(at: first + place), columnCount, part.column)
      if view.isNull { continue }
      switch view.tag {
      case ColumnView.Tag.integer: hasNumbers = true
      case ColumnView.Tag.double:
        if view.number.isNaN { return .other }
        hasNumbers = true
      case ColumnView.Tag.string: hasText = true
      default: return .other
      }
    }
    return hasNumbers == hasText ? .other : hasNumbers ? .numbers : .text
  }

  /// A number that is smaller only for rows that come first. Rows with equal ones are in any order.
  private func prefix(_ base: UnsafeRawPointer, _ leading: LeadingValues) -> UInt64 {
    guard leading != .other, let part = parts.first else { return 0 }
    let view = ColumnView(base, columnCount, part.column)
    var prefix: UInt64 = 0
    if !view.isNull {
      if leading == .numbers {
        // Adding zero makes the negative zero positive.
        let bits = (view.number + 0).bitPattern
        prefix = bits >> 63 == 0 ? bits | 1 << 63 : ~bits
      } else {
        let bytes = view.bytes
        for place in 0..<8 {
          prefix = prefix << 8 | UInt64(place < bytes.count ? bytes[place] : 0)
        }
      }
    }
    return part.isDescending ? ~prefix : prefix
  }
}
