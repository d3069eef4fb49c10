import ZeroProtocol

extension VectorRunner {
  static let fixtureSchema = VectorRunner.fixture(headerFields: ["schema", "spec"]) { file in
    let json = try file.header("schema")
    try expectEqual(try ZeroSchema(json: json).jsonValue, json, "schema printed again")
    let built = try schema(spec: try file.header("spec"))
    try built.validate()
    try expectEqual(built.jsonValue, json, "schema built from its description")
  }

  static let schema = VectorRunner(
    fields: ["spec", "schema", "clientSchemaJSON", "hash", "schemaVersion", "throws"],
    prepare: { file in
      guard let version = file.protocolVersion else { throw VectorFailure("no protocolVersion") }
      return { test in
        let spec = try test.json("spec")
        if test.has("throws") {
          try expectThrows("building the schema") { try schema(spec: spec).validate() }
          return
        }
        let built = try schema(spec: spec)
        try built.validate()
        try check(built, test, version)
        try check(try ZeroSchema(json: try test.json("schema")), test, version)
      }
    })

  static let clientSchemaNormalize = VectorRunner(
    fields: ["clientSchema", "json", "hash", "throws"]
  ) { test in
    guard let json = try test.value("clientSchema").json() else {
      throw VectorFailure("clientSchema is undefined")
    }
    if test.has("throws") {
      try expectThrows("normalizing") { try ClientSchema(json: json) }
      return
    }
    let normal = try ClientSchema(json: json)
    try expectEqual(normal.jsonValue.jsonString, try test.string("json"), "json")
    try expectEqual(normal.hash, try test.string("hash"), "hash")
  }

  static let nameMapper = VectorRunner(
    fields: ["direction", "fn", "args", "result", "throws"],
    prepare: { file in
      let schema = try fixtureSchema(file)
      let toServer = NameMapper(schema, .clientToServer)
      let toClient = NameMapper(schema, .serverToClient)
      return { test in
        let mapper: NameMapper
        switch try test.string("direction") {
        case "clientToServer": mapper = toServer
        case "serverToClient": mapper = toClient
        case let direction: throw VectorFailure("unknown direction \(direction)")
        }
        let function = try test.string("fn")
        let arguments = try test.array("args").map { try VectorValue($0) }
        if test.has("throws") {
          try expectThrows(function) { try map(function, arguments, by: mapper) }
          return
        }
        let result = try map(function, arguments, by: mapper)
        let expected = try test.value("result").json()
        try expectEqual(
          result?.jsonString ?? "undefined", expected?.jsonString ?? "undefined", "result")
      }
    })

  static let crudMapping = VectorRunner(
    fields: ["arg", "mapped", "throws"],
    prepare: { file in
      let toServer = NameMapper(try fixtureSchema(file), .clientToServer)
      return { test in
        let writes = try writes(try test.value("arg"))
        if test.has("throws") {
          try expectThrows("mapping") { try writes.map { try $0.mapped(by: toServer) } }
          return
        }
        try expectEqual(
          try writes.map { try $0.mapped(by: toServer) }, try Self.writes(try test.value("mapped")),
          "mapped")
      }
    })

  // MARK: -

  /// The schema of the file that a vector file refers to.
  static func fixtureSchema(_ file: VectorFile) throws -> ZeroSchema {
    guard case .string("fixture-schema.json")? = file.header["schemaFile"] else {
      throw VectorFailure("unknown schemaFile")
    }
    return try ZeroSchema(json: try file.sibling("fixture-schema").header("schema"))
  }

  private static func check(_ schema: ZeroSchema, _ test: VectorCase, _ version: Int) throws {
    try expectEqual(schema.jsonValue, try test.json("schema"), "schema")
    try expectEqual(
      schema.clientSchema.jsonValue.jsonString, try test.string("clientSchemaJSON"),
      "clientSchemaJSON")
    try expectEqual(schema.clientSchema.hash, try test.string("hash"), "hash")
    try expectEqual(
      schema.schemaVersion(protocolVersion: version), try test.string("schemaVersion"),
      "schemaVersion")
  }

  private static func map(
    _ function: String, _ arguments: [VectorValue], by mapper: NameMapper
  ) throws -> JSONValue? {
    guard let table = try arguments.first?.text() else { throw VectorFailure("no table") }
    switch (function, arguments.count) {
    case ("tableName", 1): return .string(try mapper.tableName(table))
    case ("tableNameIfKnown", 1): return mapper.tableNameIfKnown(table).map { .string($0) }
    case ("columnName", 2):
      return .string(try mapper.columnName(try arguments[1].text(), of: table))
    case ("row", 2):
      guard case .object(let row)? = try arguments[1].json() else {
        throw VectorFailure("no row")
      }
      return .object(try mapper.row(row, of: table))
    case ("columns", 2):
      guard let columns = try arguments[1].json() else { return nil }
      return .array(try mapper.columns(try strings(columns), of: table).map { .string($0) })
    default: throw VectorFailure("unknown function \(function)")
    }
  }

