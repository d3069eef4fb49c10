@_spi(Engine) import ZeroIVM
import ZeroProtocol

/// A case's schema, rows by name and queries.
struct EngineCase {
  struct Query {
    let ast: AST
    let format: Format
  }

  let schema: ZeroSchema
  let queries: [Query]
  private var rows: [String: Row] = [:]
  private var names: [String: String] = [:]
  /// Names of the rows that each table starts with.
  private var initial: [(table: String, names: [String])] = []

  init(_ test: VectorCase, _ fixtures: EngineFixtures) throws {
    schema = try fixtures.schema(try test.string("schema"))
    queries = try test.array("queries").map { try Query($0) }
    if let data = test.object["data"] ?? test.object["rowsFrom"] {
      let set = try fixtures.dataSet(try data.string("data"))
      try name(try set.require("rows").object("rows"))
      if test.has("data") { try start(try set.require("tables").object("tables")) }
    }
    try name(try test.object("rows"))
    if test.has("tables") { try start(try test.object("tables")) }
  }

  /// The rows each table starts with.
  func initialRows() throws -> [(table: String, rows: [Row])] {
    try initial.map { ($0.table, try $0.names.map { try row($0) }) }
  }

  /// A branch with the initial rows.
  func branch(head: String? = nil, allowsNotExists: Bool = false) throws -> Branch {
    let branch = Branch(schema: schema, head: head, allowsNotExists: allowsNotExists)
    for (table, rows) in try initialRows() { try branch.load(table, ContiguousArray(rows)) }
    return branch
  }

  func row(_ name: String) throws -> Row {
    guard let row = rows[name] else { throw VectorFailure("no row \(name)") }
    return row
  }

  /// A row by name, or given in full for a table that the schema lacks.
  func row(_ json: JSONValue, table: String) throws -> Row {
    guard case .object(let object) = json else { return try row(try json.string("row")) }
    let layout = RowLayout(
      table: table, columns: object.members.map { ColumnDescriptor($0.key, .json) },
      primaryKey: object.members.prefix(1).map(\.key))
    return try Self.row(object, layout)
  }

  /// A push, or a difference without its key.
  func change(_ json: JSONValue) throws -> SourceChange {
    var parts = try json.array("push")
    let kind = try parts[0].string("kind")
    if kind == "del" || kind == "change" || (kind == "add" && parts.count == 4) {
      parts.remove(at: 1)
    }
    let table = try parts[1].string("table")
    switch (kind, parts.count) {
    case ("add", 3): return .add(try row(parts[2], table: table))
    case ("remove", 3), ("del", 3): return .remove(try row(parts[2], table: table))
    case ("edit", 4), ("change", 4):
      return .edit(old: try row(parts[2], table: table), new: try row(parts[3], table: table))
    default: throw VectorFailure("\(json.jsonString) is no push")
    }
  }

  func name(of row: Row) -> JSONValue {
    .string(names[Self.text(row)] ?? "unnamed \(Self.text(row))")
  }

  func json(_ data: ViewData) -> JSONValue {
    switch data {
    case .many(let list): .array(list.map { json($0) })
    case .one(nil): .null
    case .one(let entry?): json(entry)
    }
  }

  private func json(_ entry: Entry) -> JSONValue {
    guard let shape = entry.shape, !shape.relationships.isEmpty else {
      return .array([name(of: entry.row)])
    }
    let related = shape.relationships.enumerated().map { slot, relationship in
      (relationship.name, entry.related(slot).map { json($0) } ?? .null)
    }
    return .array([name(of: entry.row), .object(JSONObject(related))])
  }

  /// Reference counts other than one, by path.
  func counts(_ data: ViewData, path: [JSONValue] = []) -> [JSONValue] {
    switch data {
    case .one(nil): []
    case .one(let entry?): counts(entry, path)
    case .many(let list):
      list.enumerated().flatMap { counts($1, path + [.number(Double($0))]) }
    }
  }

  private func counts(_ entry: Entry, _ path: [JSONValue]) -> [JSONValue] {
    var found: [JSONValue] = []
    if entry.pathCount != 1 {
      found.append(.array([.array(path), .number(Double(entry.pathCount))]))
    }
    for (slot, relationship) in (entry.shape?.relationships ?? []).enumerated() {
      guard let data = entry.related(slot) else { continue }
      found += counts(data, path: path + [.string(relationship.name)])
    }
    return found
  }

  func json(_ nodes: [RecordedNode]) -> JSONValue { .array(nodes.map { json($0) }) }

  private func json(_ node: RecordedNode) -> JSONValue {
    if node.related.isEmpty { return .array([name(of: node.row)]) }
    return .array([
      name(of: node.row), .object(JSONObject(node.related.map { ($0.name, json($0.nodes)) })),
    ])
  }

