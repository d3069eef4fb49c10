import Testing
import ZeroProtocol

struct JSONValueCodingTests {
  private struct Arguments: Codable, Equatable {
    enum Status: String, Codable { case open, closed }
    var zebra: String
    var apple: Int
    var missing: String?
    var status: Status
    var nested: [Nested]
    struct Nested: Codable, Equatable { var b: Bool, a: Double }
  }

  @Test("members keep the order of declaration and nil ones are left out")
  func order() throws {
    let arguments = Arguments(
      zebra: "z", apple: 1, missing: nil, status: .closed, nested: [.init(b: true, a: 1.5)])
    let json = try JSONValueEncoder().encode(arguments)
    #expect(
      json.jsonString
        == #"{"zebra":"z","apple":1,"status":"closed","nested":[{"b":true,"a":1.5}]}"#)
    #expect(try JSONValueDecoder().decode(Arguments.self, from: json) == arguments)
  }

  @Test("dictionaries are encoded with sorted keys")
  func dictionaries() throws {
    let json = try JSONValueEncoder().encode(["b": ["y": 1, "x": 2], "a": [:]])
    #expect(json.jsonString == #"{"a":{},"b":{"x":2,"y":1}}"#)
  }

  @Test("scalars, optionals and JSON values are encoded as themselves")
  func scalars() throws {
    #expect(try JSONValueEncoder().encode("x") == .string("x"))
    #expect(try JSONValueEncoder().encode(String?.none) == .null)
    #expect(try JSONValueEncoder().encode([1, nil] as [Int?]).jsonString == "[1,null]")
    let json: JSONValue = .object(["z": .null, "a": .array([.bool(true)])])
    #expect(try JSONValueEncoder().encode(json).jsonString == #"{"z":null,"a":[true]}"#)
    #expect(try JSONValueDecoder().decode(JSONValue.self, from: json) == json)
  }

  @Test("a number that cannot be sent is an error with its path")
  func numbers() throws {
    let error = try #require(throws: JSONEncodingError.self) {
      try JSONValueEncoder().encode(["a": [1.0, .infinity]])
    }
    #expect(error.path == "a.1")
    #expect(throws: JSONEncodingError.self) { try JSONValueEncoder().encode(Int64.max) }
    #expect(try JSONValueEncoder().encode(9_007_199_254_740_991) == .number(9_007_199_254_740_991))
  }

  @Test("an array with an empty object in it keeps it")
  func empty() throws {
    struct Empty: Codable {}
    #expect(try JSONValueEncoder().encode([Empty()]).jsonString == "[{}]")
    #expect(try JSONValueEncoder().encode(Empty()).jsonString == "{}")
  }

  @Test(
    "what does not fit is an error, never a trap",
    arguments: ["null", "1.5", "1e300", "\"x\"", "[]", "{}", "-1"])
  func misfits(text: String) throws {
    let json = try JSONValue(parsing: Array(text.utf8))
    #expect(throws: DecodingError.self) { try JSONValueDecoder().decode(UInt8.self, from: json) }
    #expect(throws: DecodingError.self) { try JSONValueDecoder().decode([Int].self, from: .null) }
    #expect(throws: DecodingError.self) {
      try JSONValueDecoder().decode(Arguments.self, from: json)
    }
  }
}
