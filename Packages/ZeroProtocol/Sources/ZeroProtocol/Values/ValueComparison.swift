/// Two values that have no order, because their types differ or they are arrays or objects.
///
/// That is an error of the program, not of its data: a query orders by, joins on or starts at a
/// column that holds values of several types, or JSON.
public struct ValueComparisonError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The type of one of the two values.
  public enum Kind: UInt8, Sendable { case null, bool, number, string, json }

  /// Type of the left value.
  public let left: Kind
  /// Type of the right value.
  public let right: Kind

  public init(_ left: Kind, _ right: Kind) {
    self.left = left
    self.right = right
  }

  public var description: String {
    left == right
      ? "two values of type \(left) have no order; order by another column"
      : "a \(left) and a \(right) have no order; a column must hold values of one type"
  }
}

extension Row.Tag {
  /// The type of value that the tag stands for.
  var kind: ValueComparisonError.Kind {
    switch self {
    case .absent, .null: .null
    case .false, .true: .bool
    case .integer, .double: .number
    case .string: .string
    case .json: .json
    }
  }
}

extension Row {
  /// The order of two columns as the engine sorts rows: -1, 0 or 1.
  ///
  /// Absent counts as null, and null comes first; false is before true; numbers are in numeric
  /// order and strings in that of their UTF-8 bytes. An array or object equals only itself, in the
  /// same column of the very same row.
  /// - Throws: ``ValueComparisonError`` for values of different types and for different JSON values.
  /// - Complexity: O(length of the shorter text); nothing is allocated.
  public static func compare(
    _ a: Row, _ i: Int, _ b: Row, _ j: Int
  ) throws(ValueComparisonError) -> Int {
    let x = a.storage
    let y = b.storage
    let tag = x.tag(i)
    let other = y.tag(j)
    switch (tag, other) {
    case (.string, .string): return TextOrder.bytes(x.bytes(i), y.bytes(j))
    case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double):
      return compareNumbers(x.number(i, tag), y.number(j, other))
    case (.absent, .absent), (.absent, .null), (.null, .absent), (.null, .null): return 0
    case (.absent, _), (.null, _): return -1
    case (_, .absent), (_, .null): return 1
    case (.false, .false), (.true, .true): return 0
    case (.false, .true): return -1
    case (.true, .false): return 1
    case (.json, .json) where x === y && i == j: return 0
    default: throw ValueComparisonError(tag.kind, other.kind)
    }
  }

  /// The order of column `i` against a value, as between two rows.
  public func compare(_ i: Int, to value: Value) throws(ValueComparisonError) -> Int {
    let tag = storage.tag(i)
    switch (tag, value) {
    case (.string, .string(var text)):
      return text.withUTF8 { TextOrder.bytes(storage.bytes(i), UnsafeRawBufferPointer($0)) }
    case (.integer, .number(let number)), (.double, .number(let number)):
      return compareNumbers(storage.number(i, tag), number)
    case (.absent, .absent), (.absent, .null), (.null, .absent), (.null, .null): return 0
    case (.absent, _), (.null, _): return -1
    case (_, .absent), (_, .null): return 1
    case (.false, .bool(let bool)): return bool ? -1 : 0
    case (.true, .bool(let bool)): return bool ? 0 : 1
    default: throw ValueComparisonError(tag.kind, value.kind)
    }
  }

  /// Whether two columns are equal in the sense of joins and constraints: null and absent equal
  /// nothing, not even themselves, and an array or object only itself.
  public static func joinEqual(_ a: Row, _ i: Int, _ b: Row, _ j: Int) -> Bool {
    let x = a.storage
    let y = b.storage
    let tag = x.tag(i)
    let other = y.tag(j)
    switch (tag, other) {
    case (.string, .string): return equalBytes(x.bytes(i), y.bytes(j))
    case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double):
      return x.number(i, tag) == y.number(j, other)
    case (.false, .false), (.true, .true): return true
    case (.json, .json): return x === y && i == j
    default: return false
    }
  }

  /// Whether column `i` equals a value in the sense of joins and constraints.
  public func joinEqual(_ i: Int, to value: Value) -> Bool {
    let tag = storage.tag(i)
    switch (tag, value) {
    case (.string, .string(var text)):
      return text.withUTF8 { equalBytes(storage.bytes(i), UnsafeRawBufferPointer($0)) }
    case (.integer, .number(let number)), (.double, .number(let number)):
      return storage.number(i, tag) == number
    case (.false, .bool(let bool)): return !bool
    case (.true, .bool(let bool)): return bool
    default: return false
    }
  }

  /// Whether column `i` of two rows of one layout has the same content, null equal to null and
  /// absent only to absent. JSON values are the same if their texts are.
  /// - Complexity: O(size of the value)
  public static func isSame(_ a: Row, _ b: Row, _ i: Int) -> Bool {
    let x = a.storage
    let y = b.storage
    let tag = x.tag(i)
    let other = y.tag(i)
    if tag == other, equalBytes(x.bytes(i), y.bytes(i)) { return true }
    guard tag.kind == .number, other.kind == .number else { return false }
    return x.number(i, tag) == y.number(i, other)
  }
}

extension Value {
  /// The order of two values as the engine sorts rows: -1, 0 or 1. See ``Row/compare(_:_:_:_:)``.
  /// - Throws: ``ValueComparisonError`` for values of different types and for JSON values.
  public static func compare(_ a: Value, _ b: Value) throws(ValueComparisonError) -> Int {
    switch (a, b) {
    case (.string(let x), .string(let y)): return TextOrder.utf8(x, y)
    case (.number(let x), .number(let y)): return compareNumbers(x, y)
    case (.absent, .absent), (.absent, .null), (.null, .absent), (.null, .null): return 0
    case (.absent, _), (.null, _): return -1
    case (_, .absent), (_, .null): return 1
    case (.bool(let x), .bool(let y)): return x == y ? 0 : x ? 1 : -1
    default: throw ValueComparisonError(a.kind, b.kind)
    }
  }

  /// Whether two values are equal in the sense of joins and constraints: null, absent, arrays and
  /// objects equal nothing.
  public static func joinEqual(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.number(let x), .number(let y)): x == y
    case (.bool(let x), .bool(let y)): x == y
    default: false
    }
  }

  var kind: ValueComparisonError.Kind {
    switch self {
    case .absent, .null: .null
    case .bool: .bool
    case .number: .number
    case .string: .string
    case .json: .json
    }
  }
}

/// Numeric order. Values that are not numbers, which no valid row has, equal everything.
@inline(__always)
private func compareNumbers(_ a: Double, _ b: Double) -> Int { a < b ? -1 : a > b ? 1 : 0 }
