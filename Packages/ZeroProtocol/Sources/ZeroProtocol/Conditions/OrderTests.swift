// One class for each type of literal, so that deciding a row does not look at the literal's type.

/// Whether a column that is not null lies on the wanted side of a number.
final class NumberOrderTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let number: Double
  private let wanted: WantedOrder

  init(_ column: Int, _ number: Double, _ wanted: WantedOrder) {
    self.column = column
    self.number = number
    self.wanted = wanted
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag.isNumber { return wanted.accepts(columns.number(column, tag), number) }
    if tag.isNull { return false }
    throw .noOrder(tag.typeName, "number")
  }
}

/// Whether a column that is not null lies on the wanted side of a text.
final class TextOrderTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let text: FixedBytes
  private let wanted: WantedOrder

  init(_ column: Int, _ text: String, _ wanted: WantedOrder) {
    self.column = column
    self.text = FixedBytes(text.utf8)
    self.wanted = wanted
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag.isText { return wanted.accepts(TextOrder.bytes(columns.bytes(column), text.bytes)) }
    if tag.isNull { return false }
    throw .noOrder(tag.typeName, "string")
  }
}

/// Whether a column that is not null lies on the wanted side of a boolean.
final class BoolOrderTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let bool: Bool
  private let wanted: WantedOrder

  init(_ column: Int, _ bool: Bool, _ wanted: WantedOrder) {
    self.column = column
    self.bool = bool
    self.wanted = wanted
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag.isBool { return wanted.accepts((tag == .true ? 1 : 0) - (bool ? 1 : 0)) }
    if tag.isNull { return false }
    throw .noOrder(tag.typeName, "boolean")
  }
}

/// A JSON value, with which nothing has an order.
final class NoOrderTest: PredicateTest, @unchecked Sendable {
  private let column: Int

  init(_ column: Int) { self.column = column }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag.isNull { return false }
    throw .noOrder(tag.typeName, "JSON value")
  }
}
