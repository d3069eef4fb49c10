import ZeroProtocol

/// What mutated texts are made of.
enum FuzzCorpus {
  static let schema = ZeroSchema(tables: [
    TableDescriptor(
      "issue", server: "issues",
      columns: [
        ColumnDescriptor("id", .string), ColumnDescriptor("title", .string),
        ColumnDescriptor("rank", .number, optional: true), ColumnDescriptor("open", .boolean),
        ColumnDescriptor("data", .json, optional: true),
      ], primaryKey: ["id"]),
    TableDescriptor(
      "pair", columns: [ColumnDescriptor("a", .number), ColumnDescriptor("b", .string)],
      primaryKey: ["a", "b"]),
  ])

  static let texts: [[UInt8]] = [
    #"[{"pokeID":"p","lastMutationIDChanges":{"c":7},"rowsPatch":[{"op":"put","tableName":"issues","value":{"id":"1","title":"é\n😀","rank":1.5e-3,"open":true,"data":{"a":[1,null]}}},{"op":"put","tableName":"issues","value":{"id":"2","title":"plain","rank":null,"open":false,"data":"x"}},{"op":"put","tableName":"issues","value":{"id":"3","title":"","rank":-0,"open":false,"data":[]}},{"op":"update","tableName":"issues","id":{"id":"1"},"merge":{"rank":2},"constrain":["id"]},{"op":"del","tableName":"pair","id":{"a":1,"b":"x"}},{"op":"clear"}]}]"#,
    #"["pokePart",{"pokeID":"p","desiredQueriesPatches":{"c":[{"op":"put","hash":"h","ttl":1}]},"gotQueriesPatch":[{"op":"del","hash":"h"}],"mutationsPatch":[{"op":"put","mutation":{"id":{"id":3,"clientID":"c"},"result":{"error":"app","message":"m","details":[1]}}}]}]"#,
    #"["pokeStart",{"pokeID":"p","baseCookie":null}]"#,
    #"["pokeEnd",{"pokeID":"p","cookie":"00:01"}]"#,
    #"["connected",{"wsid":"w","timestamp":1700000000000}]"#,
    #"["error",{"kind":"Rehome","message":"m","maxBackoffMs":5,"reconnectParams":{"a":"b"},"origin":"zeroCache"}]"#,
    #"["push",{"clientGroupID":"g","mutations":[{"type":"custom","id":1,"clientID":"c","name":"n","args":[{"a":1}],"timestamp":1.5}],"pushVersion":1,"timestamp":2,"requestID":"r"}]"#,
    #"["initConnection",{"desiredQueriesPatch":[{"op":"put","hash":"h","name":"q","args":[],"ttl":300000}],"clientSchema":{"tables":{"t":{"columns":{"id":{"type":"string"}},"primaryKey":["id"]}}}}]"#,
    #"["pushResponse",{"mutations":[{"id":{"id":1,"clientID":"c"},"result":{}}]}]"#,
    #"{"table":"issue","where":{"type":"and","conditions":[{"type":"simple","op":"=","left":{"type":"column","name":"open"},"right":{"type":"literal","value":true}},{"type":"correlatedSubquery","related":{"correlation":{"parentField":["id"],"childField":["a"]},"subquery":{"table":"pair","alias":"p"}},"op":"EXISTS"}]},"orderBy":[["id","asc"]],"limit":10}"#,
    #"{"tables":{"t":{"name":"t","columns":{"id":{"type":"string"}},"primaryKey":["id"]}},"relationships":{}}"#,
    #"https://user@example.com:8080/base?x=1#f"#,
    #"%a_b\%c%"#,
    #"{"10":1,"2":2,"b":3,"a":{"a":{"a":{}}},"e\u0301":"\ud83d\ude00","\ud800":"\udc00"}"#,
    #"[0,-0,1e308,1e-320,123456789012345678901234567890,0.1,1E+2,true,false,null,"",[],{}]"#,
  ].map { Array($0.utf8) }

  /// Pieces that have a meaning somewhere.
  static let pieces: [[UInt8]] =
    [
      "null", "true", "{}", "[]", "\"\"", "1e999", "-1e-999", "-", "0", "99999999999999999999",
      "9007199254740993", "\\u", "\\ud800", "\\udc00", "\\\"", "\\", "\"", ",", ":", "[", "]", "{",
      "}",
      "{\"op\":\"put\",\"tableName\":\"issues\",\"value\":{", "\"value\":", "\"id\":",
      "\"op\":\"del\"",
      "\u{FEFF}", "\u{0}", "\u{1F600}", "\u{E9}", "%", "_", " ", "\n", "//", "e", "E+",
    ].map { Array($0.utf8) } + [[0x80], [0xC0], [0xED, 0xA0, 0x80], [0xF4, 0x90], [0xFF]]
}
