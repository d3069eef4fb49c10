import Testing
@_spi(Engine) import ZeroProtocol

@Suite struct PokeDecoderTests {
  static let schema = ZeroSchema(tables: [
    TableDescriptor(
      "issue", server: "issues",
      columns: [
        ColumnDescriptor("id", .string), ColumnDescriptor("title", server: "title_text", .string),
        ColumnDescriptor("rank", .number, optional: true),
        ColumnDescriptor("data", .json, optional: true),
      ], primaryKey: ["id"]),
    TableDescriptor(
      "pair", columns: [ColumnDescriptor("a", .number), ColumnDescriptor("b", .boolean)],
      primaryKey: ["a", "b"]),
  ])

  let decoder = PokeDecoder(schema)

  func parts(_ rowsPatch: String) throws -> [PokePatches] {
    try decoder.parts(inPayload: Array("[{\"pokeID\":\"p\",\"rowsPatch\":[\(rowsPatch)]}]".utf8))
  }

  func puts(_ rowsPatch: String) throws -> [Row] {
    try parts(rowsPatch).flatMap(\.rowsPatch).compactMap {
      if case .put(let row) = $0 { row } else { nil }
    }
  }

  func failure(_ rowsPatch: String) -> JSONError? {
    do {
      _ = try parts(rowsPatch)
      return nil
    } catch {
      return error as? JSONError
    }
  }

