@_spi(Engine) public import ZeroProtocol

/// The comparison that keeps rows sorted, by itself, so that it can be measured.
@_spi(Engine) public enum ColumnOrder {
  /// Compares a column of each row with the next row's: how many come before the next less how many
  /// come after it.
  /// - Parameter rows: rows of one layout.
  /// - Parameter column: a place in that layout.
  /// - Throws: `EngineError` for values that have no order.
  public static func balance(
    ofNeighbors rows: ContiguousArray<Row>, column: Int
  ) throws(EngineError) -> Int {
    guard let layout = rows.first?.layout else { return 0 }
    precondition(layout.columns.indices.contains(column), "no such column")
    let faults = Faults()
    let width = layout.columns.count
    let balance = rows.withUnsafeBufferPointer { rows in
      guard let base = rows.baseAddress else { return 0 }
      var balance = 0
      var last = ColumnView(Row.packedBase(at: base), width, column)
      for i in 1..<rows.count {
        let next = ColumnView(Row.packedBase(at: base + i), width, column)
        balance -= ColumnComparison.order(last, next, faults).signum()
        last = next
      }
      return balance
    }
    try faults.check()
    return balance
  }
}
