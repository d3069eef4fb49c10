import ZeroProtocol

/// What is kept of a client group besides its rows.
struct GroupRecord {
  let json: JSONValue

  struct Failure: Error { let message: String }

  init(_ json: JSONValue) { self.json = json }

  init(_ group: ClientGroup) {
    var record: JSONObject = [
      "id": .string(group.id), "version": .string(group.version.cookie),
      "isPurged": .bool(group.isPurged), "clock": .number(group.clock.elapsed),
      "clients": .array(group.querySet.clients.map(JSONValue.string)),
      "queries": .array(group.querySet.order.compactMap { Self.query($0, group.querySet) }),
      "lostGot": .array(
        group.querySet.lostGot.sorted { $0.key < $1.key }.map {
          .array([.string($0.key), .string($0.value.cookie)])
        }),
      "lostDesires": .array(
        group.querySet.lostDesires.map {
          .array([.string($0.clientID), .string($0.hash), .string($0.version.cookie)])
        }),
      "lastMutationIDs": .array(
        group.lastMutationIDs.sorted { $0.key < $1.key }.map {
          .array([
            .string($0.key), .number(Double($0.value.id)), .string($0.value.version.cookie),
          ])
        }),
      "results": .array(
        group.results.sorted {
          ($0.key.clientID, $0.key.mutationID) < ($1.key.clientID, $1.key.mutationID)
        }.map {
          .array([
            .string($0.key.clientID), .number(Double($0.key.mutationID)),
            .string($0.value.version.cookie), $0.value.result ?? .bool(false),
          ])
        }),
    ]
    record["clientSchema"] = group.clientSchema?.jsonValue
    if case .user(let user) = group.owner {
      record["owner"] = user.map(JSONValue.string) ?? .null
    }
    json = .object(record)
  }

  var id: String {
    if case .object(let record) = json, case .string(let id)? = record["id"] { id } else { "" }
  }

  /// Puts what is kept into a new group.
  func restore(_ group: ClientGroup) throws {
    guard case .object(let record) = json, case .string(let cookie)? = record["version"],
      let version = GroupVersion(cookie: cookie)
    else { throw Failure(message: "the record of a client group has no version") }
    group.version = version
    group.isPurged = record["isPurged"] == .bool(true)
    if case .number(let elapsed)? = record["clock"] { group.clock = TTLClock(elapsed: elapsed) }
    if let schema = record["clientSchema"] { group.clientSchema = try ClientSchema(json: schema) }
    switch record["owner"] {
    case .string(let user)?: group.owner = .user(user)
    case .null?: group.owner = .user(nil)
    default: group.owner = .undecided
    }
    for client in Self.elements(record["clients"]) {
      if case .string(let client) = client { _ = group.querySet.register(client: client) }
    }
    for query in Self.elements(record["queries"]) {
      if case .object(let query) = query { try Self.restore(query, &group.querySet) }
    }
    for lost in Self.elements(record["lostGot"]) {
      let fields = try RecordFields(lost)
      group.querySet.restoreLostGot(try fields.text(0), try fields.version(1))
    }
    for lost in Self.elements(record["lostDesires"]) {
      let fields = try RecordFields(lost)
      group.querySet.restoreLostDesire(
        client: try fields.text(0), try fields.text(1), try fields.version(2))
    }
    for entry in Self.elements(record["lastMutationIDs"]) {
      let fields = try RecordFields(entry)
      group.lastMutationIDs[try fields.text(0)] = (
        UInt64(fields.number(1) ?? 0), try fields.version(2)
      )
    }
    for entry in Self.elements(record["results"]) {
      let fields = try RecordFields(entry)
      let key = ClientGroup.ResultKey(
        clientID: try fields.text(0), mutationID: UInt64(fields.number(1) ?? 0))
      let result = fields[3] == .bool(false) ? nil : fields[3]
      group.results[key] = (result, try fields.version(2))
    }
  }

  // MARK: -

  private static func elements(_ json: JSONValue?) -> [JSONValue] {
    if case .array(let elements)? = json { elements } else { [] }
  }

  private static func query(_ hash: String, _ set: QuerySet) -> JSONValue? {
    guard let query = set.queries[hash] else { return nil }
    var object: JSONObject = ["hash": .string(hash)]
    switch query.definition {
    case .named(let name, let arguments):
      object["name"] = .string(name)
      object["args"] = .array(arguments)
    case .ast(let ast): object["ast"] = ast.jsonValue
    }
    object["got"] = query.gotVersion.map { .string($0.cookie) }
    object["desires"] = .array(
      query.desires.sorted { $0.key < $1.key }.map { client, desire in
        .array([
          .string(client), .string(desire.version.cookie), .number(desire.ttl),
          desire.inactivatedAt.map(JSONValue.number) ?? .null,
        ])
      })
    return .object(object)
  }

  private static func restore(_ object: JSONObject, _ set: inout QuerySet) throws {
    guard case .string(let hash)? = object["hash"] else { return }
    let definition: QueryRecord.Definition
    if case .string(let name)? = object["name"] {
      definition = .named(name, arguments: elements(object["args"]))
    } else if let ast = object["ast"] {
      definition = .ast(try AST(json: ast))
    } else {
      return
    }
    var query = QueryRecord(definition: definition)
    if case .string(let got)? = object["got"] { query.gotVersion = GroupVersion(cookie: got) }
    for desire in elements(object["desires"]) {
      let fields = try RecordFields(desire)
      var inactivatedAt: Double?
      if case .number(let time)? = fields[3] { inactivatedAt = time }
      query.desires[try fields.text(0)] = QueryRecord.Desire(
        ttl: fields.number(2) ?? 0, inactivatedAt: inactivatedAt, version: try fields.version(1))
    }
    set.restore(hash, query)
  }
}
