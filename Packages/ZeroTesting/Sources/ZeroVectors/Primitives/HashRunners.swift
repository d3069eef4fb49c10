import ZeroProtocol

extension VectorRunner {
  static let hash = VectorRunner(fields: ["in", "h32", "h64base36", "h128", "seeds"]) { test in
    let text = try test.value("in").text()
    let seeds = try test.array("seeds")
    var utf8 = text
    try utf8.withUTF8 { bytes in
      for (seed, expected) in seeds.enumerated() {
        let hash = xxHash32(UnsafeRawBufferPointer(bytes), seed: UInt32(seed))
        try expectEqual(JSONValue.number(Double(hash)), expected, "seed \(seed)")
      }
    }
    try expectEqual(Double(TextHash.h32(text)), try test.number("h32"), "h32")
    try expectEqual(TextHash.base36(text), try test.string("h64base36"), "h64base36")
    try expectEqual("\(TextHash.h128(text))", try test.string("h128"), "h128")
  }

  static let queryHash = VectorRunner(fields: ["name", "args", "argsJSON", "hash"]) { test in
    guard case .array(let arguments)? = try test.value("args").json() else {
      throw VectorFailure("args is no array")
    }
    try expectEqual(JSONValue.array(arguments).jsonString, try test.string("argsJSON"), "argsJSON")
    let id = queryID(name: try test.string("name"), arguments: arguments)
    try expectEqual(id, try test.string("hash"), "hash")
  }
}
