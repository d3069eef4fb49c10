import Testing
@_spi(Engine) import ZeroProtocol

@_spi(Engine) @testable import ZeroIVM

/// Orders that are built at once, and subqueries whose table is still empty.
@Suite("In bulk") struct BulkTests {
  private static let ranks: [Value] = [
    .null, .number(-1.5), .number(0), .number(-0.0), .number(3), .number(1_700_000_000_000),
    .number(-7_000_000_000), .number(.greatestFiniteMagnitude), .number(2),
  ]
  private static let names = ["", "a", "a\u{0}", "abcdefgh", "abcdefgha", "abcdefg", "é", "b"]

  @Test(
    "an order built at once is that of single comparisons",
    arguments: ["rank", "name"], [72, 900])
  func sorts(_ column: String, _ count: Int) throws {
    for isDescending in [false, true] {
      let branch = Branch(schema: Shop.schema)
      var rows: ContiguousArray<Row> = []
      for id in 0..<count {
        rows.append(
          try Shop.item(
            id * 31 % count, branch, rank: Self.ranks[id % Self.ranks.count],
            name: Self.names[id % Self.names.count]))
      }
      try branch.load("item", rows)
      let source = try branch.source("item")
      let places = [column, "id"].compactMap { source.layout.index(of: $0) }
      let order = RowOrder(
        places.enumerated().map {
          RowOrder.Part(column: $1, isDescending: $0 == 0 && isDescending)
        },
        source.layout, branch.faults)
      let index = SourceIndex(order, sorting: source.primary)
      let broken = index.rows.brokenInvariant(
        order: { order.compare($0, $1) }, prefix: { order.prefix($0.packedBase) })
      #expect(broken == nil)
      var sorted: [String] = []
      _ = index.rows.ascend { (row: Row) in
        sorted.append(Shop.text(row))
        return true
      }
      #expect(sorted != rows.map(Shop.text))
      #expect(Set(sorted) == Set(rows.map(Shop.text)))
    }
  }

  @Test("values without order are found while an order is built", arguments: [3, 600])
  func findsMixedTypes(_ count: Int) throws {
    let branch = Branch(schema: Shop.schema)
    var rows: ContiguousArray<Row> = []
    for id in 0..<count {
      let rank: Value = id == 1 ? .string("x") : id == 2 ? .null : .number(Double(id))
      rows.append(try Shop.item(id, branch, rank: rank))
    }
    try branch.load("item", rows)
    #expect(throws: EngineError.self) {
      _ = try branch.materialize(Shop.query("item").orderBy("rank"))
    }
  }

  @Test("rows of one key are not loaded", arguments: [3, 600])
  func refusesRepeatedKeys(_ count: Int) throws {
    let branch = Branch(schema: Shop.schema)
    var rows: ContiguousArray<Row> = []
    for id in 0..<count { rows.append(try Shop.item(id * 7 % count, branch)) }
    rows.append(try Shop.item(1, branch))
    #expect(throws: EngineError.self) { try branch.load("item", rows) }
    #expect(try branch.isEmpty("item"))
  }

  @Test("an exists over an empty table learns of rows that come, whichever side is first")
  func existsStartsEmpty() throws {
    let branch = try Shop.branch()
    let query = try Shop.query("item").whereExists("notes")
    let view = try branch.materialize(query)
    #expect(Shop.keys(view.data).isEmpty)
    try branch.push(.add(Shop.note(1, item: 2, by: "ann", branch)))
    try branch.push(.add(Shop.note(2, item: 5, by: "ann", branch)))
    branch.commit()
    #expect(Shop.keys(view.data) == ["2"])
    try branch.push(.add(Shop.item(5, branch)))
    for id in 3..<8 { try branch.push(.add(Shop.note(id, item: 5, by: "bob", branch))) }
    branch.commit()
    #expect(Shop.keys(view.data) == ["2", "5"])
    for (id, item) in [(1, 2), (2, 5), (3, 5), (4, 5), (5, 5), (6, 5)] {
      let author = id < 3 ? "ann" : "bob"
      try branch.push(.remove(Shop.note(id, item: item, by: author, branch)))
    }
    branch.commit()
    #expect(Shop.keys(view.data) == ["5"])
    #expect(branch.brokenInvariant() == nil)
    #expect(try Shop.keys(branch.run(query)) == ["5"])
  }
}
