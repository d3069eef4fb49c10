@_spi(Engine) import ZeroProtocol

extension VectorRunner {
  static let ttl = VectorRunner(
    fields: ["ttl", "parsed", "normalized", "clamped", "warning"],
    headerFields: [
      "defaultTTL", "defaultTTLMs", "defaultPreloadTTL", "defaultPreloadTTLMs", "maxTTL",
      "maxTTLMs",
    ]
  ) { file in
    for (field, expected) in [
      ("defaultTTLMs", TTL.standard.parsed), ("defaultPreloadTTLMs", TTL.none.parsed),
      ("maxTTLMs", TTL.maximumMilliseconds),
    ] {
      try expectEqual(.number(expected), file.header[field] ?? .null, field)
    }
    return { test in
      let ttl = try timeToLive(try test.value("ttl"))
      try expectSame(ttl.parsed, try test.value("parsed"), "parsed")
      let normalized = try test.value("normalized")
      if case .number(let number) = ttl.normalized {
        try expectSame(number, normalized, "normalized")
      } else {
        try expectEqual(ttl.normalized, try normalized.json() ?? .null, "normalized")
      }
      let (milliseconds, isReduced) = ttl.clamped
      try expectSame(milliseconds, try test.value("clamped"), "clamped")
      try expectEqual(isReduced, test.has("warning"), "warning")
    }
  }

  static let ttlCompare = VectorRunner(fields: ["a", "b", "compare"]) { test in
    let order = TTL.compare(
      try timeToLive(try test.value("a")), try timeToLive(try test.value("b")))
    let expected = try test.json("compare")
    try expectEqual(
      order.map { .number(Double($0)) } ?? .string("NaN"), expected, "compare")
  }

  private static func timeToLive(_ value: VectorValue) throws -> TTL {
    switch value {
    case .number(let number): .milliseconds(number)
    case .string(let text): TTL(text: text)
    default: throw VectorFailure("\(value) is no time to live")
    }
  }

  /// Equal numbers, where minus zero is not zero and NaN is itself.
  private static func expectSame(
    _ actual: Double, _ expected: VectorValue, _ what: String
  ) throws {
    guard case .number(let expected) = expected else {
      throw VectorFailure("\(what): expected \(expected), got \(actual)")
    }
    let isSame = actual.isNaN && expected.isNaN || actual.bitPattern == expected.bitPattern
    if !isSame { throw VectorFailure("\(what): expected \(expected), got \(actual)") }
  }
}
