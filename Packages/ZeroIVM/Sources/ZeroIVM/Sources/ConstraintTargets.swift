@_spi(Engine) import ZeroProtocol

/// The row whose primary key a constraint fixes. Valid while the constraint is.
struct KeyTarget: BTreeTarget {
  let prefix: OrderPrefix
  private unowned(unsafe) let key: KeyColumns
  private let constraint: Constraint
  private unowned(unsafe) let faults: Faults

  /// - Parameter constraint: fixes all columns of the primary key.
  init(_ key: KeyColumns, _ constraint: Constraint, _ faults: Faults) {
    self.key = key
    self.constraint = constraint
    self.faults = faults
    let place = key.columns.first.flatMap { constraint.key.columns.firstIndex(of: $0) }
    prefix =
      place.map {
        OrderPrefix(constraint.valueKey.view(constraint.values, $0), isDescending: false)
      } ?? .none
  }

  func order(of row: UnsafeRawPointer) -> Int {
    if key.only >= 0, constraint.valueKey.only >= 0 {
      return ColumnComparison.order(
        key.onlyView(row), constraint.valueKey.onlyView(constraint.values.packedBase), faults)
    }
    for column in key.columns {
      guard let place = constraint.key.columns.firstIndex(of: column) else { continue }
      let order = ColumnComparison.order(
        ColumnView(row, key.columnCount, column),
        constraint.valueKey.view(constraint.values, place), faults)
      if order != 0 { return order }
    }
    return 0
  }
}

/// The rows of a constraint's range in an index, or a position in it. Valid while the constraint, the
/// choice and the start are.
struct RangeTarget: BTreeTarget {
  let prefix: OrderPrefix
  private let constraint: Constraint
  private let choice: Unmanaged<IndexChoice>
  private let start: UnsafeRawPointer?

  init(_ constraint: Constraint, _ choice: IndexChoice, _ start: Row?) {
    self.constraint = constraint
    self.choice = .passUnretained(choice)
    self.start = start?.packedBase
    // Fixed columns are ascending.
    prefix =
      choice.fixed.first.map {
        OrderPrefix(constraint.valueKey.view(constraint.values, $0), isDescending: false)
      } ?? .none
  }

  func order(of row: UnsafeRawPointer) -> Int {
    choice._withUnsafeGuaranteedRef { choice in
      let order = choice.compare(row, constraint)
      guard order == 0, let start else { return order }
      return choice.index.order.compare(row, start, from: choice.fixed.count)
    }
  }
}
