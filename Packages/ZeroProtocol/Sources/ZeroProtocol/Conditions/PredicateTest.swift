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

/// Both of two. Groups are trees of these, so that no list has to be walked.
final class BothTest: PredicateTest, @unchecked Sendable {
  private let first: PredicateTest
  private let second: PredicateTest

  init(_ first: PredicateTest, _ second: PredicateTest) {
    self.first = first
    self.second = second
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    guard try first.holds(for: columns) else { return false }
    return try second.holds(for: columns)
  }
}

/// One of two at least.
final class EitherTest: PredicateTest, @unchecked Sendable {
  private let first: PredicateTest
  private let second: PredicateTest

  init(_ first: PredicateTest, _ second: PredicateTest) {
    self.first = first
    self.second = second
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    if try first.holds(for: columns) { return true }
    return try second.holds(for: columns)
  }
}

/// Whether a column is held with a given tag, as for null, absent, true and false.
final class TagTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let tag: PackedTag
  private let isNegated: Bool
  /// Whether null and absent are always false, also negated.
  private let skipsNull: Bool

  init(_ column: Int, _ tag: PackedTag, isNegated: Bool, skipsNull: Bool) {
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
  private let text: FixedBytes
  private let isNegated: Bool
  private let skipsNull: Bool

  init(_ column: Int, _ text: String, isNegated: Bool, skipsNull: Bool) {
    self.column = column
    self.text = FixedBytes(text.utf8)
    self.isNegated = isNegated
    self.skipsNull = skipsNull
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    let tag = columns.tag(column)
    if tag.isText { return equalBytes(text.bytes, columns.bytes(column)) != isNegated }
    return isNegated && !(skipsNull && tag.isNull)
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
    if tag.isNull { return false }
    let isMember =
      if tag.isText {
        members.contains(columns.bytes(column))
      } else if tag.isNumber {
        members.contains(columns.number(column, tag))
      } else {
        tag == .true && members.hasTrue || tag == .false && members.hasFalse
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
    guard tag.isText else { throw .noText(tag.typeName) }
    return pattern.matches(utf8: columns.bytes(column)) != isNegated
  }
}
