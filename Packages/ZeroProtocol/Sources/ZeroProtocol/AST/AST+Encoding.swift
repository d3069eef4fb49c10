extension AST {
  /// The JSON form: members in the order of normalized queries and as the builder prints them, or
  /// as they were received.
  public var jsonValue: JSONValue {
    var sink = JSONValueSink()
    encode(to: &sink)
    return sink.value
  }

  /// The text of ``jsonValue``, as UTF-8.
  public var jsonText: [UInt8] {
    var sink = JSONTextSink()
    encode(to: &sink)
    return Array(sink.bytes)
  }
}

extension AST: SpelledNode {
  enum Member: String { case schema, table, alias, `where`, related, start, limit, orderBy }

  static let usualOrder: [Member] = [
    .schema, .table, .alias, .where, .related, .start, .limit, .orderBy,
  ]

  func encode(_ member: Member, to sink: inout some JSONSink & ~Copyable) {
    switch member {
    case .schema: encode(schema, "schema", to: &sink)
    case .table: encode(table, "table", to: &sink)
    case .alias: encode(alias, "alias", to: &sink)
    case .where:
      guard let condition = self.where else { return }
      sink.key(known: "where")
      condition.encode(to: &sink)
    case .related:
      guard let related else { return }
      sink.key(known: "related")
      sink.beginArray()
      for entry in related { entry.encode(to: &sink) }
      sink.endArray()
    case .start:
      guard let start else { return }
      sink.key(known: "start")
      start.encode(to: &sink)
    case .limit:
      guard let limit else { return }
      sink.key(known: "limit")
      sink.put(limit)
    case .orderBy:
      guard let orderBy else { return }
      sink.key(known: "orderBy")
      sink.beginArray()
      for part in orderBy {
        sink.beginArray()
        sink.put(part.column)
        sink.put(known: part.direction == .asc ? "asc" : "desc")
        sink.endArray()
      }
      sink.endArray()
    }
  }

  private func encode(
    _ text: String?, _ name: StaticString, to sink: inout some JSONSink & ~Copyable
  ) {
    guard let text else { return }
    sink.key(known: name)
    sink.put(text)
  }
}

extension AST: Equatable {
  /// The same members with equal values. The order of members does not count.
  public static func == (a: AST, b: AST) -> Bool { a.jsonValue == b.jsonValue }
}

extension Condition {
  /// The JSON form.
  public var jsonValue: JSONValue {
    var sink = JSONValueSink()
    encode(to: &sink)
    return sink.value
  }

  /// The text of ``jsonValue``, as UTF-8.
  public var jsonText: [UInt8] {
    var sink = JSONTextSink()
    encode(to: &sink)
    return Array(sink.bytes)
  }

  func encode(to sink: inout some JSONSink & ~Copyable) {
    switch self {
    case .simple(let condition): condition.encode(to: &sink)
    case .correlatedSubquery(let condition): condition.encode(to: &sink)
    case .and(let members): Self.encode("and", members, to: &sink)
    case .or(let members): Self.encode("or", members, to: &sink)
    }
  }

  private static func encode(
    _ type: StaticString, _ members: [Condition], to sink: inout some JSONSink & ~Copyable
  ) {
    sink.beginObject()
    sink.key(known: "type")
    sink.put(known: type)
    sink.key(known: "conditions")
    sink.beginArray()
    for member in members { member.encode(to: &sink) }
    sink.endArray()
    sink.endObject()
  }
}

extension Condition: Equatable {
  /// The same members with equal values. The order of members does not count.
  public static func == (a: Condition, b: Condition) -> Bool { a.jsonValue == b.jsonValue }
}

extension SimpleCondition: SpelledNode {
  enum Member: String { case type, left, right, op }

  static let usualOrder: [Member] = [.type, .left, .right, .op]

