import Testing
import ZeroProtocol

@Suite struct JSONReadingTests {
  func read(_ text: String, limits: JSONLimits = .standard) -> Result<JSONValue, JSONError> {
    Result { () throws(JSONError) in try JSONValue(parsing: text, limits: limits) }
  }

  func failure(_ text: [UInt8]) -> JSONError? {
    do {
      _ = try JSONValue(parsing: text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    "malformed text is an error with kind, byte offset and path",
    arguments: [
      ("", .unexpectedEnd, 0, []),
      ("  ", .unexpectedEnd, 2, []),
      ("nul", .unexpectedEnd, 3, []),
      ("nulx", .unexpectedByte, 3, []),
      ("[1,]", .unexpectedByte, 3, [1]),
      ("[1 2]", .unexpectedByte, 3, [0]),
      ("[1", .unexpectedEnd, 2, [0]),
      ("[,1]", .unexpectedByte, 1, [0]),
      ("{\"a\":[true,{\"b\":tru}]}", .unexpectedByte, 19, ["a", 1, "b"]),
      ("{\"a\" 1}", .unexpectedByte, 5, ["a"]),
      ("{a:1}", .unexpectedByte, 1, []),
      ("{\"a\":1,}", .unexpectedByte, 7, []),
      ("{\"a\":1", .unexpectedEnd, 6, ["a"]),
      ("01", .invalidNumber, 0, []),
      ("-", .invalidNumber, 0, []),
      ("1.", .invalidNumber, 0, []),
      (".5", .unexpectedByte, 0, []),
      ("1e", .invalidNumber, 0, []),
      ("+1", .unexpectedByte, 0, []),
      ("NaN", .unexpectedByte, 0, []),
      ("\"abc", .unexpectedEnd, 4, []),
      ("\"a\u{1}\"", .controlCharacter, 2, []),
      ("\"\\x\"", .invalidEscape, 1, []),
      ("\"\\u12g4\"", .invalidEscape, 1, []),
      ("\"\\u12", .unexpectedEnd, 5, []),
      ("\"\\", .unexpectedEnd, 2, []),
      ("1 2", .trailingText, 2, []),
      ("\u{FEFF}1", .unexpectedByte, 0, []),
      ("'a'", .unexpectedByte, 0, []),
      ("[1] // no", .trailingText, 4, []),
    ] as [(String, JSONError.Code, Int, JSONPath)])
  func malformed(text: String, code: JSONError.Code, offset: Int, path: JSONPath) {
    let error = failure(Array(text.utf8))
    #expect(error?.code == code, "\(text)")
    #expect(error?.byteOffset == offset, "\(text)")
    #expect(error?.path == path, "\(text)")
  }

  @Test(
    "bytes that are not UTF-8 are an error where they are",
    arguments: [
      [0x80], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82],
      [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
    ] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    for lead in [0, 3, 9] {
      let text = [0x22] + [UInt8](repeating: 0x61, count: lead) + bytes + [0x22]
      let error = failure(text)
      #expect(error?.code == .invalidUTF8)
      #expect(error?.byteOffset == 1 + lead)
    }
  }

  @Test("escapes stand for their characters, those of lone surrogates for U+FFFD")
  func escapes() throws {
    let text = #""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00|\ud83d|\ude00|\ud83dx\ud83d\u0041""#
    let expected = "\"\\/\u{8}\u{C}\n\r\t\u{E9}\u{1F600}|\u{FFFD}|\u{FFFD}|\u{FFFD}x\u{FFFD}A"
    guard case .string(let value) = try JSONValue(parsing: text) else {
      Issue.record("no string")
      return
    }
    #expect(Array(value.unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test("a repeated key keeps its first place and its last value")
  func repeatedKeys() throws {
    #expect(try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#).jsonString == #"{"a":3,"b":2}"#)
    let many = (0..<40).map { "\"k\($0 % 20)\":\($0)" }.joined(separator: ",")
    let expected = (0..<20).map { "\"k\($0)\":\($0 + 20)" }.joined(separator: ",")
    #expect(try JSONValue(parsing: "{\(many)}").jsonString == "{\(expected)}")
  }

  @Test("array indexes come first and ascend, in objects large and small")
  func indexKeys() throws {
    let text = #"{"b":0,"10":1,"2":2,"01":3,"4294967294":4,"4294967295":5,"-1":6,"0":7}"#
    let expected = #"{"0":7,"2":2,"10":1,"4294967294":4,"b":0,"01":3,"4294967295":5,"-1":6}"#
    #expect(try JSONValue(parsing: text).jsonString == expected)
    var object = JSONObject()
    for (n, key) in ["b", "10", "2", "01", "4294967294", "4294967295", "-1", "0"].enumerated() {
      object[key] = .number(Double(n))
    }
    #expect(JSONValue.object(object).jsonString == expected)
    for n in 0..<30 { object["x\(n)"] = .null }
    object["1"] = .bool(true)
    #expect(object.members.prefix(3).map(\.key) == ["0", "1", "2"])
    #expect(object["1"] == .bool(true))
    object["0"] = nil
    #expect(object.members.prefix(2).map(\.key) == ["1", "2"])
    #expect(object["x29"] == .null)
    #expect(object["0"] == nil)
  }

  @Test("canonically equal names are different members")
  func canonicalEquivalence() throws {
    let object = try JSONValue(parsing: "{\"e\u{301}\":1,\"\u{E9}\":2}")
    #expect(object == .object(["e\u{301}": .number(1), "\u{E9}": .number(2)]))
    guard case .object(let members) = object else { return }
    #expect(members.count == 2)
  }

  @Test("huge exponents become infinite or zero, and print as null or 0")
  func hugeExponents() throws {
    #expect(
      try JSONValue(parsing: "[1e400,-1e400,1e-400,1e99999999999]").jsonString
        == "[null,null,0,null]")
    #expect(try JSONValue(parsing: "-1e-400") == .number(-0.0))
    #expect(try JSONValue(parsing: "0e99999999999") == .number(0))
  }

  @Test("levels beyond the limit are refused, and as many as the limit are not")
  func depth() throws {
    let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(try JSONValue(parsing: deep).jsonString == deep)
    let deeper = "[\(deep)]"
    #expect(failure(Array(deeper.utf8))?.code == .tooDeep)
    #expect(failure(Array(deeper.utf8))?.byteOffset == 512)
    let objects = String(repeating: "{\"a\":", count: 600) + "1"
    #expect(failure(Array(objects.utf8))?.code == .tooDeep)
    #expect(failure([UInt8](repeating: UInt8(ascii: "["), count: 1 << 20))?.code == .tooDeep)
  }

  @Test("text beyond the limit is refused before it is read")
  func size() {
    let limits = JSONLimits(depth: 10, byteCount: 4)
    #expect((try? read("true", limits: limits).get()) == .bool(true))
    #expect(throws: JSONError.self) { try JSONValue(parsing: "false", limits: limits) }
  }

  @Test("a tree many times larger than its text is refused, an ordinary one is not")
  func denseTrees() throws {
    let dense = "[" + String(repeating: "[0],", count: 500_000) + "0]"
    #expect(failure(Array(dense.utf8))?.code == .tooLarge)
    let flat = "[" + String(repeating: "0,", count: 500_000) + "0]"
    guard case .array(let elements) = try JSONValue(parsing: flat) else { return }
    #expect(elements.count == 500_001)
    let pairs = "[" + String(repeating: "[1,20],", count: 300_000) + "0]"
    #expect(try JSONValue(parsing: pairs) != .null)
  }

  @Test("white space is allowed where JSON allows it")
  func whiteSpace() throws {
    #expect(
      try JSONValue(parsing: " \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } } \n").jsonString
        == #"{"a":[1,2],"b":{}}"#)
    #expect(failure(Array("[1,\u{B}2]".utf8))?.code == .unexpectedByte)
  }
}

@Suite struct JSONValueLayoutTests {
  @Test("a value takes three words, so that trees stay small")
  func stride() {
    #expect(MemoryLayout<JSONValue>.stride == 24)
  }
}
