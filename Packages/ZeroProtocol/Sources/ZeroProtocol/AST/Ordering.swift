/// Ascending or descending.
public enum Direction: String, Sendable, Hashable, CaseIterable { case asc, desc }

/// One column of an ordering.
public struct OrderPart: Sendable {
  /// Name of the column.
  public var column: String
  /// Which end comes first.
  public var direction: Direction

  /// Sorts by `column`.
  public init(_ column: String, _ direction: Direction = .asc) {
    self.column = column
    self.direction = direction
  }
}

/// Columns to sort by, the most significant first.
public typealias Ordering = [OrderPart]
