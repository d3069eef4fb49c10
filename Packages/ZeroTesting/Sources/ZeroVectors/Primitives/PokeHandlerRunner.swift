@_spi(Engine) import ZeroClient
@_spi(Engine) import ZeroProtocol

/// Runs `poke-handler`: messages of pokes in, merged pokes out.
let pokeHandlerRunner = VectorRunner(
  fields: ["name", "clientID", "events", "outcomes", "applied", "lmids", "errors"]
) { file in
  let schema = try VectorRunner.pokeSchema(file)
  return { test in
    var handler = PokeHandlerCase(schema, clientID: try test.string("clientID"))
    let outcomes = try test.array("outcomes")
    let events = try test.array("events")
    guard outcomes.count == events.count else { throw VectorFailure("outcomes and events differ") }
    for (event, outcome) in zip(events, outcomes) {
      guard let event = try VectorValue(event).json() else { throw VectorFailure("no event") }
      let actual = try handler.run(event)
      let expected = try Fields(outcome)
      try expected.allow(["returned", "error"])
      try expectEqual(
        actual.isError, expected.object["error"] != nil, "error of \(event.jsonString)")
      if let returned = expected.object["returned"] {
        try expectEqual(actual.returned, returned, "result of \(event.jsonString)")
      }
    }
    handler.flush()
    try expectEqual(handler.errorCount, try test.array("errors").count, "number of errors")
    let lmids = try test.array("lmids")
    try expectEqual(.array(handler.lastMutationIDs), .array(lmids), "last mutation IDs")
    let applied = try test.array("applied")
    try expectEqual(handler.applied.count, applied.count, "number of applied pokes")
    for (poke, expected) in zip(handler.applied, applied) {
      guard let expected = try VectorValue(expected).json() else { throw VectorFailure("no poke") }
      try PokeEffect.compare(poke, expected, schema)
    }
  }
}

/// The state of one case.
private struct PokeHandlerCase {
  struct Outcome {
    var isError = false
    var returned = JSONValue.null
  }

  private var receiver: PokeReceiver
  private let clientID: String
  private let schema: ZeroSchema
  private(set) var applied: [PokeContents] = []
  private(set) var lastMutationIDs: [JSONValue] = []
  private(set) var errorCount = 0

  init(_ schema: ZeroSchema, clientID: String) {
    self.schema = schema
    self.clientID = clientID
    receiver = PokeReceiver(schema: schema, clientID: clientID)
  }

  mutating func run(_ event: JSONValue) throws -> Outcome {
    guard case .array(let parts) = event, case .string(let kind)? = parts.first else {
      throw VectorFailure("event \(event.jsonString)")
    }
    do {
      switch kind {
      case "pokeStart", "pokePart", "pokeEnd": return try receive(event.jsonText)
      case "frame":
        guard parts.count == 2, case .string(let text) = parts[1] else {
          throw VectorFailure("frame without text")
        }
        let frame = try decodeBase64(text)
        guard frame.first == SyncProtocol.pokeChunkTag else {
          receiver.reset()
          return Outcome(isError: true)
        }
        try receiver.receive(chunk: frame)
      case "disconnect": receiver.reset()
      case "flush": return Outcome(isError: !flush())
      default: throw VectorFailure("event \(kind) is not understood")
      }
    } catch let error as PokeError {
      _ = error
      fail()
      return Outcome(isError: true)
    }
    return Outcome()
  }

  /// - Returns: whether that went well.
  @discardableResult
  mutating func flush() -> Bool {
    do {
      guard let poke = try receiver.takeCompleted() else { return true }
      for operations in poke.rows { _ = try TablePatch(operations) { _, _ in nil } }
      applied.append(poke)
      if let own = poke.lastMutationIDs[UTF8Key(clientID)] {
        lastMutationIDs.append(.number(Double(own)))
      }
      return true
    } catch {
      fail()
      return false
    }
  }

  // MARK: -

  private mutating func receive(_ text: [UInt8]) throws -> Outcome {
    if let part = try receiver.part(inMessage: text) {
      let own = try receiver.receive(part)
      return Outcome(returned: own.map { .number(Double($0)) } ?? .null)
    }
    switch try DownstreamMessage(text: text) {
    case .pokeStart(let start): try receiver.receive(start)
    case .pokeEnd(let end):
      guard let completed = try receiver.receive(end) else { break }
      var returned: JSONObject = ["hasRows": .bool(completed.hasRows)]
      if let own = completed.ownLastMutationID {
        returned["lastMutationIDChangeForSelf"] = .number(Double(own))
      }
      return Outcome(returned: .object(returned))
    default: throw VectorFailure("the message is not of a poke")
    }
    return Outcome()
  }

  private mutating func fail() {
    errorCount += 1
    receiver.reset()
  }
}

/// What a poke leaves behind, key by key; the sequence of operations that led there does not count.
private struct PokeEffect {
  private var isCleared = false
  private var states: [UTF8Key: JSONValue?] = [:]

