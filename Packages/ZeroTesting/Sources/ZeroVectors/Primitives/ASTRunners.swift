import ZeroProtocol

extension VectorRunner {
  static let astNormalize = VectorRunner(
    fields: ["ast", "normalizedJSON", "hash", "throws"]
  ) { test in
    let query = try ast(test)
    if test.has("throws") {
      try expectThrows("normalizing") { try query.normalized() }
      return
    }
    try expectEqual(
      text(try query.normalized().jsonText), try test.string("normalizedJSON"), "text")
    try expectEqual(try query.hash(), try test.string("hash"), "hash")
  }

  static let astMapping = VectorRunner(
    fields: ["ast", "condition", "table", "serverJSON", "backJSON", "throws"],
    prepare: { file in
      let schema = try fixtureSchema(file)
      let toServer = NameMapper(schema, .clientToServer)
      let toClient = NameMapper(schema, .serverToClient)
      return { test in
        if test.has("condition") {
          let table = try test.string("table")
          let condition = try condition(test)
          if test.has("throws") {
            try expectThrows("mapping") { try condition.mapped(by: toServer, table: table) }
            return
          }
          let server = try condition.mapped(by: toServer, table: table)
          try expectEqual(text(server.jsonText), try test.string("serverJSON"), "server text")
          return
        }
        if test.has("throws") {
          try expectThrows("mapping") { try ast(test).mapped(by: toServer) }
          return
        }
        let server = try ast(test).mapped(by: toServer)
        try expectEqual(text(server.jsonText), try test.string("serverJSON"), "server text")
        let client = try server.mapped(by: toClient)
        try expectEqual(text(client.jsonText), try test.string("backJSON"), "text mapped back")
      }
    })

  static let astCompleteOrdering = VectorRunner(
    fields: ["ast", "completedJSON", "ordering", "primaryKey", "includesPK", "throws"],
    headerFields: ["primaryKeys"],
    prepare: { file in
      guard case .object(let header) = try file.header("primaryKeys") else {
        throw VectorFailure("primaryKeys is no object")
      }
      var keys: [String: [String]] = [:]
      for (table, key) in header.members {
        if let key = try VectorValue(key).json() { keys[table] = try strings(key) }
      }
      let primaryKeys = keys
      return { test in
        if test.has("ordering") {
          let ordering = try ordering(try test.json("ordering"))
          let key = try strings(try test.json("primaryKey"))
          if test.has("throws") {
            try expectThrows("checking the ordering") { try ordering.requirePrimaryKey(key) }
          } else {
            try expectEqual(try test.bool("includesPK"), true, "includesPK")
            try ordering.requirePrimaryKey(key)
          }
          return
        }
        if test.has("throws") {
          try expectThrows("completing") {
            try ast(test).completingOrdering { primaryKeys[$0] }
          }
          return
        }
        let completed = try ast(test).completingOrdering { primaryKeys[$0] }
        try expectEqual(text(completed.jsonText), try test.string("completedJSON"), "text")
      }
    })

  static let astBindParameters = VectorRunner(
    fields: ["ast", "params", "bound", "throws"]
  ) { test in
    let parameters: JSONObject?
    switch try test.value("params").json() {
    case nil: parameters = nil
    case .object(let object)?: parameters = object
    default: throw VectorFailure("params is no object")
    }
    let query = try ast(test)
    if test.has("throws") {
      try expectThrows("binding") { try query.bindingParameters(parameters) }
      return
    }
    guard let expected = try test.value("bound").json() else {
      throw VectorFailure("bound is undefined")
    }
    try expectEqual(try query.bindingParameters(parameters).jsonValue, expected, "bound")
  }

  static let astValidation = VectorRunner(
    fields: ["note", "ast", "accept", "acceptStrict", "path", "code", "error", "strictError"]
  ) { test in
    let json = try test.json("ast")
    let accept = try test.bool("accept")
    let acceptStrict = test.has("acceptStrict") ? try test.bool("acceptStrict") : accept
    let lenient = Result { () throws(JSONError) in try AST(json: json, unknownMembers: .kept) }
    let strict = Result { () throws(JSONError) in try AST(json: json, unknownMembers: .refused) }
    switch lenient {
    case .success: try expectEqual(true, accept, "accepted with unknown members allowed")
    case .failure(let error):
      try expectEqual(false, accept, "accepted with unknown members allowed (\(error))")
      try expectEqual(error.path.json, try test.json("path"), "path")
      try expectEqual(
        try validationCode(error.code), try test.string("code"), "code of \(error)")
    }
    switch strict {
    case .success(let query):
      try expectEqual(true, acceptStrict, "accepted with unknown members refused")
      try expectEqual(query.jsonValue, json, "printed again")
    case .failure(let error):
      try expectEqual(false, acceptStrict, "accepted with unknown members refused (\(error))")
    }
  }

  // MARK: -

  static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  static func ast(_ test: VectorCase) throws -> AST {
    guard let json = try test.value("ast").json() else { throw VectorFailure("ast is undefined") }
    return try AST(json: json, unknownMembers: .kept)
  }

  static func condition(_ test: VectorCase) throws -> Condition {
    guard let json = try test.value("condition").json() else {
      throw VectorFailure("condition is undefined")
    }
    return try Condition(json: json, unknownMembers: .kept)
  }

  static func strings(_ json: JSONValue) throws -> [String] {
    guard case .array(let elements) = json else { throw VectorFailure("no array of strings") }
    return try elements.map { element in
      guard case .string(let string) = element else { throw VectorFailure("no string") }
      return string
    }
  }

  private static func ordering(_ json: JSONValue) throws -> Ordering {
    guard case .array(let elements) = json else { throw VectorFailure("ordering is no array") }
    return try elements.map { element in
      let pair = try strings(element)
      guard pair.count == 2, let direction = Direction(rawValue: pair[1]) else {
        throw VectorFailure("\(pair) is no part of an ordering")
      }
      return OrderPart(pair[0], direction)
    }
  }

  /// The name that the reference has for a kind of failure.
  private static func validationCode(_ code: JSONError.Code) throws -> String {
    switch code {
    case .wrongType: "invalid_type"
    case .missingMember: "missing_value"
    case .invalidValue: "invalid_literal"
    case .invalidLength: "invalid_length"
    case .unknownMember: "unrecognized_keys"
    default: throw VectorFailure("an unexpected kind of error: \(code)")
    }
  }
}

extension JSONPath {
  /// The path as an array of names and indexes.
  fileprivate var json: JSONValue {
    .array(
      elements.map { element in
        switch element {
        case .key(let key): .string(key)
        case .index(let index): .number(Double(index))
        }
      })
  }
}
