import Testing
@_spi(Engine) import ZeroProtocol

/// The deepest values that the limits let through, on as little stack as the threads of a
/// concurrency pool have on Apple platforms, whether the code is optimized or not.
@Suite struct StackDepthTests {
  private static func nested(_ open: String, _ inner: String, _ close: String, _ count: Int)
    -> String
  {
    String(repeating: open, count: count) + inner + String(repeating: close, count: count)
  }

  /// Reads, changes, prints and frees a query, which must be of the greatest depth allowed.
  private static func use(query: @escaping @Sendable (_ levels: Int) -> String, deepest: Int) {
    onSmallStack {
      do {
        let ast = try AST(json: JSONValue(parsing: query(deepest)))
        #expect(try ast.normalized() == ast.normalized())
        #expect(try ast.hash() == ast.hash())
        #expect(ast.jsonText == ast.jsonValue.jsonText)
      } catch {
        Issue.record(error)
      }
      #expect(throws: JSONError.self) {
        try AST(
          json: JSONValue(parsing: query(deepest + 1), limits: .init(depth: 5000, byteCount: .max)))
      }
    }
  }

  @Test(
    "JSON of the greatest depth is read, skipped, printed, compared and freed",
    arguments: [("[", "]", 512), ("{\"a\":", "}", 512), ("[{\"a\":", "}]", 256)])
  func json(open: String, close: String, count: Int) {
    onSmallStack {
      let text = Self.nested(open, "0", close, count)
      do {
        let value = try JSONValue(parsing: text)
        #expect(value.jsonString == text)
        #expect(value == (try JSONValue(parsing: text)))
        #expect(!value.javaScriptText.isEmpty)
        #expect(try JSONValueDecoder().decode(JSONValue.self, from: value) == value)
        try Array(text.utf8).withUnsafeBytes { bytes in
          var reader = try JSONReader(bytes)
          #expect(try reader.skipValue().count == bytes.count)
        }
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test("what is nested deeply is as it is elsewhere, whatever stands beside it")
  func siblings() throws {
    func text(_ inner: String) -> String {
      Self.nested(#"[1,{"k":"#, inner, #","z":[],"10":{}},"s"]"#, 250)
    }
    // Array indexes come first, in any object.
    func printed(_ inner: String) -> String {
      Self.nested(#"[1,{"10":{},"k":"#, inner, #","z":[]},"s"]"#, 250)
    }
    let value = try JSONValue(parsing: text("true"))
    #expect(value.jsonString == printed("true"))
    #expect(value == (try JSONValue(parsing: printed("true"))))
    #expect(value != (try JSONValue(parsing: text("false"))))
    #expect(value != (try JSONValue(parsing: text("{}"))))
    let bytes = Array((text("[]") + ",").utf8)
    try bytes.withUnsafeBytes { bytes in
      var reader = try JSONReader(bytes)
      #expect(try reader.skipValue().count == bytes.count - 1)
    }
    for inner in ["", "1,", "nul", "[1 2]", "{\"a\" 1}", "{\"a\":1,}", "]"] {
      let text = Array(text(inner).utf8)
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
      #expect(error?.path.elements.count ?? 0 >= 499)
      #expect(throws: JSONError.self) {
        try text.withUnsafeBytes { bytes in
          var reader = try JSONReader(bytes)
          try reader.skipValue()
        }
      }
    }
    let lists = try JSONValue(parsing: Self.nested("[null,[", "1,[],[2,{}]", "],3]", 100))
    let commas = String(repeating: ",", count: 100)
    let threes = String(repeating: ",3", count: 100)
    #expect(lists.javaScriptText == commas + "1,,2,[object Object]" + threes)
  }

  @Test("a query with groups of the greatest depth is read, normalized, printed and freed")
  func groups() {
    let comparison =
      #"{"type":"simple","op":"=","left":{"type":"column","name":"a"},"#
      + #""right":{"type":"literal","value":1}}"#
    Self.use(
      query: { levels in
        let condition = Self.nested(
          #"{"type":"and","conditions":["#, comparison, "]}", levels - 1)
        return #"{"table":"t","where":\#(condition)}"#
      }, deepest: 100)
  }

  @Test("a query with subqueries of the greatest depth is read, normalized, printed and freed")
  func subqueries() {
    Self.use(
      query: { levels in
        Self.nested(
          #"{"table":"t","alias":"a","where":{"type":"correlatedSubquery","op":"EXISTS","#
            + #""related":{"correlation":{"parentField":["a"],"childField":["a"]},"subquery":"#,
          #"{"table":"t","alias":"a"}"#, "}}}", (levels + 1) / 2)
      }, deepest: 100)
  }
}