  private static func writes(_ argument: VectorValue) throws -> [CRUDWrite] {
    guard case .object(let argument)? = try argument.json(), argument.count == 1,
      case .array(let writes)? = argument["ops"]
    else { throw VectorFailure("an argument without ops") }
    return try writes.map { write in
      let write = try Spec(write, ["op", "tableName", "primaryKey", "value"])
      guard let operation = CRUDWrite.Operation(rawValue: try write.string("op")),
        case .object(let value)? = write.object["value"]
      else { throw VectorFailure("unknown write") }
      return CRUDWrite(
        operation, tableName: try write.string("tableName"),
        primaryKey: try write.strings("primaryKey"), value: value)
    }
  }

  private static func schema(spec: JSONValue) throws -> ZeroSchema {
    let spec = try Spec(
      spec, ["tables", "relationships", "enableLegacyQueries", "enableLegacyMutators"])
    return try ZeroSchema(
      tables: try spec.array("tables").map { try table(try Spec($0, tableFields)) },
      relationships: try spec.array("relationships").map { json in
        let declared = try Spec(json, ["table", "rels"])
        return (
          table: try declared.string("table"),
          relations: try declared.members("rels").map { try relation($0, $1) }
        )
      },
      enableLegacyQueries: try spec.bool("enableLegacyQueries"),
      enableLegacyMutators: try spec.bool("enableLegacyMutators"))
  }

  private static let tableFields: Set = ["name", "from", "columns", "primaryKey", "unique"]

  private static func table(_ spec: Spec) throws -> TableDescriptor {
    TableDescriptor(
      try spec.string("name"), server: try spec.optionalString("from"),
      columns: try spec.members("columns").map { name, json in
        let column = try Spec(json, ["type", "from", "optional"])
        let isEnumeration = try column.string("type") == "enum"
        guard
          let type = isEnumeration ? .string : ColumnType(rawValue: try column.string("type"))
        else { throw VectorFailure("unknown type of column") }
        return ColumnDescriptor(
          name, server: try column.optionalString("from"), type,
          optional: try column.bool("optional") ?? false, enumeration: isEnumeration ? [] : nil)
      },
      primaryKey: try spec.strings("primaryKey"),
      uniqueKeys: try spec.array("unique").map { try strings($0) })
  }

  private static func relation(_ name: String, _ json: JSONValue) throws -> RelationDescriptor {
    guard case .array(let hops) = json else { throw VectorFailure("a relation is no array") }
    let specs = try hops.map {
      try Spec($0, ["cardinality", "sourceField", "destTable", "destField"])
    }
    guard let last = specs.last,
      let cardinality = Cardinality(rawValue: try last.string("cardinality"))
    else { throw VectorFailure("a relation without cardinality") }
    return RelationDescriptor(
      name, cardinality,
      hops: try specs.map {
        Hop(
          try $0.strings("sourceField"), try $0.string("destTable"), try $0.strings("destField"))
      })
  }

  /// An object of a description, whose fields are all known.
  private struct Spec {
    let object: JSONObject

    init(_ json: JSONValue, _ fields: Set<String>) throws {
      guard case .object(let object) = json else {
        throw VectorFailure("a description is no object")
      }
      for (name, _) in object.members where !fields.contains(name) {
        throw VectorFailure("field \(name) of a description is not understood")
      }
      self.object = object
    }

    func optionalString(_ name: String) throws -> String? {
      switch object[name] {
      case nil: return nil
      case .string(let string)?: return string
      default: throw VectorFailure("\(name) is no string")
      }
    }

    func string(_ name: String) throws -> String {
      guard let string = try optionalString(name) else { throw VectorFailure("no \(name)") }
      return string
    }

    func bool(_ name: String) throws -> Bool? {
      switch object[name] {
      case nil: return nil
      case .bool(let bool)?: return bool
      default: throw VectorFailure("\(name) is no boolean")
      }
    }

    /// Empty if it is not there.
    func array(_ name: String) throws -> [JSONValue] {
      switch object[name] {
      case nil: return []
      case .array(let array)?: return array
      default: throw VectorFailure("\(name) is no array")
      }
    }

    func strings(_ name: String) throws -> [String] {
      try VectorRunner.strings(.array(try array(name)))
    }

    /// Names with values, in order: an object, or a list of pairs.
    func members(_ name: String) throws -> [(String, JSONValue)] {
      switch object[name] {
      case .object(let object)?: return object.members.map { ($0.key, $0.value) }
      case .array(let pairs)?:
        return try pairs.map { pair in
          guard case .array(let pair) = pair, pair.count == 2, case .string(let name) = pair[0]
          else { throw VectorFailure("no pair of a name and a value") }
          return (name, pair[1])
        }
      default: throw VectorFailure("\(name) has no names")
      }
    }
  }
}
