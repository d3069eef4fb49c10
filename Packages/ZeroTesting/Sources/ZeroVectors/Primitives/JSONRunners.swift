import ZeroProtocol

extension VectorRunner {
  static let jsonStringify = VectorRunner(fields: ["value", "json"]) { test in
    let value = try test.value("value").json()
    let expected = try test.value("json")
    guard !expected.isUndefined else {
      if let value { throw VectorFailure("expected nothing, got \(value.jsonString)") }
      return
    }
    guard let value else { throw VectorFailure("expected \(expected), got nothing") }
    try expectEqual(value.jsonString, try expected.text(), "json")
    let again = try JSONValue(parsing: value.jsonText)
    try expectEqual(again.jsonString, value.jsonString, "json of the parsed text")
  }

  static let numberFormat = VectorRunner(fields: ["bits", "string", "json"]) { test in
    try checkNumber(test)
  }

  static let numberParse = VectorRunner(fields: ["text", "bits", "string", "json"]) { test in
    guard case .number(let parsed) = try JSONValue(parsing: try test.string("text")) else {
      throw VectorFailure("text is read as no number")
    }
    let bits = try checkNumber(test)
    try expectEqual(String(parsed.bitPattern, radix: 16), String(bits, radix: 16), "bits")
  }

  @discardableResult
  private static func checkNumber(_ test: VectorCase) throws -> UInt64 {
    guard let bits = UInt64(try test.string("bits"), radix: 16) else {
      throw VectorFailure("bits are no hexadecimal number")
    }
    let number = Double(bitPattern: bits)
    try expectEqual(number.javaScriptText, try test.string("string"), "string")
    try expectEqual(JSONValue.number(number).jsonString, try test.string("json"), "json")
    return bits
  }
}
