extension ZeroSchema {
  /// Takes a schema as the JavaScript schema builder makes it: an object with `tables` and
  /// `relationships`, whose members are in order of declaration.
  ///
  /// Taken besides: tables without `name`, columns without `optional` and with an `enum` list, and
  /// a relationship as an object with `cardinality` and `hops`. Members not mentioned here are
  /// ignored.
  /// - Throws: `JSONError` where the value has another shape, or a ``SchemaError`` from
  ///   ``validate()``.
  public init(json: JSONValue) throws {
    var decoder = JSONTreeDecoder(unknownMembers: .kept)
    self = try decoder.schema(json)
    try validate()
  }

  /// The schema as the JavaScript schema builder makes it.
  public var jsonValue: JSONValue {
    let relationships = tablesWithRelationships.compactMap { name -> (String, JSONValue)? in
      table(name).map { (name, .object(JSONObject($0.relations.map { ($0.name, $0.jsonValue) }))) }
    }
    var object: JSONObject = [
      "tables": .object(JSONObject(tables.map { ($0.name, $0.jsonValue) })),
      "relationships": .object(JSONObject(relationships)),
    ]
    object["enableLegacyQueries"] = enableLegacyQueries.map { .bool($0) }
    object["enableLegacyMutators"] = enableLegacyMutators.map { .bool($0) }
    return .object(object)
  }
}

extension TableDescriptor {
  fileprivate var jsonValue: JSONValue {
    let columns = columns.map { column -> (String, JSONValue) in
      var object: JSONObject = [
        "type": .string(column.type.rawValue), "optional": .bool(column.isOptional),
      ]
      if column.hasServerName { object["serverName"] = .string(column.serverName) }
      return (column.name, .object(object))
    }
    var object: JSONObject = [
      "name": .string(name), "columns": .object(JSONObject(columns)),
      "primaryKey": .array(primaryKey.map { .string($0) }),
    ]
    if hasServerName { object["serverName"] = .string(serverName) }
    if !uniqueKeys.isEmpty {
      object["uniqueKeys"] = .array(uniqueKeys.map { .array($0.map { .string($0) }) })
    }
    return .object(object)
  }
}

extension RelationDescriptor {
  fileprivate var jsonValue: JSONValue {
    .array(
      hops.map { hop in
        .object([
          "sourceField": .array(hop.from.map { .string($0) }),
          "destField": .array(hop.to.map { .string($0) }),
          "destSchema": .string(hop.table),
          "cardinality": .string(cardinality.rawValue),
        ])
      })
  }
}

extension JSONTreeDecoder {
  fileprivate mutating func schema(_ json: JSONValue) throws -> ZeroSchema {
    let object = try self.object(json)
    let tables = try member("tables", of: object) { (decoder, value) throws(JSONError) in
      try decoder.entries(value) { (decoder, name, value) throws(JSONError) in
        try decoder.table(name, value)
      }
    }
    let relationships = try optional("relationships", of: object) {
      (decoder, value) throws(JSONError) in
      try decoder.entries(value) { (decoder, table, value) throws(JSONError) in
        (
          table: table,
          relations: try decoder.entries(value) { (decoder, name, value) throws(JSONError) in
            try decoder.relation(name, value)
          }
        )
      }
    }
    return try ZeroSchema(
      tables: tables, relationships: relationships ?? [],
      enableLegacyQueries: try flag("enableLegacyQueries", of: object),
      enableLegacyMutators: try flag("enableLegacyMutators", of: object))
  }

  // MARK: -

  private mutating func flag(_ name: String, of object: JSONObject) throws(JSONError) -> Bool? {
    try optional(name, of: object) { (decoder, value) throws(JSONError) in
      try decoder.bool(value)
    }
  }

  private mutating func text(_ name: String, of object: JSONObject) throws(JSONError) -> String? {
    try optional(name, of: object) { (decoder, value) throws(JSONError) in
      try decoder.string(value)
    }
  }

  private mutating func table(
    _ name: String, _ json: JSONValue
  ) throws(JSONError) -> TableDescriptor {
    let object = try self.object(json)
    let columns = try member("columns", of: object) { (decoder, value) throws(JSONError) in
      let columns = try decoder.entries(value) { (decoder, name, value) throws(JSONError) in
        try decoder.column(name, value)
      }
      guard columns.count <= RowLayout.columnLimit else {
        throw decoder.error(
          .invalidLength, "a table has at most \(RowLayout.columnLimit) columns")
      }
      return columns
    }
    let primaryKey = try optional("primaryKey", of: object) { (decoder, value) throws(JSONError) in
      try decoder.strings(value)
    }
    let uniqueKeys = try optional("uniqueKeys", of: object) { (decoder, value) throws(JSONError) in
      try decoder.array(value) { (decoder, value) throws(JSONError) in try decoder.strings(value) }
    }
    return TableDescriptor(
      try text("name", of: object) ?? name, exactServer: try text("serverName", of: object),
      columns: columns, primaryKey: primaryKey ?? [], uniqueKeys: uniqueKeys ?? [])
  }

  private mutating func column(
    _ name: String, _ json: JSONValue
  ) throws(JSONError) -> ColumnDescriptor {
    let object = try self.object(json)
    return ColumnDescriptor(
      name, server: try text("serverName", of: object),
      try literal("type", of: object, ColumnType.self),
      optional: try flag("optional", of: object) ?? false,
      enumeration: try optional("enum", of: object) { (decoder, value) throws(JSONError) in
        try decoder.strings(value)
      })
  }

  private mutating func relation(
    _ name: String, _ json: JSONValue
  ) throws(JSONError) -> RelationDescriptor {
    if case .object(let object) = json {
      let cardinality = try literal("cardinality", of: object, Cardinality.self)
      let hops = try member("hops", of: object) { (decoder, value) throws(JSONError) in
        try decoder.array(value) { (decoder, value) throws(JSONError) in
          try decoder.hop(try decoder.object(value))
        }
      }
      return RelationDescriptor(name, cardinality, hops: hops)
    }
    var cardinality = Cardinality.many
    let hops = try array(json) { (decoder, value) throws(JSONError) in
      let object = try decoder.object(value)
      cardinality = try decoder.literal("cardinality", of: object, Cardinality.self)
      return try decoder.hop(object)
    }
    return RelationDescriptor(name, cardinality, hops: hops)
  }

  private mutating func hop(_ object: JSONObject) throws(JSONError) -> Hop {
    let source = try member("sourceField", of: object) { (decoder, value) throws(JSONError) in
      try decoder.strings(value)
    }
    let table = try member("destSchema", of: object) { (decoder, value) throws(JSONError) in
      try decoder.string(value)
    }
    let destination = try member("destField", of: object) { (decoder, value) throws(JSONError) in
      try decoder.strings(value)
    }
    return Hop(source, table, destination)
  }
}
