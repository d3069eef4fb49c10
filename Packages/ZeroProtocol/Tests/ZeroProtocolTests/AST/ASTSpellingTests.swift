import Testing
import ZeroProtocol

@Suite("Spelling of queries")
struct ASTSpellingTests {
  private func query(_ text: String) throws -> AST {
    try AST(json: JSONValue(parsing: Array(text.utf8)), unknownMembers: .kept)
  }

  private func text(_ query: AST) -> String { String(decoding: query.jsonText, as: UTF8.self) }

  @Test(
    "a query prints as it was received",
    arguments: [
      #"{"table":"t"}"#,
      #"{"limit":3,"table":"t","alias":"a","schema":"s"}"#,
      #"{"table":"t","where":{"op":"=","left":{"name":"a","type":"column"},"type":"simple","right":{"value":[1,"b",true],"type":"literal"}}}"#,
      #"{"table":"t","where":{"type":"simple","left":{"type":"static","field":["a"],"anchor":"authData"},"right":{"type":"static","anchor":"preMutationRow","field":"a"},"op":"IS"}}"#,
      #"{"table":"t","where":{"op":"NOT EXISTS","scalar":false,"type":"correlatedSubquery","related":{"subquery":{"table":"u","alias":"a"},"correlation":{"parentField":["x"],"childField":["y"]}},"flip":true}}"#,
      #"{"table":"t","start":{"exclusive":false,"row":{"b":null,"a":[1]}},"orderBy":[["b","desc"]]}"#,
      #"{"table":"t","later":{"b":1},"where":{"type":"simple","left":{"type":"column","name":"a","later":1},"note":[],"right":{"type":"literal","value":null},"op":"="}}"#,
    ])
  func roundTrip(_ received: String) throws {
    #expect(try text(query(received)) == received)
  }

  @Test("negation moves the operator to the front and drops what it does not know")
  func negation() throws {
    let condition = Condition.simple(column: "a", .less, .number(1))
    let negated =
      #"{"type":"simple","op":">=","left":{"type":"column","name":"a"},"right":{"type":"literal","value":1}}"#
    #expect(String(decoding: condition.negated.jsonText, as: UTF8.self) == negated)
    let twice =
      #"{"type":"simple","op":"<","left":{"type":"column","name":"a"},"right":{"type":"literal","value":1}}"#
    #expect(String(decoding: condition.negated.negated.jsonText, as: UTF8.self) == twice)
  }

  @Test("queries are equal whatever the order of their members")
  func equality() throws {
    #expect(try query(#"{"table":"t","limit":1}"#) == query(#"{"limit":1,"table":"t"}"#))
    #expect(try query(#"{"table":"t","limit":1}"#) != query(#"{"table":"t","limit":2}"#))
  }

  @Test("an absent literal prints no value")
  func absent() {
    let condition = Condition.simple(column: "a", .is, .absent)
    #expect(
      String(decoding: condition.jsonText, as: UTF8.self)
        == #"{"type":"simple","left":{"type":"column","name":"a"},"right":{"type":"literal"},"op":"IS"}"#
    )
  }

  @Test("an error names the place, from where the query stands")
  func path() throws {
    let json = try JSONValue(
      parsing: Array(
        #"{"table":"t","related":[{"correlation":{"parentField":["a"],"childField":[]}}]}"#.utf8))
    let error = #expect(throws: JSONError.self) { try AST(json: json, at: ["queries", 2]) }
    #expect(error?.code == .invalidLength)
    #expect(error?.path == ["queries", 2, "related", 0, "correlation", "childField"])
  }

  @Test("groups inside each other beyond the limit are refused, not followed")
  func depth() throws {
    var condition = JSONValue.object(["type": .string("and"), "conditions": .array([])])
    for _ in 0..<400 {
      condition = .object(["type": .string("or"), "conditions": .array([condition])])
    }
    let json = JSONValue.object(["table": .string("t"), "where": condition])
    let error = #expect(throws: JSONError.self) { try AST(json: json) }
    #expect(error?.code == .tooDeep)
  }

  @Test(
    "a limit becomes a count of rows",
    arguments: [
      (3, 3), (0, 0), (-1, 0), (1.5, 2), (.nan, 0), (.infinity, Int(Int32.max)),
    ] as [(Double, Int)])
  func rowLimit(_ limit: Double, _ count: Int) {
    #expect(AST(table: "t", limit: limit).rowLimit == count)
    #expect(AST(table: "t").rowLimit == nil)
  }
}
