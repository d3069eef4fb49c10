import ZeroProtocol

extension VectorRunner {
  static let filter = VectorRunner(
    fields: ["condition", "rows", "results", "createThrows"], headerFields: ["rowSets"],
    prepare: { file in
      guard case .object(let rowSets) = try file.header("rowSets") else {
        throw VectorFailure("rowSets is no object")
      }
      return { test in
        let condition = try looseCondition(try test.value("condition"))
        if test.has("createThrows") {
          try expectThrows("compiling") {
            try RowPredicate(condition, RowLayout(table: "t", columns: [], primaryKey: []))
          }
          return
        }
        var rows = try test.json("rows")
        if case .string(let name) = rows {
          guard let set = rowSets[name] else { throw VectorFailure("no row set \(name)") }
          rows = set
        }
        guard case .array(let elements) = rows else { throw VectorFailure("rows is no array") }
        let (layout, packed) = try pack(try elements.map { try VectorValue($0) })
        let predicate = try RowPredicate(condition, layout)
        let results = packed.map { row in
          do {
            return try predicate.matches(row) ? "t" : "f"
          } catch {
            return "x"
          }
        }.joined()
        try expectEqual(results, try test.string("results"), "results")
      }
    })

  static let conditionTransform = VectorRunner(
    fields: [
      "condition", "simplified", "filters", "conditionsRemoved", "negated", "notExistsAllowed",
    ]
  ) { test in
    guard let json = try test.value("condition").json() else {
      try expectEqual(try test.value("filters").isUndefined, true, "filters")
      try expectEqual(try test.bool("conditionsRemoved"), false, "conditionsRemoved")
      return
    }
    let condition = try Condition(json: json, unknownMembers: .kept)
    func expected(_ field: String) throws -> JSONValue? {
      try test.json(field) == .string("=") ? json : try test.value(field).json()
    }
    func check(_ actual: Condition?, _ field: String) throws {
      let wanted = try expected(field)
      try expectEqual(actual?.jsonValue ?? .null, wanted ?? .null, field)
      try expectEqual(
        actual.map { text($0.jsonText) } ?? "", wanted?.jsonString ?? "", "text of \(field)")
    }
    let part = condition.rowPart
    try check(condition.simplified, "simplified")
    try check(part.filter, "filters")
    try expectEqual(part.isWeaker, try test.bool("conditionsRemoved"), "conditionsRemoved")
    try check(condition.negated, "negated")
    try expectEqual(
      !condition.containsNotExists, try test.bool("notExistsAllowed"), "notExistsAllowed")
  }

  static let conditionCombine = VectorRunner(fields: ["conditions", "and", "or"]) { test in
    let conditions = try test.array("conditions").compactMap { json in
      try VectorValue(json).json().map { try Condition(json: $0, unknownMembers: .kept) }
    }
    try expectEqual(Condition.conjunction(conditions).jsonValue, try test.json("and"), "and")
    try expectEqual(Condition.disjunction(conditions).jsonValue, try test.json("or"), "or")
  }

  static let operatorNegation = VectorRunner(fields: ["op", "negated", "throws"]) { test in
    let op = try test.string("op")
    let negated =
      SimpleOperator(rawValue: op)?.negated.rawValue
      ?? ExistsOperator(rawValue: op)?.negated.rawValue
    if test.has("throws") {
      guard negated == nil else { throw VectorFailure("\(op) was taken for an operator") }
      return
    }
    try expectEqual(negated ?? "", try test.string("negated"), "negated")
  }

  // MARK: -

  /// A condition whose literals may be undefined, which JSON text cannot say.
  private static func looseCondition(_ value: VectorValue) throws -> Condition {
    guard case .object(let members) = value else { throw VectorFailure("condition is no object") }
    func field(_ name: String) throws -> VectorValue {
      guard let member = members.first(where: { $0.key == name }) else {
        throw VectorFailure("a condition without \(name)")
      }
      return member.value
    }
    switch try field("type").text() {
    case "and", "or":
      guard case .array(let elements) = try field("conditions") else {
        throw VectorFailure("conditions is no array")
      }
      let conditions = try elements.map { try looseCondition($0) }
      return try field("type").text() == "and" ? .and(conditions) : .or(conditions)
    case "simple":
      guard let op = SimpleOperator(rawValue: try field("op").text()) else {
        throw VectorFailure("unknown operator")
      }
      return .simple(
        SimpleCondition(
          left: try position(try field("left")), op, right: try position(try field("right"))))
    case let type: throw VectorFailure("unknown type of condition \(type)")
    }
  }

  private static func position(_ value: VectorValue) throws -> ValuePosition {
    guard case .object(let members) = value else { throw VectorFailure("no value position") }
    let fields = Dictionary(members.map { ($0.key, $0.value) }) { first, _ in first }
    switch (try fields["type"]?.text(), fields["name"], fields["value"]) {
    case ("column"?, let name?, nil): return .column(try name.text())
    case ("literal"?, nil, let value?): return .literal(try value.columnValue())
    case ("static"?, nil, nil):
      guard let anchor = try fields["anchor"].flatMap({ ParameterAnchor(rawValue: try $0.text()) }),
        let field = fields["field"]
      else { throw VectorFailure("no static parameter") }
      return .parameter(StaticParameter(anchor: anchor, field: try field.text()))
    default: throw VectorFailure("unknown value position \(value)")
    }
  }

  /// Rows with all columns that any of them has.
  private static func pack(_ rows: [VectorValue]) throws -> (RowLayout, [Row]) {
    var names: [String] = []
    let rows = try rows.map { row in
      guard case .object(let members) = row else { throw VectorFailure("a row is no object") }
      for (name, _) in members where !names.contains(name) { names.append(name) }
      return members
    }
    let layout = RowLayout(
      table: "t", columns: names.map { ColumnDescriptor($0, .json) }, primaryKey: [])
    var builder = RowBuilder()
    let packed = try rows.map { members in
      builder.begin(layout)
      for (name, value) in members {
        guard let column = layout.index(of: name) else { throw VectorFailure("no column") }
        builder.set(column, try value.columnValue())
      }
      return builder.finish()
    }
    return (layout, packed)
  }
}
