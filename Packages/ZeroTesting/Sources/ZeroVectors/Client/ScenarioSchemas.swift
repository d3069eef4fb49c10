import ZeroProtocol

/// The schemas that scenarios name.
struct ScenarioSchemas: Sendable {
  struct Entry: Sendable {
    let schema: ZeroSchema
    /// What the client sends about it.
    let clientSchema: JSONValue
  }
  let entries: [String: Entry]

  init(_ file: VectorFile) throws {
    guard case .object(let schemas) = try file.header("schemas") else {
      throw VectorFailure("schemas is no object")
    }
    var entries: [String: Entry] = [:]
    for (name, json) in schemas.members {
      guard case .object(let object) = json, let clientSchema = object["clientSchema"] else {
        throw VectorFailure("schema \(name) is no object with a clientSchema")
      }
      let schema = try Self.schema(object)
      guard schema.clientSchema.jsonValue == clientSchema else {
        throw VectorFailure("the client schema of \(name) is another")
      }
      entries[name] = Entry(schema: schema, clientSchema: clientSchema)
    }
    self.entries = entries
  }

  func entry(_ name: String) throws -> Entry {
    guard let entry = entries[name] else { throw VectorFailure("no schema \(name)") }
    return entry
  }

  // MARK: -

  private static func schema(_ object: JSONObject) throws -> ZeroSchema {
    let tables = try Fields(object["tables"])
    let relationships = try Fields(object["relationships"] ?? .object([:]))
    return ZeroSchema(
      tables: try tables.object.members.map { name, json in
        let table = try Fields(json)
        let columns = try Fields(table.json("columns")).object.members.map { name, json in
          let column = try Fields(json)
          guard let type = ColumnType(rawValue: try column.string("type")) else {
            throw VectorFailure("column \(name) has an unknown type")
          }
          return ColumnDescriptor(
            name, server: try column.optionalString("serverName"), type,
            optional: try column.optionalBool("optional") ?? false)
        }
        let relations = try Fields(relationships.object[name] ?? .object([:])).object.members.map {
          name, json in
          let relation = try Fields(json)
          guard let cardinality = Cardinality(rawValue: try relation.string("cardinality")) else {
            throw VectorFailure("relationship \(name) has an unknown cardinality")
          }
          return RelationDescriptor(
            name, cardinality,
            hops: try relation.array("hops").map { json in
              let hop = try Fields(json)
              return Hop(
                try hop.strings("sourceField"), try hop.string("destSchema"),
                try hop.strings("destField"))
            })
        }
        return TableDescriptor(
          name, server: try table.optionalString("serverName"), columns: columns,
          primaryKey: try table.strings("primaryKey"), relations: relations)
      })
  }
}

/// The members of a JSON object, by type.
struct Fields {
  let object: JSONObject

  init(_ json: JSONValue?) throws {
    guard case .object(let object)? = json else {
      throw VectorFailure("expected an object, got \(json?.jsonString ?? "nothing")")
    }
    self.object = object
  }

  func json(_ name: String) throws -> JSONValue {
    guard let value = object[name] else { throw VectorFailure("no member \(name)") }
    return value
  }

  func string(_ name: String) throws -> String {
    guard case .string(let value) = try json(name) else { throw wrong(name, "a string") }
    return value
  }

  func number(_ name: String) throws -> Double {
    guard case .number(let value) = try json(name) else { throw wrong(name, "a number") }
    return value
  }

  func array(_ name: String) throws -> [JSONValue] {
    guard case .array(let value) = try json(name) else { throw wrong(name, "an array") }
    return value
  }

  func strings(_ name: String) throws -> [String] {
    try array(name).map {
      guard case .string(let value) = $0 else { throw wrong(name, "an array of strings") }
      return value
    }
  }

  /// Nil if the member is missing or null.
  func optionalString(_ name: String) throws -> String? { try optional(name, string) }
  func optionalNumber(_ name: String) throws -> Double? { try optional(name, number) }

  func optionalBool(_ name: String) throws -> Bool? {
    try optional(name) {
      guard case .bool(let value) = try json($0) else { throw wrong($0, "a boolean") }
      return value
    }
  }

  /// Fails on members that are not named.
  func allow(_ names: Set<String>) throws {
    for (name, _) in object.members where !names.contains(name) {
      throw VectorFailure("field \(name) is not understood")
    }
  }

  private func optional<T>(_ name: String, _ read: (String) throws -> T) throws -> T? {
    switch object[name] {
    case nil, .null?: nil
    default: try read(name)
    }
  }

  private func wrong(_ name: String, _ kind: String) -> VectorFailure {
    VectorFailure("\(name) is not \(kind)")
  }
}
