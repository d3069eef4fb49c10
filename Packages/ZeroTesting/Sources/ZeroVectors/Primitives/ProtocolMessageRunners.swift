import ZeroProtocol

extension VectorRunner {
  static let messagesDown = VectorRunner(
    fields: ["note", "message", "accept", "acceptStrict", "path", "code", "error"]
  ) { test in
    guard let json = try test.value("message").json() else { throw VectorFailure("no message") }
    let accept = try test.bool("accept")
    try checkDecoding("message", accept: accept, test) {
      try DownstreamMessage(json: json)
    }
    let acceptStrict = try test.has("acceptStrict") ? test.bool("acceptStrict") : accept
    try checkAcceptance("strict", accept: acceptStrict) {
      try DownstreamMessage(json: json, unknownMembers: .refused)
    }
    guard acceptStrict else { return }
    try expectEqual(
      try DownstreamMessage(json: json, unknownMembers: .refused).jsonValue, json,
      "the message encoded again")
  }

  static let messagesUp = VectorRunner(
    fields: ["note", "message", "accept", "acceptPassthrough", "path", "code", "error"]
  ) { test in
    guard let json = try test.value("message").json() else { throw VectorFailure("no message") }
    let accept = try test.bool("accept")
    try checkDecoding("message", accept: accept, test) { try UpstreamMessage(json: json) }
    let acceptPassthrough =
      try test.has("acceptPassthrough") ? test.bool("acceptPassthrough") : accept
    try checkAcceptance("passthrough", accept: acceptPassthrough) {
      try UpstreamMessage(json: json, unknownMembers: .kept)
    }
    guard accept else { return }
    try expectEqual(
      try UpstreamMessage(json: json).jsonValue, json, "the message encoded again")
  }

  static let mutationResult = VectorRunner(
    fields: ["result", "accept", "acceptPassthrough", "error"]
  ) { test in
    guard let json = try test.value("result").json() else { throw VectorFailure("no result") }
    try checkAcceptance("strict", accept: try test.bool("accept")) {
      try MutationResult(json: json)
    }
    try checkAcceptance("passthrough", accept: try test.bool("acceptPassthrough")) {
      try MutationResult(json: json, unknownMembers: .kept)
    }
    guard try test.bool("accept") else { return }
    try expectEqual(try MutationResult(json: json).json, json, "the result encoded again")
  }

  static let inspectReply = VectorRunner(fields: ["expect", "body", "accept", "error"]) { test in
    guard let operation = InspectReply.Operation(rawValue: try test.string("expect")) else {
      throw VectorFailure("unknown operation")
    }
    let body = try test.json("body")
    try checkAcceptance("body", accept: try test.bool("accept")) {
      try InspectReply(json: body, expecting: operation)
    }
    guard try test.bool("accept") else { return }
    try expectEqual(
      try InspectReply(json: body, expecting: operation).json, body, "the reply encoded again")
  }

  static let apiServerReply = VectorRunner(fields: ["kind", "body", "accept", "error"]) { test in
    let body = try test.json("body")
    let accept = try test.bool("accept")
    switch try test.string("kind") {
    case "query":
      try checkAcceptance("body", accept: accept) { try TransformResponse(json: body) }
      guard accept, case .object = body else { return }
      try expectEqual(try TransformResponse(json: body).json, body, "the reply encoded again")
    case "mutate":
      try checkAcceptance("body", accept: accept) { try MutateResponse(json: body) }
      guard accept else { return }
      try expectEqual(try MutateResponse(json: body).json, body, "the reply encoded again")
    case let kind: throw VectorFailure("unknown kind \(kind)")
    }
  }

  // MARK: -

  /// Checks acceptance, and for what is refused the place and the code.
  ///
  /// The reference reports most problems at the choice between alternatives that none fits. Ours
  /// are reported where they are, which is there or further down.
  private static func checkDecoding<T>(
    _ what: String, accept: Bool, _ test: VectorCase, _ decode: () throws -> T
  ) throws {
    do {
      _ = try decode()
      if !accept { throw VectorFailure("\(what): accepted, should be refused") }
    } catch let error as JSONError {
      guard !accept else { throw VectorFailure("\(what): refused: \(error)") }
      let expected = try jsonPath(try test.array("path"))
      guard error.path.elements.starts(with: expected.elements) else {
        throw VectorFailure("\(what): problem at \"\(error.path)\", expected \"\(expected)\"")
      }
      switch try test.string("code") {
      case "invalid_type":
        try expectEqual(error.code, .wrongType, "\(what): code")
        try expectEqual(error.path, expected, "\(what): path")
      case "invalid_union": break
      case let code: throw VectorFailure("\(what): code \(code) is not understood")
      }
    }
  }

  private static func checkAcceptance<T>(
    _ what: String, accept: Bool, _ decode: () throws -> T
  ) throws {
    do {
      _ = try decode()
    } catch let error as JSONError {
      guard accept else { return }
      throw VectorFailure("\(what): refused: \(error)")
    }
    if !accept { throw VectorFailure("\(what): accepted, should be refused") }
  }
}

/// A path as vectors write it.
func jsonPath(_ steps: [JSONValue]) throws -> JSONPath {
  JSONPath(
    try steps.map { step in
      switch step {
      case .string(let key): return .key(key)
      case .number(let number):
        guard let index = Int(exactly: number) else { throw VectorFailure("no index: \(number)") }
        return .index(index)
      default: throw VectorFailure("no step of a path: \(step.jsonString)")
      }
    })
}
