import Testing
@_spi(Engine) import ZeroIVM
import ZeroProtocol

@Suite("Branches")
struct BranchTests {
  /// The code of the error that `body` throws.
  private func code(_ body: () throws -> Void) -> EngineError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? EngineError)?.code
    }
  }

  @Test("a change that breaks a key is refused before anything changes")
  func keys() throws {
    let branch = try Shop.branch()
    let view = try branch.materialize(Shop.query("item"))
    let (absent, first) = (try Shop.item(9, branch), try Shop.item(0, branch))
    let second = try Shop.item(1, branch)
    #expect(code { try branch.push(.add(second)) } == .rowExists)
    #expect(code { try branch.push(.remove(absent)) } == .rowMissing)
    #expect(code { try branch.push(.edit(old: absent, new: absent)) } == .rowMissing)
    #expect(code { try branch.push(.edit(old: first, new: second)) } == .rowExists)
    #expect(branch.failure == nil)
    #expect(view.changeCount == 0)
    try branch.push(.edit(old: first, new: Shop.item(7, branch)))
    #expect(Shop.keys(view.data) == ["1", "2", "7"])
  }

  @Test("a row made for another layout of the table is refused")
  func layouts() throws {
    let branch = try Shop.branch()
    let other = TableDescriptor("item", columns: [.init("id", .number)], primaryKey: ["id"])
    var builder = RowBuilder()
    builder.begin(other.layout)
    builder.set(0, 5)
    let row = builder.finish()
    #expect(code { try branch.push(.add(row)) } == .wrongLayout)
    #expect(branch.failure == nil)
  }

  @Test("values without order end the branch, and the error says so")
  func mixedTypes() throws {
    let branch = try Shop.branch()
    let view = try branch.materialize(Shop.query("item").orderBy("rank"))
    let number = try Shop.item(5, branch, rank: .number(1))
    let text = try Shop.item(6, branch, rank: .string("x"))
    try branch.push(.add(number))
    #expect(code { try branch.push(.add(text)) } == .compareTypes)
    #expect(branch.failure?.requiresRebuild == true)
    #expect(code { try branch.push(.remove(number)) } == .compareTypes)
    #expect(code { _ = try branch.materialize(Shop.query("item")) } == .compareTypes)
    #expect(code { _ = try branch.fork() } == .compareTypes)
    #expect(Shop.keys(view.data).count >= 4)
  }

  @Test("a query that cannot be opened leaves nothing behind")
  func failedOpening() throws {
    let branch = try Shop.branch()
    for _ in 0..<3 {
      var query = try Shop.query("item").related("notes").ast
      query.related?.append(
        CorrelatedSubquery(
          correlation: Correlation(parentField: ["id"], childField: ["id"]),
          subquery: AST(table: "nowhere", alias: "x")))
      #expect(code { _ = try branch.materialize(query, Format()) } == .unknownTable)
    }
    try branch.push(.add(Shop.item(4, branch)))
    #expect(branch.brokenInvariant() == nil)
    #expect(try Shop.keys(branch.run(Shop.query("item"))) == ["0", "1", "2", "4"])
  }

  @Test("changes of a fork and of its origin do not reach each other")
  func forks() throws {
    let branch = try Shop.branch(items: 500)
    let ordered = try Shop.query("item").orderBy("name", .desc).limit(2)
    let view = try branch.materialize(ordered)
    let fork = try branch.fork()
    for id in 0..<400 { try fork.push(.remove(Shop.item(id, fork))) }
    try branch.push(.add(Shop.item(900, branch, name: "z")))
    #expect(Shop.keys(view.data) == ["900", "0"])
    #expect(try Shop.keys(fork.run(ordered)) == ["400", "401"])
    #expect(try branch.rows(of: "item").count == 501)
    #expect(try fork.rows(of: "item").count == 100)
    #expect(branch.brokenInvariant() == nil)
    #expect(fork.brokenInvariant() == nil)
  }

  @Test("rows loaded in any order are found, a repeated key is an error")
  func loading() throws {
    let branch = Branch(schema: Shop.schema)
    let rows = try ContiguousArray([5, 1, 9, 3].map { try Shop.item($0, branch) })
    try branch.load("item", rows)
    #expect(try Shop.keys(branch.run(Shop.query("item"))) == ["1", "3", "5", "9"])
    let other = Branch(schema: Shop.schema)
    #expect(code { try other.load("item", rows + [rows[1]]) } == .rowExists)
  }

  @Test("views hear of a commit in the order they were opened, those without changes not at all")
  func commits() throws {
    let branch = try Shop.branch()
    var heard: [String] = []
    let items = try branch.materialize(Shop.query("item"))
    let people = try branch.materialize(Shop.query("person"))
    let few = try branch.materialize(Shop.query("item").limit(1))
    try few.addListener { _, _, _ in heard.append("few") }
    try people.addListener { _, _, _ in heard.append("people") }
    try items.addListener { _, _, _ in heard.append("items") }
    heard = []
    try branch.push(.add(Shop.item(8, branch)))
    try branch.push(.remove(Shop.item(0, branch)))
    #expect(heard.isEmpty)
    branch.commit()
    branch.commit()
    #expect(heard == ["items", "few"])
    #expect(people.changeCount == 0)
  }

  @Test("of a thousand views of single rows only the one of the changed row does anything")
  func untouchedViews() throws {
    let branch = try Shop.branch(items: 1000)
    let views = try (0..<1000).map {
      try branch.materialize(Shop.query("item").where("id", .number(Double($0))).one())
    }
    let (old, moved) = (try Shop.item(7, branch), try Shop.item(2000, branch))
    try branch.push(.edit(old: old, new: Shop.item(7, branch, name: "new")))
    #expect(views.map(\.changeCount).enumerated().filter { $1 > 0 }.map(\.offset) == [7])
    try branch.push(.edit(old: old, new: moved))
    #expect(views[7].data.entries.isEmpty)
    try branch.push(.edit(old: moved, new: old))
    #expect(views[7].data.entries.count == 1)
    #expect(views.reduce(0) { $0 + $1.changeCount } == 3)
  }

  @Test("a view that is released stops listening")
  func release() throws {
    let branch = try Shop.branch()
    var view: QueryView? = try branch.materialize(Shop.query("item"))
    weak let released = view
    #expect(view?.data.entries.count == 3)
    view = nil
    #expect(released == nil)
    try branch.push(.add(Shop.item(4, branch)))
    branch.commit()
    #expect(branch.brokenInvariant() == nil)
  }
}
