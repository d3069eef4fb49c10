import ZeroProtocol

/// A conjunction of `column = value`, in the sense of joins: a null value matches nothing.
///
/// The values are those of another row, often of another table, so that none is copied. The keys are
/// not retained, because constraints are passed around for every row that is joined: joins, limits
/// and sources own them for as long as the pipeline exists.
struct Constraint {
  /// Columns of the table that is read.
  unowned(unsafe) let key: KeyColumns
  let values: Row
  /// The columns of `values`, pair by pair with those of `key`.
  unowned(unsafe) let valueKey: KeyColumns

  func matches(_ row: Row) -> Bool { key.joins(row, values, valueKey) }
}

/// A position in the order of what is read. The row need not exist and may lack columns.
struct Bound {
  let row: Row
  /// Whether a row equal to `row` is still read.
  let isInclusive: Bool
}

/// What is read from an operator: everything, unless narrowed.
struct Request {
  /// The constraint of a join or a partition.
  var constraint: Constraint?
  /// Further constraints, of joins that run from their child side.
  var extras: ContiguousArray<Constraint> = []
  /// Where reading starts, in the order that `isReversed` makes.
  var start: Bound?
  var isReversed = false
}
