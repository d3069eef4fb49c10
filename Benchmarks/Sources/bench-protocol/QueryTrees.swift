import ZeroProtocol

/// Query trees as apps have them, from a seed: conditions of some members, some of them nested,
/// subqueries, nested results, orders and limits.
struct QueryTrees {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  /// The next query, as JSON.
  mutating func next() -> JSONValue { query(depth: 0, alias: nil) }

  // MARK: -

  private static let columns = [
    "id", "title", "priority", "status", "ownerID", "projectID", "createdAt", "done",
  ]

  private mutating func number(below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  private mutating func column() -> JSONValue {
    .string(Self.columns[number(below: Self.columns.count)])
  }

  private mutating func query(depth: Int, alias: String?) -> JSONValue {
    var object: JSONObject = ["table": .string("table\(number(below: 12))")]
    if let alias { object["alias"] = .string(alias) }
    if number(below: 4) > 0 {
      let members = (0..<(2 + number(below: 5))).map { _ in condition(depth: depth) }
      object["where"] = .object(["type": .string("and"), "conditions": .array(members)])
    }
    if depth < 2 {
      object["related"] = .array(
        (0..<number(below: 4)).map { place in
          subquery(depth: depth + 1, alias: "relation\(9 - place)")
        })
    }
    if number(below: 2) == 0 { object["limit"] = .number(Double(10 * number(below: 20))) }
    if number(below: 2) == 0 {
      object["orderBy"] = .array([.array([column(), .string("desc")])])
    }
    return .object(object)
  }

  private mutating func subquery(depth: Int, alias: String) -> JSONValue {
    .object([
      "system": .string("client"),
      "correlation": .object([
        "parentField": .array([.string("id")]), "childField": .array([.string("parentID")]),
      ]),
      "subquery": query(depth: depth, alias: alias),
    ])
  }

  private mutating func condition(depth: Int) -> JSONValue {
    switch number(below: 10) {
    case 0 where depth < 2:
      .object([
        "type": .string("correlatedSubquery"),
        "related": subquery(depth: 2, alias: "zsubq_relation\(number(below: 9))"),
        "op": .string("EXISTS"),
      ])
    case 1, 2:
      .object([
        "type": .string("or"), "conditions": .array((0..<3).map { _ in comparison() }),
      ])
    default: comparison()
    }
  }

  private mutating func comparison() -> JSONValue {
    let value: JSONValue =
      switch number(below: 4) {
      case 0: .number(Double(number(below: 100_000)) / 4)
      case 1: .bool(true)
      case 2: .null
      default: .string("value \(number(below: 1000)) é")
      }
    return .object([
      "type": .string("simple"),
      "left": .object(["type": .string("column"), "name": column()]),
      "right": .object(["type": .string("literal"), "value": value]),
      "op": .string(["=", "!=", "<", "IS"][number(below: 4)]),
    ])
  }
}
