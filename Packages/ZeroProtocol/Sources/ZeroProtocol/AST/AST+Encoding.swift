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
    return sink.text
  }
}

extension AST: SpelledNode {
  enum Member: String { case schema, table, alias, `where`, related, start, limit, orderBy }

  static let usualOrder: [Member] = [
    .schema, .table, .alias, .where, .related, .start, .limit, .orderBy,
  ]

  func encode(_ member: Member, to sink: inout some JSONSink) {
    switch member {
    case .schema: encode(schema, "schema", to: &sink)
    case .table: encode(table, "table", to: &sink)
    case .alias: encode(alias, "alias", to: &sink)
    case .where:
      guard let condition = self.where else { return }
      sink.key("where")
      condition.encode(to: &sink)
    case .related:
      guard let related else { return }
      sink.key("related")
      sink.beginArray()
      for entry in related { entry.encode(to: &sink) }
      sink.endArray()
    case .start:
      guard let start else { return }
      sink.key("start")
      start.encode(to: &sink)
    case .limit:
      guard let limit else { return }
      sink.key("limit")
      sink.put(limit)
    case .orderBy:
      guard let orderBy else { return }
      sink.key("orderBy")
      sink.beginArray()
      for part in orderBy { sink.put([part.column, part.direction.rawValue]) }
      sink.endArray()
    }
  }

  private func encode(_ text: String?, _ name: String, to sink: inout some JSONSink) {
    guard let text else { return }
    sink.key(name)
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
    return sink.text
  }

  func encode(to sink: inout some JSONSink) {
    switch self {
    case .simple(let condition): condition.encode(to: &sink)
    case .correlatedSubquery(let condition): condition.encode(to: &sink)
    case .and(let members): Self.encode("and", members, to: &sink)
    case .or(let members): Self.encode("or", members, to: &sink)
    }
  }

  private static func encode(_ type: String, _ members: [Condition], to sink: inout some JSONSink) {
    sink.beginObject()
    sink.key("type")
    sink.put(type)
    sink.key("conditions")
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

  func encode(_ member: Member, to sink: inout some JSONSink) {
    sink.key(member.rawValue)
    switch member {
    case .type: sink.put("simple")
    case .left: left.encode(to: &sink)
    case .right: right.encode(to: &sink)
    case .op: sink.put(op.rawValue)
    }
  }
}

extension ValuePosition: SpelledNode {
  enum Member: String { case type, name, value, anchor, field }

  static let usualOrder: [Member] = [.type, .name, .value, .anchor, .field]

  func encode(_ member: Member, to sink: inout some JSONSink) {
    switch (member, kind) {
    case (.type, _):
      sink.key("type")
      switch kind {
      case .column: sink.put("column")
      case .literal: sink.put("literal")
      case .parameter: sink.put("static")
      }
    case (.name, .column(let name)):
      sink.key("name")
      sink.put(name)
    case (.value, .literal(let value)):
      guard value != .absent else { return }
      sink.key("value")
      Self.encode(value, to: &sink)
    case (.anchor, .parameter(let parameter)):
      sink.key("anchor")
      sink.put(parameter.anchor.rawValue)
    case (.field, .parameter(let parameter)):
      sink.key("field")
      if parameter.isSingleField, let field = parameter.path.first {
        sink.put(field)
      } else {
        sink.put(parameter.path)
      }
    default: break
    }
  }

  private static func encode(_ value: Value, to sink: inout some JSONSink) {
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

  func encode(_ member: Member, to sink: inout some JSONSink) {
    switch member {
    case .type:
      sink.key("type")
      sink.put("correlatedSubquery")
    case .related:
      sink.key("related")
      related.encode(to: &sink)
    case .op:
      sink.key("op")
      sink.put(op.rawValue)
    case .flip:
      guard let flip else { return }
      sink.key("flip")
      sink.put(flip)
    case .scalar:
      guard let scalar else { return }
      sink.key("scalar")
      sink.put(scalar)
    }
  }
}

extension CorrelatedSubquery: SpelledNode {
  enum Member: String { case system, correlation, hidden, subquery }

  static let usualOrder: [Member] = [.system, .correlation, .hidden, .subquery]

  func encode(_ member: Member, to sink: inout some JSONSink) {
    switch member {
    case .system:
      guard let system else { return }
      sink.key("system")
      sink.put(system.rawValue)
    case .correlation:
      sink.key("correlation")
      sink.beginObject()
      sink.key("parentField")
      sink.put(correlation.parentField)
      sink.key("childField")
      sink.put(correlation.childField)
      sink.endObject()
    case .hidden:
      guard let hidden else { return }
      sink.key("hidden")
      sink.put(hidden)
    case .subquery:
      sink.key("subquery")
      subquery.encode(to: &sink)
    }
  }
}

extension Start: SpelledNode {
  enum Member: String { case row, exclusive }

  static let usualOrder: [Member] = [.row, .exclusive]

  func encode(_ member: Member, to sink: inout some JSONSink) {
    sink.key(member.rawValue)
    switch member {
    case .row: sink.put(.object(row))
    case .exclusive: sink.put(exclusive)
    }
  }
}
