import Testing
import ZeroProtocol

@Suite("Normal form of queries")
struct NormalizationTests {
  /// A condition in short: letters are comparisons, `E` and a letter an exists with that alias,
  /// `+` and, `|` or, over parentheses.
  private struct Short: CustomStringConvertible {
    let description: String

    init(_ condition: Condition?) {
      switch condition {
      case nil: description = "none"
      case .simple(let condition)?:
        if case .column(let name) = condition.left.kind {
          description = name
        } else {
          description = "?"
        }
      case .correlatedSubquery(let condition)?:
        description = "E" + (condition.related.subquery.alias ?? "?")
      case .and(let members)?:
        description = "(" + members.map { Short($0).description }.joined(separator: "+") + ")"
      case .or(let members)?:
        description = "(" + members.map { Short($0).description }.joined(separator: "|") + ")"
      }
    }
  }

  private static func column(_ name: String) -> Condition {
    .simple(column: name, .equal, .number(1))
  }

  private static func exists(_ alias: String) -> Condition {
    .correlatedSubquery(
      CorrelatedSubqueryCondition(
        related: CorrelatedSubquery(
          correlation: Correlation(parentField: ["id"], childField: ["id"]),
          subquery: AST(table: "t", alias: alias))))
  }

  private static let (a, b, c, d) = (column("a"), column("b"), column("c"), column("d"))
  private static let (p, q) = (column("p"), column("q"))
  private static let (w, x, y, z) = (column("w"), column("x"), column("y"), column("z"))

  private static let shapes: [(Condition, String)] = [
    (.and([b, .and([a, c])]), "(a+b+c)"),
    (.and([z, .and([y, .and([x, w])])]), "(y+z+(w+x))"),
    (.and([z, .or([.and([b, a])])]), "(z+(a+b))"),
    (.and([a, .or([])]), "a"),
    (.or([]), "none"),
    (.and([exists("b"), .or([q, p]), a, exists("a")]), "(a+Ea+(p|q)+Eb)"),
    (.and([.or([q, p]), exists("b")]), "(Eb+(p|q))"),
    (.and([exists("b"), .or([q, p])]), "((p|q)+Eb)"),
    (.or([.and([q, p]), exists("b"), .and([d, c])]), "((c+d)|Eb|(p+q))"),
  ]

  @Test("groups are flattened by one level and sorted as V8 sorts", arguments: shapes.indices)
  func shape(_ place: Int) throws {
    let (condition, expected) = Self.shapes[place]
    let normal = try AST(table: "t", where: condition).normalized()
    #expect(Short(normal.where).description == expected)
  }

  @Test("known queries have the hashes of the JavaScript client")
  func hashes() throws {
    #expect(try AST(table: "issue").hash() == "2uh1iy5olazzo")
    #expect(
      try AST(table: "issue", where: .simple(column: "status", .equal, .string("open"))).hash()
        == "1q0kvw3396dkp")
    #expect(
      try AST(table: "issue", where: .simple(column: "assignee", .is, .null)).hash()
        == "13khusrhguvcw")
    #expect(
      try AST(table: "issue", where: .simple(column: "assignee", .equal, .null)).hash()
        == "3rtmod45q04t4")
  }

  @Test("names that only look alike are ordered by their bytes")
  func bytes() throws {
    let composed = Self.column("\u{e9}")
    let decomposed = Self.column("e\u{301}")
    let normal = try AST(table: "t", where: .and([composed, decomposed])).normalized()
    #expect(normal.where == .and([decomposed, composed]))
    guard case .and(let members)? = normal.where else { return }
    #expect(members.first == decomposed)
  }

  @Test("an unbound parameter is an error only where it has to be ordered")
  func parameters() throws {
    let parameter = ValuePosition.parameter(StaticParameter(anchor: .authData, field: "sub"))
    let one = Condition.simple(SimpleCondition(left: .column("a"), .equal, right: parameter))
    #expect(throws: Never.self) { try AST(table: "t", where: one).normalized() }
    let error = #expect(throws: ASTError.self) {
      try AST(table: "t", where: .and([one, one])).normalized()
    }
    #expect(error?.code == .unboundParameter)
  }
}
