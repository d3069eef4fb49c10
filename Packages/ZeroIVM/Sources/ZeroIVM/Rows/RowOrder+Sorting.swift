extension RowOrder {
  /// Brings rows into this order.
  ///
  /// Prefixes are sorted by their bytes, which takes no comparisons; then rows of one prefix are compared
  /// with each other.
  /// - Complexity: O(n) and O(log k) comparisons for each of k rows that have one prefix
  func sort(_ rows: inout ContiguousArray<PlacedRow>) {
    if rows.count < Self.fewRows { return rows.sort { compare($0, $1) < 0 } }
    sortPrefixes(&rows)
    var start = rows.startIndex
    while start < rows.endIndex {
      let prefix = rows[start].prefix
      var end = start + 1
      while end < rows.endIndex, rows[end].prefix == prefix { end += 1 }
      if end - start > 1 { rows[start..<end].sort { compare($0.base, $1.base) < 0 } }
      // Values that have no order with those before are found by comparing them.
      if start > rows.startIndex { _ = compare(rows[start - 1], rows[start]) }
      start = end
    }
  }

  // MARK: -

  /// Below it, counting bytes takes longer than comparing.
  private static let fewRows = 256

  /// Sorts by the bits of prefixes, a byte at a time from the lowest; equal ones keep their sequence.
  private func sortPrefixes(_ rows: inout ContiguousArray<PlacedRow>) {
    var other = rows
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      var ends = ContiguousArray(repeating: 0, count: 256)
      for row in rows { ends[Int(row.prefix.bits >> shift & 255)] += 1 }
      // Of a byte that all have in common there is nothing to sort.
      if ends.contains(rows.count) { continue }
      var sum = 0
      for byte in ends.indices { (ends[byte], sum) = (sum, sum + ends[byte]) }
      for row in rows {
        let byte = Int(row.prefix.bits >> shift & 255)
        other[ends[byte]] = row
        ends[byte] += 1
      }
      swap(&rows, &other)
    }
  }
}
