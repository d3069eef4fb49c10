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

  @Test(
    "an exists over an empty table learns of rows that come, whichever side is first",
    arguments: ["alone", "with a limit", "in an or", "in an and"])
  func existsStartsEmpty(_ form: String) throws {
    let branch = try Shop.branch()
    let items = try Shop.query("item")
    let query =
      switch form {
      case "with a limit": try items.whereExists("notes").limit(3)
      case "in an or":
        try items.where { try $0.or($0.cmp("name", .string("x")), $0.exists("notes")) }
      case "in an and":
        try items.where { try $0.and($0.cmp("name", .string("n")), $0.exists("notes")) }
      default: try items.whereExists("notes")
      }
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

  @Test("an exists over an empty table ends a read at its first row")
  func existsEndsReads() throws {
    let branch = try Shop.branch(items: 9)
    let (items, notes) = (try branch.source("item"), try branch.source("note"))
    let key = KeyColumns([0], items.layout)
    let noted = KeyColumns([1], notes.layout)
    func connection(_ source: MemorySource) -> Connection {
      Connection(source, order: source.primary.order, filter: nil, pinned: nil, splitColumns: [])
    }
    let parents = CountedReads(connection(items))
    let cap = Cap(connection(notes), 3, partition: noted, primaryKey: notes.primaryKey)
    let join = Join(parents, cap, parentKey: key, childKey: noted, name: "notes")
    let graph = FilterGraph(join, ExistsFilter(join, isNegated: false))
    var found: [String] = []
    let collect: (Row) -> Bool = { row in
      found.append(Shop.text(row))
      return true
    }
    #expect(graph.read(Request(), collect))
    #expect((found, parents.count) == ([], 1))
    try branch.push(.add(Shop.note(1, item: 4, by: "ann", branch)))
    let count = parents.count
    #expect(graph.read(Request(), collect))
    #expect((found, parents.count - count) == (["4"], 9))
    graph.destroy()
  }
}

/// Counts the rows that are read.
private final class CountedReads: Operator {
  private let input: Operator
  private(set) var count = 0

  init(_ input: Operator) {
    self.input = input
    super.init(order: input.order)
    input.feed(self)
  }

  override func read(_ request: Request, _ body: (Row) -> Bool) -> Bool {
    input.read(request) { row in
      count += 1
      return body(row)
    }
  }

  override func push(_ change: Change, port: Int) { emit(change) }

  override func destroy() { input.destroy() }
}
