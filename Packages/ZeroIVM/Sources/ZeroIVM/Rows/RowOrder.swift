@_spi(Engine) import ZeroProtocol

/// An ordering of a table's rows, compiled to column places.
///
/// Sorting by one column twice counts the first; after all columns of the primary key nothing is
/// left to decide. So comparing equal means having the same primary key, for every order that is
/// complete.
final class RowOrder {
  struct Part: Equatable {
    let column: Int
    let isDescending: Bool
  }

  /// What decides between any two rows.
  let parts: ContiguousArray<Part>
  /// Parts behind the whole primary key. They make a difference to a bound only, whose key and other
  /// columns need not be those of any row.
  private let surplus: ContiguousArray<Part>
  let columnCount: Int
  let layout: RowLayout
  let faults: Faults
  /// The column of a single ascending part, by which most orders can be decided at once; −1 if the
  /// order has more parts.
  let onlyColumn: Int

  init(_ parts: some Sequence<Part>, _ layout: RowLayout, _ faults: Faults) {
    var kept: ContiguousArray<Part> = []
    var surplus: ContiguousArray<Part> = []
    var missing = Set(layout.primaryKey)
    for part in parts {
      guard !kept.contains(where: { $0.column == part.column }) else { continue }
      if missing.isEmpty {
        surplus.append(part)
      } else {
        kept.append(part)
        missing.remove(part.column)
      }
    }
    self.parts = kept
    self.surplus = surplus
    self.layout = layout
    self.columnCount = layout.columns.count
    self.faults = faults
    self.onlyColumn = kept.count == 1 && !kept[0].isDescending ? kept[0].column : -1
  }

  /// The primary key, ascending.
  static func primary(_ layout: RowLayout, _ faults: Faults) -> RowOrder {
    RowOrder(layout.primaryKey.map { Part(column: $0, isDescending: false) }, layout, faults)
  }

  /// Negative, zero or positive as `a` comes before, with or after `b`.
  /// - Complexity: O(parts), each at most the length of the values
  @inline(__always)
  func compare(_ a: Row, _ b: Row) -> Int { compare(a.packedBase, b.packedBase) }

  @inline(__always)
  func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> Int {
    if onlyColumn >= 0 {
      return ColumnComparison.order(
        ColumnView(a, columnCount, onlyColumn), ColumnView(b, columnCount, onlyColumn), faults)
    }
    return compare(a, b, from: 0)
  }

  /// The comparison by the parts from `first` on.
  func compare(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer, from first: Int) -> Int {
    var i = first
    while i < parts.count {
      let part = parts[i]
      let order = ColumnComparison.order(
        ColumnView(a, columnCount, part.column), ColumnView(b, columnCount, part.column), faults)
      if order != 0 { return part.isDescending ? -order : order }
      i &+= 1
    }
    return 0
  }

  func isSame(_ a: Row, _ b: Row) -> Bool { compare(a, b) == 0 }

  /// The order of `row` against a bound.
  func compare(_ row: Row, bound: Row) -> Int {
    let order = compare(row, bound)
    if order != 0 || surplus.isEmpty { return order }
    for part in surplus {
      let order = ColumnComparison.order(
        ColumnView(row.packedBase, columnCount, part.column),
        ColumnView(bound.packedBase, columnCount, part.column), faults)
      if order != 0 { return part.isDescending ? -order : order }
    }
    return 0
  }
}
