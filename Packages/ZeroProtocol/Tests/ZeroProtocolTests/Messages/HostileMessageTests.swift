import Testing
import ZeroProtocol

/// Messages changed at random. A decoder either takes one or says what is wrong with it.
@Suite struct HostileMessageTests {
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static let strangers: [JSONValue] = [
    .null, .bool(true), .number(-0.0), .number(1.7e308), .number(9_007_199_254_740_992),
    .number(0.5), .number(-1), .string(""), .string("\u{0}\u{10FFFF}"), .string("put"),
    .array([]), .array([.array([])]), .object([:]), .object(["op": .string("put")]),
    .object(["": .null]),
  ]

  /// `value` with one part somewhere in it replaced, removed, doubled or added.
  private func changed(_ value: JSONValue, _ random: inout Generator) -> JSONValue {
    let stranger = Self.strangers.randomElement(using: &random) ?? .null
    switch value {
    case .array(var elements) where !elements.isEmpty:
      let place = Int.random(in: elements.indices, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: elements.remove(at: place)
      case 1: elements.append(elements[place])
      case 2: return stranger
      default: elements[place] = changed(elements[place], &random)
      }
      return .array(elements)
    case .object(var object) where !object.isEmpty:
      let place = Int.random(in: object.members.indices, using: &random)
      let (key, member) = object.members[place]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: object[key] = nil
      case 1: object["unknown"] = stranger
      case 2: return stranger
      case 3: object[key] = stranger
      default: object[key] = changed(member, &random)
      }
      return .object(object)
    default: return stranger
    }
  }

  @Test("no message traps, and what is taken comes back the same", arguments: [7, 77, 777])
  func randomChanges(seed: UInt64) throws {
    var random = Generator(state: seed)
    var taken = 0
    var refused = 0
    for _ in 0..<4000 {
      var json =
        Bool.random(using: &random)
        ? upstreamSamples.randomElement(using: &random)?.message.jsonValue ?? .null
        : downstreamSamples.randomElement(using: &random)?.message.jsonValue ?? .null
      for _ in 0..<Int.random(in: 1...3, using: &random) { json = changed(json, &random) }
      for unknownMembers in [UnknownMembers.refused, .kept] {
        do {
          let message = try UpstreamMessage(json: json, unknownMembers: unknownMembers)
          #expect(
            try UpstreamMessage(json: message.jsonValue) == message,
            "seed \(seed): \(json.jsonString)")
          taken += 1
        } catch {
          refused += 1
        }
        do {
          let message = try DownstreamMessage(json: json, unknownMembers: unknownMembers)
          let again = try DownstreamMessage(json: message.jsonValue)
          #expect(again == message, "seed \(seed): \(json.jsonString)")
          taken += 1
        } catch {
          refused += 1
        }
      }
    }
    #expect(taken > 0 && refused > 0)
  }

  @Test("text cut anywhere is an error with an offset", arguments: downstreamSamples)
  func cutText(sample: MessageSample<DownstreamMessage>) {
    let text = Array(sample.text.utf8)
    for length in text.indices {
      #expect(throws: JSONError.self) {
        try DownstreamMessage(text: Array(text[..<length]))
      }
    }
  }

  @Test("a message as deep as the limit allows is refused, not followed to the end of the stack")
  func depth() {
    let levels = 100_000
    let nested = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    let error = #expect(throws: JSONError.self) {
      try UpstreamMessage(text: Array(#"["closeConnection",\#(nested)]"#.utf8))
    }
    #expect(error?.code == .tooDeep)
    var condition: JSONValue = .object(["type": .string("and"), "conditions": .array([])])
    for _ in 0..<400 {
      condition = .object(["type": .string("and"), "conditions": .array([condition])])
    }
    let query: JSONValue = .object(["table": .string("t"), "where": condition])
    let put: JSONValue = .object([
      "op": .string("put"), "hash": .string("h"), "ast": query,
    ])
    let frame: JSONValue = .array([
      .string("changeDesiredQueries"), .object(["desiredQueriesPatch": .array([put])]),
    ])
    #expect(throws: JSONError.self) { try UpstreamMessage(json: frame) }
  }
}
