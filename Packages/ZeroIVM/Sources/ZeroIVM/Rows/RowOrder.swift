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

  let parts: ContiguousArray<Part>
  let columnCount: Int
  let layout: RowLayout
  let faults: Faults
  /// The column of a single ascending part, by which most orders can be decided at once; −1 if the
  /// order has more parts.
  private let onlyColumn: Int

  /// Cuts `parts` to those that can decide anything.
  init(_ parts: some Sequence<Part>, _ layout: RowLayout, _ faults: Faults) {
    var kept: ContiguousArray<Part> = []
    var missing = Set(layout.primaryKey)
    for part in parts where !kept.contains(where: { $0.column == part.column }) {
      kept.append(part)
      if missing.remove(part.column) != nil, missing.isEmpty { break }
    }
    self.parts = kept
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

  /// The order of `a` against a bound, as ``compare(_:_:)``.
  func isSame(_ a: Row, _ b: Row) -> Bool { compare(a, b) == 0 }
}
