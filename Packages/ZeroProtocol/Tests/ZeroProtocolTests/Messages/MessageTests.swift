import Testing
import ZeroProtocol

@Suite struct MessageTests {
  @Test("a client's message is written as the reference writes it", arguments: upstreamSamples)
  func upstream(sample: MessageSample<UpstreamMessage>) throws {
    #expect(String(decoding: sample.message.text, as: UTF8.self) == sample.text)
    #expect(try UpstreamMessage(text: Array(sample.text.utf8)) == sample.message)
  }

  @Test("a server's message is written as the reference writes it", arguments: downstreamSamples)
  func downstream(sample: MessageSample<DownstreamMessage>) throws {
    #expect(String(decoding: sample.message.text, as: UTF8.self) == sample.text)
    #expect(
      try DownstreamMessage(text: Array(sample.text.utf8), unknownMembers: .refused)
        == sample.message)
  }

  @Test("the samples have every type of message")
  func samplesAreComplete() {
    #expect(Set(upstreamSamples.map(\.message.type)).count == 10)
    #expect(Set(downstreamSamples.map(\.message.type)).count == 11)
  }

  @Test(
    "an unknown member is refused from a client and ignored from a server",
    arguments: upstreamSamples)
  func unknownMembers(sample: MessageSample<UpstreamMessage>) throws {
    guard case .array(var frame) = sample.message.jsonValue, case .object(var body) = frame[1]
    else { return }
    body["newer"] = .number(1)
    frame[1] = .object(body)
    let error = #expect(throws: JSONError.self) { try UpstreamMessage(json: .array(frame)) }
    #expect(error?.code == .unknownMember)
    #expect(error?.path == [1])
    #expect(try UpstreamMessage(json: .array(frame), unknownMembers: .kept) == sample.message)
  }

  @Test("null is not the same as a missing member")
  func nullIsNotMissing() throws {
    let missing = #"["pokeEnd",{"pokeID":"p","cookie":"c"}]"#
    #expect(
      try DownstreamMessage(text: Array(missing.utf8))
        == .pokeEnd(PokeEnd(pokeID: "p", cookie: "c")))
    let null = #"["pokeEnd",{"pokeID":"p","cookie":"c","cancel":null}]"#
    let error = #expect(throws: JSONError.self) {
      try DownstreamMessage(text: Array(null.utf8))
    }
    #expect(error?.code == .wrongType)
    #expect(error?.path == [1, "cancel"])
  }

  @Test("where null may stand, it stays apart from a missing member")
  func nullableField() throws {
    let row: (String) -> String = {
      #"["inspect",{"op":"queries","id":"i","value":[{"clientID":"c","queryID":"q","ast":null,"#
        + #""name":null,"args":null,"got":false,"deleted":false,"ttl":1,"inactivatedAt":null,"#
        + #""rowCount":2\#($0)}]}]"#
    }
    for (text, expected) in [
      ("", Field<InspectedQuery.Metrics>.absent), (#","metrics":null"#, .null),
    ] {
      let message = try DownstreamMessage(text: Array(row(text).utf8))
      guard case .inspect(let reply) = message, case .queries(let queries) = reply.value else {
        Issue.record("\(message) is no answer about queries")
        return
      }
      #expect(queries.first?.metrics == expected)
      #expect(String(decoding: message.text, as: UTF8.self) == row(text))
    }
  }

  @Test(
    "an error says where the problem is",
    arguments: [
      (#"["nope",{}]"#, JSONError.Code.invalidValue, "0"),
      (#"["pong"]"#, .invalidLength, ""),
      (#"["pong",{},{}]"#, .invalidLength, ""),
      (#"{"0":"pong"}"#, .wrongType, ""),
      (#"["pokeStart",{"pokeID":"p"}]"#, .missingMember, "1.baseCookie"),
      (
        #"["pokePart",{"pokeID":"p","rowsPatch":[{"op":"clear"},{"op":"move"}]}]"#, .invalidValue,
        "1.rowsPatch.1.op"
      ),
      (
        #"["pokePart",{"pokeID":"p","rowsPatch":[{"op":"del","tableName":"t","id":{"a":null}}]}]"#,
        .wrongType, "1.rowsPatch.0.id.a"
      ),
      (
        #"["error",{"kind":"PushFailed","origin":"server","reason":"timeout","message":"m"}]"#,
        .invalidValue, "1.reason"
      ),
      (
        #"["inspect",{"op":"metrics","id":"i","value":{"query-materialization-server":[]}}]"#,
        .invalidLength, "1.value.query-materialization-server"
      ),
    ])
  func errorPath(text: String, code: JSONError.Code, path: String) {
    let error = #expect(throws: JSONError.self) {
      try DownstreamMessage(text: Array(text.utf8))
    }
    #expect(error?.code == code)
    #expect(error?.path.description == path)
  }

  @Test("a word that only looks the same in Unicode is not a known one")
  func canonicalEquivalents() {
    // The Kelvin sign is canonically equivalent to the letter K.
    let text =
      "[\"changeDesiredQueries\",{\"desiredQueriesPatch\":[{\"op\":\"put\",\"hash\":\"h\","
      + "\"ast\":{\"table\":\"t\",\"where\":{\"type\":\"simple\",\"op\":\"LI\u{212A}E\","
      + "\"left\":{\"type\":\"column\",\"name\":\"c\"},"
      + "\"right\":{\"type\":\"literal\",\"value\":\"x\"}}}}]}]"
    #expect(throws: JSONError.self) { try UpstreamMessage(text: Array(text.utf8)) }
  }

  @Test("an update keeps, merges and drops columns in this order")
  func rowUpdate() {
    let row: JSONObject = ["id": .number(1), "a": .number(2), "b": .number(3)]
    var update = RowUpdate(
      tableName: "t", id: ["id": .number(1)], merge: .object(["b": .null, "c": .number(4)]))
    #expect(
      update.applied(to: row)
        == ["id": .number(1), "a": .number(2), "b": .null, "c": .number(4)])
    update.constrain = ["id", "c", "missing"]
    #expect(update.applied(to: row) == ["id": .number(1), "c": .number(4)])
    update.constrain = []
    #expect(update.applied(to: row).count == 4)
  }

  @Test("an app's endpoint may answer in the form of old ones")
  func legacyReplies() throws {
    let transformed = try JSONValue(
      parsing: #"["transformed",[{"id":"q","name":"n","ast":{"table":"t"}}]]"#)
    #expect(
      try TransformResponse(json: transformed)
        == .queries([.transformed(id: "q", name: "n", ast: AST(table: "t"))], userID: .absent))
    let pushFailed = try JSONValue(
      parsing: #"["transformFailed",{"kind":"PushFailed","origin":"server","reason":"parse","#
        + #""message":"m","mutationIDs":[]}]"#)
    #expect(throws: JSONError.self) { try TransformResponse(json: pushFailed) }
    #expect(
      try MutateResponse(json: JSONValue(parsing: #"{"error":"unsupportedPushVersion"}"#))
        == .legacy(.failed(.init(.unsupportedPushVersion))))
    #expect(
      try MutateResponse(
        json: JSONValue(parsing: #"{"kind":"MutateResponse","mutations":[],"userID":null}"#))
        == .mutations([], userID: .null))
  }
}
