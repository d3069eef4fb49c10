extension PredicateTest {
  static func compile(
    _ condition: Condition, _ layout: RowLayout
  ) throws(PredicateError) -> PredicateTest {
    switch condition {
    case .and(let members):
      let tests = try members.map { (member) throws(PredicateError) in
        try compile(member, layout)
      }
      return join(tests[...], empty: true) { BothTest($0, $1) }
    case .or(let members):
      let tests = try members.map { (member) throws(PredicateError) in
        try compile(member, layout)
      }
      return join(tests[...], empty: false) { EitherTest($0, $1) }
    case .correlatedSubquery(let condition):
      throw PredicateError(
        .subquery,
        "an exists on table \"\(condition.related.subquery.table)\" cannot be decided from a row "
          + "alone; take the row part of the condition")
    case .simple(let condition): return try compile(condition, layout)
    }
  }

  // MARK: -

  /// Joins tests in their order to a tree of least depth.
  private static func join(
    _ tests: ArraySlice<PredicateTest>, empty: Bool,
    _ join: (PredicateTest, PredicateTest) -> PredicateTest
  ) -> PredicateTest {
    guard let first = tests.first else { return ConstantTest(empty) }
    guard tests.count > 1 else { return first }
    let middle = tests.startIndex + tests.count / 2
    return join(
      self.join(tests[..<middle], empty: empty, join),
      self.join(tests[middle...], empty: empty, join))
  }

  private static func compile(
    _ condition: SimpleCondition, _ layout: RowLayout
  ) throws(PredicateError) -> PredicateTest {
    let right: Value
    switch condition.right.kind {
    case .literal(let value): right = value
    case .parameter(let parameter): throw .unbound(parameter)
    case .column(let name):
      throw PredicateError(
        .unboundParameter, "the right side of a comparison is column \"\(name)\"; give a value")
    }
    let comparison = try Comparison(condition.op, right)
    switch condition.left.kind {
    case .parameter(let parameter): throw .unbound(parameter)
    case .literal(let value): return ConstantTest(try comparison.decide(value))
    case .column(let name):
      guard let column = layout.index(of: name) else {
        return ConstantTest(try comparison.decide(.absent))
      }
      return comparison.test(column)
    }
  }
}

/// An operator with its right operand, checked.
private enum Comparison {
  case never
  case identity(Value, isNegated: Bool)
  case equality(Value, isNegated: Bool)
  case order(Value, WantedOrder)
  case membership(PredicateList, isNegated: Bool)
  case pattern(LikePattern, isNegated: Bool)

  init(_ op: SimpleOperator, _ right: Value) throws(PredicateError) {
    if op == .is || op == .isNot {
      self = .identity(right, isNegated: op == .isNot)
      return
    }
    if right == .null || right == .absent {
      self = .never
      return
    }
    switch op {
    case .equal, .is: self = .equality(right, isNegated: false)
    case .notEqual, .isNot: self = .equality(right, isNegated: true)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let wanted = WantedOrder(op) else {
        self = .never
        return
      }
      self = .order(right, wanted)
    case .in, .notIn:
      guard case .json(.array(let elements)) = right else {
        throw PredicateError(
          .listRequired, "\(op.rawValue) takes a list, got \(right.typeName); give a list")
      }
      self = .membership(PredicateList(elements), isNegated: op == .notIn)
    case .like, .notLike, .ilike, .notILike:
      let ignoresCase = op == .ilike || op == .notILike
      do {
        let pattern = try LikePattern(right.javaScriptText, ignoringCase: ignoresCase)
        self = .pattern(pattern, isNegated: op == .notLike || op == .notILike)
      } catch {
        throw PredicateError(
          .invalidPattern,
          "the pattern \"\(excerpt(right.javaScriptText))\" ends with an escape; add what it escapes"
        )
      }
    }
  }

  /// The comparison with a column on the left.
  func test(_ column: Int) -> PredicateTest {
    switch self {
    case .never: ConstantTest(false)
    case .identity(let value, let isNegated):
      Self.test(column, value, isNegated: isNegated, skipsNull: false)
    case .equality(let value, let isNegated):
      Self.test(column, value, isNegated: isNegated, skipsNull: true)
    case .order(.number(let number), let wanted): NumberOrderTest(column, number, wanted)
    case .order(.string(let text), let wanted): TextOrderTest(column, text, wanted)
    case .order(.bool(let bool), let wanted): BoolOrderTest(column, bool, wanted)
    case .order: NoOrderTest(column)
    case .membership(let list, let isNegated):
      MembershipTest(column, list, isNegated: isNegated)
    case .pattern(let pattern, let isNegated): PatternTest(column, pattern, isNegated: isNegated)
    }
  }

  /// The comparison with a literal on the left.
  ///
  /// A row of one column is made of it, so that there is one definition of every operator.
  func decide(_ left: Value) throws(PredicateError) -> Bool {
    let layout = RowLayout(
      table: "literal", columns: [ColumnDescriptor("value", .json)], primaryKey: [])
    var builder = RowBuilder()
    builder.begin(layout)
    builder.set(0, left)
    let row = builder.finish()
    let isMatch = try test(0).holds(for: PackedColumns(base: row.storage.base, count: 1))
    withExtendedLifetime(row.storage) {}
    return isMatch
  }

  private static func test(
    _ column: Int, _ value: Value, isNegated: Bool, skipsNull: Bool
  ) -> PredicateTest {
    switch value {
    case .absent: TagTest(column, .absent, isNegated: isNegated, skipsNull: skipsNull)
    case .null: TagTest(column, .null, isNegated: isNegated, skipsNull: skipsNull)
    case .bool(let value):
      TagTest(
        column, value ? .true : .false, isNegated: isNegated, skipsNull: skipsNull)
    case .number(let value):
      NumberTest(column, value, isNegated: isNegated, skipsNull: skipsNull)
    case .string(let value): TextTest(column, value, isNegated: isNegated, skipsNull: skipsNull)
    case .json: NothingTest(column, isNegated: isNegated, skipsNull: skipsNull)
    }
  }
}

/// Equality with a JSON value, which no value in a row is identical to.
private final class NothingTest: PredicateTest, @unchecked Sendable {
  private let column: Int
  private let isNegated: Bool
  private let skipsNull: Bool

  init(_ column: Int, isNegated: Bool, skipsNull: Bool) {
    self.column = column
    self.isNegated = isNegated
    self.skipsNull = skipsNull
  }

  override func holds(for columns: PackedColumns) throws(PredicateError) -> Bool {
    isNegated && !(skipsNull && columns.tag(column).isNull)
  }
}

extension Value {
  fileprivate var typeName: String {
    switch self {
    case .absent, .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .json: "JSON value"
    }
  }
}

extension PredicateError {
  static func noOrder(_ a: String, _ b: String) -> PredicateError {
    PredicateError(
      .typeMismatch, "a \(a) and a \(b) have no order; compare values of one type")
  }

  static func noText(_ type: String) -> PredicateError {
    PredicateError(.textRequired, "a \(type) cannot match a pattern; use LIKE on text columns")
  }

  static func unbound(_ parameter: StaticParameter) -> PredicateError {
    let path = ([parameter.anchor.rawValue] + parameter.path).joined(separator: ".")
    return PredicateError(
      .unboundParameter, "the static parameter \(path) has no value; bind parameters first")
  }
}
