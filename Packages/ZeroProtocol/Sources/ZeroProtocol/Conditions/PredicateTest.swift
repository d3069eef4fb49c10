/// One node of a compiled condition. Immutable; `holds` is what the node decides.
class PredicateTest: @unchecked Sendable {
  // Sendable in place of a lock: nodes have only `let` properties, set when they are compiled.

  func holds(for columns: PackedColumns) throws(PredicateError) -> Bool { true }
}

/// Decided beforehand.
final class ConstantTest: PredicateTest, @unchecked Sendable {
  private let value: Bool

  init(_ value: Bool) { self.value = value }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool { value }
}

final class AllTest: PredicateTest, @unchecked Sendable {
  private let members: [PredicateTest]

  init(_ members: [PredicateTest]) { self.members = members }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    for member in members where try !member.holds(for: columns) { return false }
    return true
  }
}

final class AnyTest: PredicateTest, @unchecked Sendable {
  private let members: [PredicateTest]

  init(_ members: [PredicateTest]) { self.members = members }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    for member in members where try member.holds(for: columns) { return true }
    return false
  }
}

/// Whether a column is held with a given tag, as for null, absent, true and false.
final class TagTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let tag: Row.Tag
  private let isNegated: Bool
  /// Whether null and absent are always false, also negated.
  private let skipsNull: Bool

  init(_ column: Int, _ tag: Row.Tag, isNegated: Bool, skipsNull: Bool) {
    self.column = column
    self.tag = tag
    self.isNegated = isNegated
    self.skipsNull = skipsNull
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let found = columns.tag(column)
    if skipsNull, found.isNull { return false }
    return (found == tag) != isNegated
  }
}

/// Whether a column equals a number.
final class NumberTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let number: Double
  private let isNegated: Bool
  private let skipsNull: Bool

  init(_ column: Int, _ number: Double, isNegated: Bool, skipsNull: Bool) {
    self.column = column
    self.number = number
    self.isNegated = isNegated
    self.skipsNull = skipsNull
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag.isNumber { return (columns.number(column, tag) == number) != isNegated }
    return isNegated && !(skipsNull && tag.isNull)
  }
}

/// Whether a column equals a text.
final class TextTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let text: [UInt8]
  private let isNegated: Bool
  private let skipsNull: Bool

  init(_ column: Int, _ text: String, isNegated: Bool, skipsNull: Bool) {
    self.column = column
    self.text = Array(text.utf8)
    self.isNegated = isNegated
    self.skipsNull = skipsNull
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag == .string { return (text.order(with: columns.bytes(column)) == 0) != isNegated }
    return isNegated && !(skipsNull && tag.isNull)
  }
}

/// Whether a column that is not null lies on the wanted side of a literal.
final class OrderTest: PredicateTest, @unchecked Sendable {
  enum Literal {
    case bool(Bool)
    case number(Double)
    case text([UInt8])
    /// Has no order with anything.
    case json
  }

  private let column: Int
  private let literal: Literal
  private let wanted: WantedOrder

  init(_ column: Int, _ literal: Literal, _ wanted: WantedOrder) {
    self.column = column
    self.literal = literal
    self.wanted = wanted
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag.isNull { return false }
    switch literal {
    case .number(let number) where tag.isNumber:
      return wanted.accepts(columns.number(column, tag), number)
    case .text(let text) where tag == .string:
      return wanted.accepts(-text.order(with: columns.bytes(column)))
    case .bool(let bool) where tag == .true || tag == .false:
      return wanted.accepts((tag == .true ? 1 : 0) - (bool ? 1 : 0))
    default:
      throw .noOrder(tag.typeName, literal.typeName)
    }
  }
}

/// Whether a column that is not null is one of a list.
final class MembershipTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let members: PredicateList
  private let isNegated: Bool

  init(_ column: Int, _ members: PredicateList, isNegated: Bool) {
    self.column = column
    self.members = members
    self.isNegated = isNegated
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    let isMember: Bool
    switch tag {
    case .absent, .null: return false
    case .true: isMember = members.hasTrue
    case .false: isMember = members.hasFalse
    case .integer, .double: isMember = members.contains(columns.number(column, tag))
    case .string: isMember = members.contains(columns.bytes(column))
    case .json: isMember = false
    }
    return isMember != isNegated
  }
}

/// Whether a column that is not null matches a pattern.
final class PatternTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let pattern: LikePattern
  private let isNegated: Bool

  init(_ column: Int, _ pattern: LikePattern, isNegated: Bool) {
    self.column = column
    self.pattern = pattern
    self.isNegated = isNegated
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag.isNull { return false }
    guard tag == .string else { throw .noText(tag.typeName) }
    return pattern.matches(utf8: columns.bytes(column)) != isNegated
  }
}
