import Testing
import ZeroProtocol

@Suite("Conditions on rows")
struct RowPredicateTests {
  private let layout = RowLayout(
    table: "t",
    columns: [
      .init("id", .string), .init("n", .number, optional: true),
      .init("text", .string, optional: true), .init("flag", .boolean, optional: true),
      .init("doc", .json, optional: true),
    ],
    primaryKey: ["id"])

  private func row(_ values: Value...) -> Row {
    var builder = RowBuilder()
    builder.begin(layout)
    for (place, value) in values.enumerated() { builder.set(place, value) }
    return builder.finish()
  }

  private func matches(_ condition: Condition, _ row: Row) throws -> Bool {
    try RowPredicate(condition, layout).matches(row)
  }

  @Test("every column is found at its place, also behind long text")
  func places() throws {
    for count in [0, 1, 255, 65_535, 65_536, 200_000] {
      let text = String(repeating: "x", count: count)
      let row = row(.string("k"), .number(1.5), .string(text), .bool(true), .number(7))
      let condition = Condition.and([
        .simple(column: "id", .equal, .string("k")), .simple(column: "n", .greater, .number(1)),
        .simple(column: "text", .equal, .string(text)), .simple(column: "flag", .is, .bool(true)),
        .simple(column: "doc", .in, .json(.array([.number(6), .number(7)]))),
      ])
      #expect(try matches(condition, row), "\(count) bytes of text")
    }
  }

  @Test("a column that the table lacks is absent")
  func missingColumn() throws {
    let row = row(.string("k"))
    #expect(try !matches(.simple(column: "nope", .is, .null), row))
    #expect(try matches(.simple(column: "nope", .isNot, .null), row))
    #expect(try !matches(.simple(column: "nope", .notEqual, .number(1)), row))
  }

  @Test("text equals by bytes and orders by bytes")
  func text() throws {
    let row = row(.string("e\u{301}"))
    #expect(try !matches(.simple(column: "id", .equal, .string("\u{e9}")), row))
    #expect(try matches(.simple(column: "id", .less, .string("\u{e9}")), row))
    #expect(try !matches(.simple(column: "id", .in, .json(.array([.string("\u{e9}")]))), row))
  }

  @Test("minus zero equals zero, and not a number equals nothing")
  func numbers() throws {
    let row = row(.string("k"), .number(-0.0))
    #expect(try matches(.simple(column: "n", .equal, .number(0)), row))
    #expect(try matches(.simple(column: "n", .in, .json(.array([.number(0)]))), row))
    #expect(try !matches(.simple(column: "n", .equal, .number(.nan)), row))
    #expect(try matches(.simple(column: "n", .notEqual, .number(.nan)), row))
    #expect(try !matches(.simple(column: "n", .lessOrEqual, .number(.nan)), row))
  }

  @Test("an error behind a member that settles the result does not show")
  func shortCircuit() throws {
    let row = row(.string("k"), .string("no number"))
    let wrong = Condition.simple(column: "n", .less, .number(1))
    #expect(throws: PredicateError.self) { try matches(wrong, row) }
    #expect(try matches(.or([.true, wrong]), row))
    #expect(try !matches(.and([.false, wrong]), row))
    let error = #expect(throws: PredicateError.self) { try matches(.and([.true, wrong]), row) }
    #expect(error?.code == .typeMismatch)
  }

  @Test("long lists are searched, whatever their order")
  func lists() throws {
    let numbers = (0..<1000).map { JSONValue.number(Double($0 * 7919 % 1000) * 2) }
    let texts = (0..<1000).map { JSONValue.string("t\($0 * 7919 % 1000)") }
    let list = Value.json(.array(numbers + texts + [.bool(true)]))
    let member = try RowPredicate(.simple(column: "n", .in, list), layout)
    #expect(try member.matches(row(.string("k"), .number(1998))))
    #expect(try !member.matches(row(.string("k"), .number(1999))))
    #expect(try member.matches(row(.string("k"), .string("t999"))))
    #expect(try !member.matches(row(.string("k"), .string("t1000"))))
    #expect(try member.matches(row(.string("k"), .bool(true))))
    #expect(try !member.matches(row(.string("k"), .bool(false))))
    #expect(try !member.matches(row(.string("k"), .null)))
  }

  @Test("a condition with a subquery is refused with the table it asks for")
  func subquery() {
    let exists = Condition.correlatedSubquery(
      CorrelatedSubqueryCondition(
        related: CorrelatedSubquery(
          correlation: Correlation(parentField: ["id"], childField: ["id"]),
          subquery: AST(table: "other"))))
    let error = #expect(throws: PredicateError.self) { try RowPredicate(exists, layout) }
    #expect(error?.code == .subquery)
    #expect(error?.message.contains("other") == true)
  }
}