  @Test("rows are packed by column, whatever the order of members and unknown ones among them")
  func memberOrder() throws {
    let rows = try puts(
      """
      {"op":"put","tableName":"issues","value":{"id":"1","title_text":"a","rank":1,"data":null}},
      {"op":"put","tableName":"issues","value":{"id":"2","title_text":"b","rank":2.5,"data":[ 1 ]}},
      {"op":"put","tableName":"issues","value":{"rank":-3,"id":"3","more":{"x":[1]},"title_text":"c"}},
      {"op":"put","tableName":"issues","value":{"rank":-4,"id":"4","more":"\\"","title_text":"d"}},
      {"value":{"id":"5","title_text":"\\u00e9\\n"},"tableName":"issues","op":"put","more":1},
      {"op":"put","tableName":"pair","value":{"a":7,"b":true}},
      { "op" : "put" , "tableName" : "issues" , "value" : { "id" : "6" , "title_text" : "f" } }
      """)
    #expect(
      rows.map { $0.layout.table } == [
        "issue", "issue", "issue", "issue", "issue", "pair", "issue",
      ])
    #expect(
      rows.compactMap { $0["id"] } == ["1", "2", "3", "4", "5"].map { .string($0) } + [
        .absent, .string("6"),
      ])
    #expect(rows[0]["rank"] == .number(1))
    #expect(rows[0]["data"] == .null)
    #expect(rows[1]["rank"] == .number(2.5))
    #expect(rows[1]["data"] == .json(.array([.number(1)])))
    #expect(rows[2]["rank"] == .number(-3))
    #expect(rows[2]["title"] == .string("c"))
    #expect(rows[2]["data"] == .absent)
    #expect(rows[3]["title"] == .string("d"))
    #expect(rows[4]["title"] == .string("é\n"))
    #expect(rows[5]["b"] == .bool(true))
  }

  @Test("the last of equal columns counts, and of equal members of an entry")
  func repeatedMembers() throws {
    let rows = try puts(
      """
      {"op":"put","tableName":"issues","value":{"id":"1","title_text":"a","id":"2"}},
      {"op":"put","tableName":"issues","value":{"id":"3","title_text":"a"},"value":{"id":"4"}},
      {"op":"put","tableName":"issues","value":{"id":"5","title_text":"a"},"op":"put"},
      {"op":"del","op":"put","tableName":"pair","tableName":"issues","value":{"id":"6"}}
      """)
    #expect(rows.map { $0["id"] } == ["2", "4", "5", "6"].map { .string($0) })
    #expect(rows[1]["title"] == .absent)
  }

  @Test("updates and removals carry keys, merged columns and the columns to keep")
  func otherOperations() throws {
    let operations = try parts(
      """
      {"op":"update","tableName":"issues","id":{"id":"1"},"merge":{"rank":2,"x":1},"constrain":["id","rank","x"]},
      {"op":"update","tableName":"issues","id":{"id":"1"},"constrain":[]},
      {"op":"update","tableName":"issues","id":{"id":"1"},"merge":[]},
      {"op":"del","tableName":"pair","id":{"b":false,"a":1}},
      {"op":"clear"}
      """)[0].rowsPatch
    #expect(operations.count == 5)
    guard case .update(let first) = operations[0], case .update(let second) = operations[1],
      case .update(let third) = operations[2], case .del(let key) = operations[3],
      case .clear = operations[4]
    else {
      Issue.record("other operations: \(operations)")
      return
    }
    #expect(first.key["id"] == .string("1"))
    #expect(first.key["rank"] == .absent)
    #expect(first.merge?["rank"] == .number(2))
    #expect(first.merge?["id"] == .absent)
    #expect(first.constrain == [0, 2])
    #expect(second.merge == nil)
    #expect(second.constrain == nil)
    #expect(third.merge?["rank"] == .absent)
    #expect(key["a"] == .number(1))
    #expect(key["b"] == .bool(false))
  }

  @Test("entries of unknown tables are checked and left out, but count as rows")
  func unknownTables() throws {
    let part = try parts(
      """
      {"op":"put","tableName":"other","value":{"id":[1]}},
      {"op":"del","tableName":"other","id":{"x":"y"}}
      """)[0]
    #expect(part.rowsPatch.isEmpty)
    #expect(part.hasRows)
    #expect(failure(#"{"op":"del","tableName":"other","id":{"x":null}}"#)?.code == .wrongType)
    #expect(try parts("")[0].hasRows == false)
  }

  @Test(
    "a malformed entry is an error with its path",
    arguments: [
      ("1", .wrongType, [0, "rowsPatch", 0]),
      ("{}", .missingMember, [0, "rowsPatch", 0, "op"]),
      (#"{"op":"replace"}"#, .invalidValue, [0, "rowsPatch", 0, "op"]),
      (#"{"op":"put","value":{}}"#, .missingMember, [0, "rowsPatch", 0, "tableName"]),
      (#"{"op":"put","tableName":"issues"}"#, .missingMember, [0, "rowsPatch", 0, "value"]),
      (#"{"op":"put","tableName":"issues","value":3}"#, .wrongType, [0, "rowsPatch", 0, "value"]),
      (#"{"op":"put","tableName":1,"value":{}}"#, .wrongType, [0, "rowsPatch", 0, "tableName"]),
      (#"{"op":"del","tableName":"issues"}"#, .missingMember, [0, "rowsPatch", 0, "id"]),
      (
        #"{"op":"del","tableName":"issues","id":{"id":{}}}"#, .wrongType,
        [0, "rowsPatch", 0, "id", "id"]
      ),
      (
        #"{"op":"update","tableName":"issues","id":{"id":1},"merge":"x"}"#, .wrongType,
        [0, "rowsPatch", 0, "merge"]
      ),
      (
        #"{"op":"update","tableName":"issues","id":{"id":1},"constrain":[1]}"#, .wrongType,
        [0, "rowsPatch", 0, "constrain", 0]
      ),
      (
        #"{"op":"put","tableName":"issues","value":{"id":tru}}"#, .unexpectedByte,
        [0, "rowsPatch", 0, "value", "id"]
      ),
    ] as [(String, JSONError.Code, JSONPath)])
  func malformed(entry: String, code: JSONError.Code, path: JSONPath) {
    #expect(failure(entry)?.code == code, "\(entry)")
    #expect(failure(entry)?.path == path, "\(entry)")
    // The same entry behind one that makes its form expected.
    let put = #"{"op":"put","tableName":"issues","value":{"id":"1","title_text":"a"}},"#
    var later = path
    later.elements[2] = 1
    #expect(failure(put + entry)?.code == code, "\(entry)")
    #expect(failure(put + entry)?.path == later, "\(entry)")
  }

  @Test("a text message is decoded if it is a poke part and only then")
  func messages() throws {
    let part = try decoder.part(
      inMessage: Array(
        #"["pokePart",{"pokeID":"p","lastMutationIDChanges":{"c":3},"rowsPatch":[{"op":"clear"}]}]"#
          .utf8))
    #expect(part?.pokeID == "p")
    #expect(part?.lastMutationIDChanges.map(\.lastMutationID) == [3])
    #expect(try decoder.part(inMessage: Array(#"["pong",{}]"#.utf8)) == nil)
    for text in [#"["pokePart"]"#, "[]", "{}", #"["pokePart",{"pokeID":"p"},1]"#, "[1]"] {
      #expect(throws: JSONError.self, "\(text)") { try decoder.part(inMessage: Array(text.utf8)) }
    }
  }

  @Test("a poke that is encoded decodes to the same patches")
  func roundTrip() throws {
    let text = Array(
      """
      [{"pokeID":"p","lastMutationIDChanges":{"c":1},"desiredQueriesPatches":{"c":[{"op":"put",\
      "hash":"h","ttl":5},{"op":"del","hash":"g"}]},"gotQueriesPatch":[{"op":"clear"}],\
      "rowsPatch":[{"op":"put","tableName":"issues","value":{"id":"1","title_text":"é\\"",\
      "rank":1.5,"data":{"a":[1,null]}}},{"op":"del","tableName":"pair","id":{"a":1,"b":true}}],\
      "mutationsPatch":[{"op":"put","mutation":{"id":{"id":1,"clientID":"c"},\
      "result":{"error":"app"}}},{"op":"del","id":{"id":2,"clientID":"c"}}]}]
      """.utf8)
    let encoded = PokePatches.payload(try decoder.parts(inPayload: text))
    #expect(String(decoding: encoded, as: UTF8.self) == String(decoding: text, as: UTF8.self))
  }

  @Test("a poke of 64 MB decodes")
  func large() throws {
    var text = Array("[{\"pokeID\":\"p\",\"rowsPatch\":[".utf8)
    let body = String(repeating: "lorem ipsum ", count: 80)
    var count = 0
    while text.count < 64 << 20 {
      if count > 0 { text.append(UInt8(ascii: ",")) }
      let row = #"{"op":"put","tableName":"issues","value":{"id":"\#(count)","title_text":""#
      text.append(contentsOf: row.utf8)
      text.append(contentsOf: body.utf8)
      text.append(contentsOf: "\"}}".utf8)
      count += 1
    }
    text.append(contentsOf: "]}]".utf8)
    let chunks = try PokeChunker().frames(text)
    var assembler = PokeAssembler()
    for chunk in chunks { try assembler.add(chunk) }
    let parts = try decoder.parts(inPayload: assembler.payload)
    #expect(parts[0].rowsPatch.count == count)
  }
}
