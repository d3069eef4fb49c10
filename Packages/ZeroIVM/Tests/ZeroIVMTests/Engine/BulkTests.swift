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

  @Test("an order built at once is that of single comparisons", arguments: ["rank", "name"])
  func sorts(_ column: String) throws {
    for isDescending in [false, true] {
      let branch = Branch(schema: Shop.schema)
      var rows: ContiguousArray<Row> = []
      for id in 0..<72 {
        rows.append(
          try Shop.item(
            id * 31 % 72, branch, rank: Self.ranks[id % Self.ranks.count],
            name: Self.names[id % Self.names.count]))
      }
      let layout = try branch.source("item").layout
      let places = [column, "id"].compactMap { layout.index(of: $0) }
      let order = RowOrder(
        places.enumerated().map {
          RowOrder.Part(column: $1, isDescending: $0 == 0 && isDescending)
        },
        layout, branch.faults)
      #expect(!order.isAscending(rows))
      let sorted = order.sorted(rows)
      #expect(order.isAscending(sorted))
      #expect(Set(sorted.map(Shop.text)) == Set(rows.map(Shop.text)))
    }
  }

  @Test("values without order are found while an order is built")
  func findsMixedTypes() throws {
    let branch = Branch(schema: Shop.schema)
    try branch.load(
      "item",
      [
        Shop.item(1, branch, rank: .number(1)), Shop.item(2, branch, rank: .string("x")),
        Shop.item(3, branch, rank: .null),
      ])
    #expect(throws: EngineError.self) {
      _ = try branch.materialize(Shop.query("item").orderBy("rank"))
    }
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