  /// A change; nil for one below a subquery of a condition.
  func json(_ change: RecordedChange) -> JSONValue? {
    switch change {
    case .add(let node): return .array([.string("add"), json(node)])
    case .remove(let node): return .array([.string("remove"), json(node)])
    case .edit(let old, let new):
      return .array([.string("edit"), name(of: old), name(of: new)])
    case .child(let row, let relationship, let below):
      guard !relationship.hasPrefix(AST.existsPrefix), let below = json(below) else { return nil }
      return .array([.string("child"), name(of: row), .string(relationship), below])
    }
  }

  // MARK: -

  private mutating func name(_ rows: JSONObject) throws {
    for (name, json) in rows.members {
      let table = String(name.prefix { $0 != ":" })
      guard let layout = schema.table(table)?.layout else {
        throw VectorFailure("row \(name) of an unknown table")
      }
      let row = try Self.row(try json.object(name), layout)
      self.rows[name] = row
      names[Self.text(row)] = name
    }
  }

  private mutating func start(_ tables: JSONObject) throws {
    for (table, rows) in tables.members {
      initial.append((table, try rows.array(table).map { try $0.string("row") }))
    }
  }

  private static func row(_ object: JSONObject, _ layout: RowLayout) throws -> Row {
    var builder = RowBuilder()
    builder.begin(layout)
    for (column, json) in object.members {
      guard let place = layout.index(of: column) else {
        throw VectorFailure("no column \(column) in table \(layout.table)")
      }
      builder.set(place, try VectorValue(json).columnValue())
    }
    return builder.finish()
  }

  /// A row's content, different for different rows.
  private static func text(_ row: Row) -> String {
    let values = row.layout.columns.indices.map { place in
      switch row[place] {
      case .absent: "absent"
      case .null: "null"
      case .bool(let value): "\(value)"
      case .number(let value): "\(value)"
      case .string(let value): JSONValue.string(value).jsonString
      case .json(let value): value.jsonString
      }
    }
    return "\(row.layout.table)(\(values.joined(separator: ",")))"
  }
}

extension EngineCase.Query {
  init(_ json: JSONValue) throws {
    let object = try json.object("query")
    try object.allow(["table", "dsl", "ast", "format"], "query")
    let json = try VectorValue(try object.require("ast")).json()
    ast = try AST(json: json ?? .null, unknownMembers: .refused)
    format = try Format(vector: try object.require("format"))
  }
}

extension Format {
  init(vector json: JSONValue) throws {
    let object = try json.object("format")
    try object.allow(["singular", "relationships"], "format")
    guard case .bool(let singular) = try object.require("singular") else {
      throw VectorFailure("singular is no bool")
    }
    let relationships = try object.require("relationships").object("relationships")
    self.init(
      singular: singular,
      relationships: try relationships.members.map { ($0.key, try Format(vector: $0.value)) })
  }
}

/// Nodes or changes of a file without what serves conditions only.
func droppingConditionRows(_ json: JSONValue) -> JSONValue? {
  switch json {
  case .array(let parts):
    if parts.count == 4, parts[0] == .string("child"), case .string(let name) = parts[2] {
      guard !name.hasPrefix(AST.existsPrefix), let below = droppingConditionRows(parts[3]) else {
        return nil
      }
      return .array([parts[0], parts[1], parts[2], below])
    }
    let kept = parts.compactMap { droppingConditionRows($0) }
    if kept.count == 2, case .object(let related) = kept[1], related.isEmpty {
      return .array([kept[0]])
    }
    return .array(kept)
  case .object(let related):
    return .object(
      JSONObject(
        related.members.compactMap { member in
          member.key.hasPrefix(AST.existsPrefix)
            ? nil : droppingConditionRows(member.value).map { (member.key, $0) }
        }))
  default: return json
  }
}

extension EngineError {
  /// The kind of error in the words of the files.
  var vectorKind: String {
    switch code {
    case .rowExists: return "row-exists"
    case .rowMissing: return "row-missing"
    case .compareTypes: return "compare-types"
    case .compareUnsupported: return "compare-unsupported"
    case .singularMany: return "singular-many"
    case .unknownTable: return "unknown-table"
    case .notExistsUnsupported: return "not-exists-unsupported"
    case .existsStart: return "exists-start"
    case .existsRelated: return "exists-related"
    case .wrongHead: return "wrong-head"
    case .predicate:
      switch predicateError?.code {
      case .invalidPattern?: return "like-pattern"
      case .textRequired?: return "like-operand"
      case .typeMismatch?: return "compare-types"
      case .unboundParameter?: return "static-parameter"
      default: return "\(self)"
      }
    default: return "\(self)"
    }
  }
}
