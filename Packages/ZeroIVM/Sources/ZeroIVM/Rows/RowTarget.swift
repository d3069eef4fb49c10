@_spi(Engine) import ZeroProtocol

/// A row that others are compared with, as when it is looked for among them.
///
/// What the comparison needs of this row is read once. Valid while the row and the order are alive; it
/// counts no references to them, since a search takes hardly longer than counting.
struct RowTarget {
  private unowned(unsafe) let order: RowOrder
  private let base: UnsafeRawPointer
  private let columnCount: Int
  private let column: Int
  /// The text in the only column of the order, which is most often an ID; nil for other values and
  /// longer orders.
  private let text: UnsafeRawBufferPointer?

  @inline(__always)
  init(_ row: Row, _ order: RowOrder) {
    self.order = order
    base = row.packedBase
    columnCount = order.columnCount
    column = order.onlyColumn
    let view = ColumnView(base, columnCount, max(column, 0))
    text = column >= 0 && view.tag == ColumnView.Tag.string ? view.bytes : nil
  }

  /// The order of a row of the same table against this one.
  @inline(__always)
  func compare(_ row: UnsafeRawPointer) -> Int {
    if let text {
      let view = ColumnView(row, columnCount, column)
      if view.tag == ColumnView.Tag.string { return view.bytes.order(text) }
    }
    return compareColumns(row)
  }

  @inline(never)
  private func compareColumns(_ row: UnsafeRawPointer) -> Int { order.compare(row, base) }
}
