import ZeroProtocol

extension VectorRunner {
  static let compareValues = VectorRunner(
    fields: ["a", "b", "compare", "throws", "equal"]
  ) { test in
    let a = try test.value("a").columnValue()
    let b = try test.value("b").columnValue()
    let x = packed([a])
    let y = packed([.absent, b])
    let equal = try test.bool("equal")
    try expectEqual(Value.joinEqual(a, b), equal, "equality of values")
    try expectEqual(Row.joinEqual(x, 0, y, 1), equal, "equality of packed values")
    try expectEqual(x.joinEqual(0, to: b), equal, "equality of a packed value and another")
    if test.has("throws") {
      try expectThrows("order of values") { try Value.compare(a, b) }
      try expectThrows("order of packed values") { try Row.compare(x, 0, y, 1) }
      try expectThrows("order of a packed value and another") { try x.compare(0, to: b) }
    } else {
      let order = try test.int("compare")
      try expectEqual(try Value.compare(a, b), order, "order of values")
      try expectEqual(try Row.compare(x, 0, y, 1), order, "order of packed values")
      try expectEqual(try x.compare(0, to: b), order, "order of a packed value and another")
    }
  }

  static let normalizeUndefined = VectorRunner(fields: ["value", "normalized"]) { test in
    let normalized = try test.value("value").columnValue().jsonValue
    let expected = try test.value("normalized").json()
    guard let expected else { throw VectorFailure("normalized is undefined") }
    try expectEqual(normalized, expected, "normalized")
  }

  static let sortRows = VectorRunner(
    fields: ["order", "reverse", "rows", "matrix", "sorted"]
  ) { test in
    let order = try test.array("order").map { element in
      guard case .array(let pair) = element, pair.count == 2, case .string(let column) = pair[0],
        pair[1] == .string("asc") || pair[1] == .string("desc")
      else { throw VectorFailure("\(element.jsonString) is no column and direction") }
      return (column: column, isDescending: pair[1] == .string("desc"))
    }
    let isReverse = try test.bool("reverse")
    let rows = try test.array("rows").map { row in
      guard case .object(let members) = try VectorValue(row) else {
        throw VectorFailure("a row is no object")
      }
      return packed(
        try order.map { part in
          try members.first { $0.key == part.column }?.value.columnValue() ?? .absent
        })
    }
    func compare(_ a: Row, _ b: Row) throws -> Int {
      for (i, part) in order.enumerated() {
        let result = try Row.compare(a, i, b, i)
        if result != 0 { return part.isDescending == isReverse ? result : -result }
      }
      return 0
    }
    let matrix = try rows.map { a in try rows.map { b in try compare(a, b) } }
    let expected = try test.array("matrix").map { row in
      guard case .array(let signs) = row else { throw VectorFailure("matrix has no rows") }
      return signs.map { $0 == .number(0) ? 0 : $0 == .number(1) ? 1 : -1 }
    }
    try expectEqual(matrix, expected, "matrix")
    let sorted = rows.indices.sorted { matrix[$0][$1] == 0 ? $0 < $1 : matrix[$0][$1] < 0 }
    try expectEqual(
      .array(sorted.map { .number(Double($0)) }), try test.json("sorted"), "sorted")
  }

  static let deepEqual = VectorRunner(fields: ["a", "b", "equal"]) { test in
    let a = try test.value("a")
    let b = try test.value("b")
    let equal = try a.json() == b.json()
    if try equal != test.bool("equal"), a.hasUndefinedPart || b.hasUndefinedPart {
      throw VectorValue.Inexpressible("a member or element that is undefined, not absent or null")
    }
    try expectEqual(equal, try test.bool("equal"), "equal")
  }

  /// A row with these values.
  private static func packed(_ values: [Value]) -> Row {
    let columns = values.indices.map { ColumnDescriptor("c\($0)", .json, optional: true) }
    var builder = RowBuilder()
    builder.begin(RowLayout(table: "t", columns: columns, primaryKey: []))
    for (i, value) in values.enumerated() { builder.set(i, value) }
    return builder.finish()
  }
}

extension VectorValue {
  fileprivate var hasUndefinedPart: Bool {
    switch self {
    case .array(let elements): elements.contains { $0.isUndefined || $0.hasUndefinedPart }
    case .object(let members):
      members.contains { $0.value.isUndefined || $0.value.hasUndefinedPart }
    default: false
    }
  }
}