  func encode(_ member: Member, to sink: inout some JSONSink & ~Copyable) {
    switch member {
    case .type:
      sink.key(known: "type")
      sink.put(known: "simple")
    case .left:
      sink.key(known: "left")
      left.encode(to: &sink)
    case .right:
      sink.key(known: "right")
      right.encode(to: &sink)
    case .op:
      sink.key(known: "op")
      sink.put(op.rawValue)
    }
  }
}

extension ValuePosition: SpelledNode {
  enum Member: String { case type, name, value, anchor, field }

  static let usualOrder: [Member] = [.type, .name, .value, .anchor, .field]

  func encode(_ member: Member, to sink: inout some JSONSink & ~Copyable) {
    switch (member, kind) {
    case (.type, _):
      sink.key(known: "type")
      switch kind {
      case .column: sink.put(known: "column")
      case .literal: sink.put(known: "literal")
      case .parameter: sink.put(known: "static")
      }
    case (.name, .column(let name)):
      sink.key(known: "name")
      sink.put(name)
    case (.value, .literal(let value)):
      guard value != .absent else { return }
      sink.key(known: "value")
      Self.encode(value, to: &sink)
    case (.anchor, .parameter(let parameter)):
      sink.key(known: "anchor")
      sink.put(parameter.anchor.rawValue)
    case (.field, .parameter(let parameter)):
      sink.key(known: "field")
      if parameter.isSingleField, let field = parameter.path.first {
        sink.put(field)
      } else {
        sink.put(parameter.path)
      }
    default: break
    }
  }

  private static func encode(_ value: Value, to sink: inout some JSONSink & ~Copyable) {
    switch value {
    case .absent, .null: sink.put(JSONValue.null)
    case .bool(let value): sink.put(value)
    case .number(let value): sink.put(value)
    case .string(let value): sink.put(value)
    case .json(let value): sink.put(value)
    }
  }
}

extension CorrelatedSubqueryCondition: SpelledNode {
  enum Member: String { case type, related, op, flip, scalar }

  static let usualOrder: [Member] = [.type, .related, .op, .flip, .scalar]

  func encode(_ member: Member, to sink: inout some JSONSink & ~Copyable) {
    switch member {
    case .type:
      sink.key(known: "type")
      sink.put(known: "correlatedSubquery")
    case .related:
      sink.key(known: "related")
      related.encode(to: &sink)
    case .op:
      sink.key(known: "op")
      sink.put(op.rawValue)
    case .flip:
      guard let flip else { return }
      sink.key(known: "flip")
      sink.put(flip)
    case .scalar:
      guard let scalar else { return }
      sink.key(known: "scalar")
      sink.put(scalar)
    }
  }
}

extension CorrelatedSubquery: SpelledNode {
  enum Member: String { case system, correlation, hidden, subquery }

  static let usualOrder: [Member] = [.system, .correlation, .hidden, .subquery]

  func encode(_ member: Member, to sink: inout some JSONSink & ~Copyable) {
    switch member {
    case .system:
      guard let system else { return }
      sink.key(known: "system")
      sink.put(system.rawValue)
    case .correlation:
      sink.key(known: "correlation")
      sink.beginObject()
      sink.key(known: "parentField")
      sink.put(correlation.parentField)
      sink.key(known: "childField")
      sink.put(correlation.childField)
      sink.endObject()
    case .hidden:
      guard let hidden else { return }
      sink.key(known: "hidden")
      sink.put(hidden)
    case .subquery:
      sink.key(known: "subquery")
      subquery.encode(to: &sink)
    }
  }
}

extension Start: SpelledNode {
  enum Member: String { case row, exclusive }

  static let usualOrder: [Member] = [.row, .exclusive]

  func encode(_ member: Member, to sink: inout some JSONSink & ~Copyable) {
    switch member {
    case .row:
      sink.key(known: "row")
      sink.put(.object(row))
    case .exclusive:
      sink.key(known: "exclusive")
      sink.put(exclusive)
    }
  }
}
