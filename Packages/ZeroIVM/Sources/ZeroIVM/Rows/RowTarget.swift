@_spi(Engine) import ZeroProtocol

/// A row that is looked for among those of its table.
///
/// What comparisons need of it is read once. Valid while the row and the order are alive; it counts no
/// references to them, since a search takes hardly longer than counting.
struct RowTarget: BTreeTarget {
  let prefix: OrderPrefix
  private let order: Unmanaged<RowOrder>
  private let base: UnsafeRawPointer
  private let columnCount: Int
  private let column: Int
  /// The text in the only column of the order, which is most often an ID; nil for other values and
  /// longer orders.
  private let text: UnsafeRawBufferPointer?

  @inline(__always)
  init(_ row: Row, _ order: RowOrder) {
    self.order = .passUnretained(order)
    base = row.packedBase
    prefix = order.prefix(base)
    columnCount = order.columnCount
    column = order.onlyColumn
    let view = ColumnView(base, columnCount, max(column, 0))
    text = column >= 0 && view.tag == ColumnView.Tag.string ? view.bytes : nil
  }

  @inline(__always)
  func order(of key: UnsafeRawPointer) -> Int {
    if let text {
      let view = ColumnView(key, columnCount, column)
      if view.tag == ColumnView.Tag.string { return view.bytes.order(text) }
    }
    return compareColumns(key)
  }

  @inline(never)
  private func compareColumns(_ key: UnsafeRawPointer) -> Int {
    order._withUnsafeGuaranteedRef { $0.compare(key, base) }
  }
}