  static func compare(
    _ poke: PokeContents, _ expected: JSONValue, _ schema: ZeroSchema
  ) throws {
    let fields = try Fields(expected)
    try fields.allow(["baseCookie", "pullResponse"])
    try expectEqual(
      poke.baseCookie.map { .string($0) } ?? .null, try fields.json("baseCookie"), "base cookie")
    let response = try Fields(fields.json("pullResponse"))
    try response.allow(["lastMutationIDChanges", "patch", "cookie"])
    try expectEqual(.string(poke.cookie), try response.json("cookie"), "cookie")
    let ids = poke.lastMutationIDs.map { ($0.string, JSONValue.number(Double($1))) }
    try expectEqual(
      .object(JSONObject(ids)), try response.json("lastMutationIDChanges"), "last mutation IDs")
    let actual = try PokeEffect(poke, schema)
    let wanted = try PokeEffect(try response.array("patch"), schema)
    try expectEqual(actual.isCleared, wanted.isCleared, "whether everything is cleared")
    let keys = Set(actual.states.keys).union(wanted.states.keys)
    for key in keys.sorted(by: { $0.string < $1.string }) {
      guard let found = actual.states[key], let state = wanted.states[key] else {
        throw VectorFailure("key \(key.string) is changed on one side only")
      }
      try expectEqual(found ?? .null, state ?? .null, "value of \(key.string)")
      try expectEqual(found == nil, state == nil, "whether \(key.string) is there")
    }
  }

  private init(_ poke: PokeContents, _ schema: ZeroSchema) throws {
    isCleared = poke.isCleared
    for (client, operation) in poke.desired {
      set(operation) { StoreKey.desiredQuery(clientID: client, hash: $0) }
    }
    for operation in poke.got { set(operation) { StoreKey.gotQuery(hash: $0) } }
    for (table, operations) in zip(schema.tables, poke.rows) {
      for entry in try TablePatch(operations, base: { _, _ in nil }).entries {
        states[UTF8Key("\(StoreKey.rowPrefix)\(table.name)/\(entry.key)")] = .some(
          entry.row.map { Self.json($0) })
      }
    }
    for operation in poke.results {
      switch operation {
      case .put(let response):
        let key = StoreKey.mutationResult(
          clientID: response.id.clientID, mutationID: response.id.id)
        states[UTF8Key(key)] = .some(response.result.json)
      case .delete(let id):
        let key = StoreKey.mutationResult(clientID: id.clientID, mutationID: id.id)
        states[UTF8Key(key)] = .some(nil)
      }
    }
  }

  private init(_ patch: [JSONValue], _ schema: ZeroSchema) throws {
    for json in patch {
      let operation = try Fields(json)
      switch try operation.string("op") {
      case "clear":
        isCleared = true
        states = [:]
      case "put":
        let key = try operation.string("key")
        states[UTF8Key(key)] = .some(Self.known(key, try operation.json("value"), schema))
      case "del": states[UTF8Key(try operation.string("key"))] = .some(nil)
      case "update": try update(operation, schema)
      case let op: throw VectorFailure("operation \(op) is not understood")
      }
    }
  }

  private mutating func set(
    _ operation: PokeContents.HashOperation, _ key: (String) -> String
  ) {
    switch operation {
    case .put(let hash): states[UTF8Key(key(hash))] = .some(.null)
    case .delete(let hash): states[UTF8Key(key(hash))] = .some(nil)
    }
  }

  private mutating func update(_ operation: Fields, _ schema: ZeroSchema) throws {
    let key = try operation.string("key")
    var object = JSONObject()
    if case .object(let before)?? = states[UTF8Key(key)] {
      object = before
    } else if let table = Self.table(key, schema), table.primaryKey.count == 1 {
      // A row here always has its key, which the recorded operation names in the store's key only.
      let prefix = "\(StoreKey.rowPrefix)\(table.name)/"
      object[table.primaryKey[0]] = .string(String(key.dropFirst(prefix.count)))
    }
    if let merge = operation.object["merge"] {
      for (column, value) in try Fields(merge).object.members { object[column] = value }
    }
    if operation.object["constrain"] != nil {
      let kept = Set(try operation.strings("constrain").map { UTF8Key($0) })
      if !kept.isEmpty {
        object = JSONObject(
          object.members.filter { kept.contains(UTF8Key($0.key)) }.map { ($0.key, $0.value) })
      }
    }
    states[UTF8Key(key)] = .some(Self.known(key, .object(object), schema))
  }

  private static func table(_ key: String, _ schema: ZeroSchema) -> TableDescriptor? {
    guard key.hasPrefix(StoreKey.rowPrefix) else { return nil }
    return schema.table(StoreKey.table(ofRowKey: key))
  }

  /// The columns that the schema has; rows hold no others.
  private static func known(_ key: String, _ value: JSONValue, _ schema: ZeroSchema) -> JSONValue {
    guard let table = table(key, schema), case .object(let object) = value else { return value }
    return .object(
      JSONObject(
        object.members.filter { table.column($0.key) != nil }.map { ($0.key, $0.value) }))
  }

  private static func json(_ row: Row) -> JSONValue {
    let columns = row.layout.columns.indices.filter { row.tag($0) != .absent }
    return .object(
      JSONObject(columns.map { (row.layout.columns[$0].name, row[$0].jsonValue) }))
  }
}
