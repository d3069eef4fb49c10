import ZeroProtocol

extension VectorRunner {
  static let primaryKey = VectorRunner(fields: ["table", "primaryKey", "row", "key", "throws"]) {
    test in
    guard case .object(let members) = try test.value("row") else {
      throw VectorFailure("row is no object")
    }
    let values = try test.array("primaryKey").map { column in
      try members.last { .string($0.key) == column }?.value.columnValue() ?? .absent
    }
    let key = {
      StoreKey.rowPrefix + (try test.string("table")) + "/" + (try primaryKeyText(values))
    }
    if test.has("throws") {
      try expectThrows("key", key)
    } else {
      try expectEqual(try key(), try test.string("key"), "key")
    }
  }

  static let storeKeys = VectorRunner(
    fields: ["fn", "args", "result", "throws"], headerFields: ["prefixes"]
  ) { file in
    let prefixes: JSONValue = .object([
      "desiredQueries": .string(StoreKey.desiredQueryPrefix),
      "gotQueries": .string(StoreKey.gotQueryPrefix), "entities": .string(StoreKey.rowPrefix),
      "mutations": .string(StoreKey.mutationResultPrefix),
    ])
    try expectEqual(prefixes, file.header["prefixes"] ?? .null, "prefixes")
    return { test in
      let key = { try storeKey(try test.string("fn"), try test.array("args")) }
      if test.has("throws") {
        try expectThrows("key", key)
      } else {
        try expectEqual(try key(), try test.string("result"), "result")
      }
    }
  }

  private static func storeKey(_ function: String, _ arguments: [JSONValue]) throws -> String {
    func text(_ place: Int) throws -> String {
      guard place < arguments.count,
        let text = try VectorValue(arguments[place]).json()
      else { return "" }
      guard case .string(let text) = text else { throw VectorFailure("\(text) is no string") }
      return text
    }
    switch (function, arguments) {
    case ("desiredQueriesPrefix", _): return StoreKey.desiredQueries(clientID: try text(0))
    case ("desiredQueriesKey", _):
      return StoreKey.desiredQuery(clientID: try text(0), hash: try text(1))
    case ("gotQueriesKey", _): return StoreKey.gotQuery(hash: try text(0))
    case ("mutationResponseKey", _):
      guard case .number(let id) = arguments.last else { throw VectorFailure("no mutation ID") }
      return StoreKey.mutationResult(clientID: try text(0), mutationID: id)
    case ("sourceNameFromKey", _): return StoreKey.table(ofRowKey: try text(0))
    case ("databaseName", _):
      return DatabaseName.full(base: try text(0), schemaVersion: try text(1))
    case ("mutatorKey", _):
      guard case .array(let parts) = arguments.last else { throw VectorFailure("no parts") }
      let names = try parts.map { part in
        guard case .string(let name) = part else { throw VectorFailure("\(part) is no name") }
        return name
      }
      return try DefinitionName.join(names, separator: Character(try text(0)))
    default: throw VectorFailure("unknown function \(function)")
    }
  }

  static let randomIDs = VectorRunner(
    fields: ["fn", "size", "bytes", "words", "clientIDs", "result", "results"],
    headerFields: ["nanoidDefaultSize", "clientIDLength", "profileIDPrefix"]
  ) { file in
    try expectEqual(
      .number(Double(Identifiers.nanoidLength)), file.header["nanoidDefaultSize"] ?? .null,
      "nanoidDefaultSize")
    try expectEqual(
      .string(Identifiers.profilePrefix), file.header["profileIDPrefix"] ?? .null,
      "profileIDPrefix")
    try expectEqual(
      .number(Double(Identifiers.clientID(0).utf8.count)), file.header["clientIDLength"] ?? .null,
      "clientIDLength")
    return { test in
      func numbers(_ field: String) throws -> [UInt32] {
        try test.array(field).map { element in
          guard case .number(let number) = element, let number = UInt32(exactly: number) else {
            throw VectorFailure("\(element) is no random number")
          }
          return number
        }
      }
      func bytes() throws -> [UInt8] {
        try numbers("bytes").map { UInt8(truncatingIfNeeded: $0) }
      }
      switch try test.string("fn") {
      case "nanoid":
        try expectEqual(
          Identifiers.nanoid(try bytes()), try test.string("result"), "result")
        try expectEqual(try bytes().count, try test.int("size"), "size")
      case "clientID":
        let number = try numbers("words").reduce(UInt128(0)) { $0 << 32 | UInt128($1) }
        try expectEqual(Identifiers.clientID(number), try test.string("result"), "result")
      case "requestIDs":
        var requestIDs = RequestIDs(try bytes())
        let results = try test.array("clientIDs").map { client -> JSONValue in
          guard case .string(let client) = client else { throw VectorFailure("no client ID") }
          return .string(requestIDs.next(clientID: client))
        }
        try expectEqual(.array(results), .array(try test.array("results")), "results")
      case let function: throw VectorFailure("unknown function \(function)")
      }
    }
  }

  static let compareCookies = VectorRunner(fields: ["a", "b", "compare"]) { test in
    guard let a = try test.value("a").json(), let b = try test.value("b").json() else {
      throw VectorFailure("undefined is no cookie")
    }
    try expectEqual(Cookie.compare(a, b), try test.int("compare"), "compare")
  }
}
