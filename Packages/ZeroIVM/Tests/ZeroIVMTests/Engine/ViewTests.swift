import Testing
@_spi(Engine) import ZeroIVM
import ZeroProtocol

@Suite("Views")
struct ViewTests {
  @Test("rows that did not change keep their identity, and what was read stays as it was")
  func identity() throws {
    let branch = try Shop.branch(items: 300)
    let view = try branch.materialize(Shop.query("item").related("notes"))
    let before = view.data.entries
    try branch.push(.add(Shop.note(1, item: 150, by: "a", branch)))
    try branch.push(.remove(Shop.item(10, branch)))
    let after = view.data.entries
    #expect(before.count == 300)
    #expect(after.count == 299)
    #expect(before[150]["notes"]?.entries.isEmpty == true)
    let pairs = zip(before.filter { $0.value("id") != .number(10) }, after)
    let changed = pairs.filter { !$0.isIdentical(to: $1) }.map { $0.0.value("id") }
    #expect(changed == [.number(150)])
  }

  @Test("the changes between two states name what was removed, inserted and changed")
  func changes() throws {
    let branch = try Shop.branch(items: 5000)
    let view = try branch.materialize(Shop.query("item").orderBy("name"))
    let old = view.data.entries
    try branch.push(.remove(Shop.item(17, branch)))
    try branch.push(.add(Shop.item(9000, branch)))
    try branch.push(.edit(old: Shop.item(40, branch), new: Shop.item(40, branch, rank: .number(1))))
    try branch.push(.edit(old: Shop.item(60, branch), new: Shop.item(60, branch, name: "z")))
    let new = view.data.entries
    var said: Set<String> = []
    for change in new.changes(from: old).changes {
      switch change {
      case .removed(let place): said.insert("removed \(Shop.keys(.one(old[place]))[0])")
      case .inserted(let place): said.insert("inserted \(Shop.keys(.one(new[place]))[0])")
      case .changed(let before, let place):
        #expect(old[before].value("id") == new[place].value("id"))
        said.insert("changed \(Shop.keys(.one(new[place]))[0])")
      }
    }
    #expect(said == ["removed 17", "inserted 9000", "changed 40", "changed 60"])
    #expect(new.changes(from: new).changes.isEmpty)
  }

  @Test("iterating a list and a part of it gives its elements in order")
  func iteration() throws {
    let branch = try Shop.branch(items: 1000)
    let list = try branch.run(Shop.query("item")).entries
    #expect(Array(list).count == 1000)
    let part = list[400..<405].map { $0.value("id") }
    #expect(part == (400..<405).map { .number(Double($0)) })
    #expect(list.reversed().first?.value("id") == .number(999))
  }

  @Test("a second row of a singular relationship is an error that ends the branch")
  func singular() throws {
    let branch = try Shop.branch()
    let query = try Shop.query("item").related("notes")
    var format = query.format
    format["notes"]?.singular = true
    let view = try branch.materialize(query.ast, format)
    try branch.push(.add(Shop.note(1, item: 0, by: "a", branch)))
    let second = try Shop.note(2, item: 0, by: "a", branch)
    #expect(throws: EngineError.self) { try branch.push(.add(second)) }
    #expect(branch.failure?.code == .singularMany)
    withExtendedLifetime(view) {}
  }

  @Test("a far row reached twice follows changes of its own related rows")
  func farRowWithRelatedRows() throws {
    let branch = try Shop.branch(items: 1)
    let (first, second) = (
      try Shop.note(1, item: 0, by: "ann", branch), try Shop.note(2, item: 0, by: "ann", branch)
    )
    try branch.push(.add(Shop.person("ann", branch)))
    try branch.push(.add(first))
    try branch.push(.add(second))
    let query = try Shop.query("item").related("authors") { try $0.related("owned") }
    let view = try branch.materialize(query)
    var author: Entry? { view.data.entries.first?["authors"]?.entries.first }
    let owned = try Shop.item(5, branch, owner: .string("ann"))
    #expect(author?.pathCount == 2)
    try branch.push(.add(owned))
    #expect(Shop.keys(author?["owned"]) == ["5"])
    try branch.push(.remove(first))
    #expect(Shop.keys(author?["owned"]) == ["5"])
    try branch.push(.remove(owned))
    #expect(Shop.keys(author?["owned"]) == [])
    #expect(branch.failure == nil)
  }

  @Test("an edit that drops a column leaves it absent")
  func droppedColumn() throws {
    let branch = try Shop.branch(items: 1)
    let view = try branch.materialize(Shop.query("item").where("rank", .is, .null))
    #expect(view.data.entries.count == 1)
    let old = try Shop.item(0, branch)
    var builder = RowBuilder()
    builder.begin(old.layout)
    builder.set(0, from: old)
    builder.set(1, from: old)
    try branch.push(.edit(old: old, new: builder.finish()))
    #expect(view.data.entries.isEmpty)
  }

  @Test("a column ordered in both directions counts once, also under a join")
  func bothDirections() throws {
    let branch = try Shop.branch()
    let query = try Shop.query("item").related("notes") {
      try $0.orderBy("id", .desc).orderBy("id", .asc)
    }
    let view = try branch.materialize(query)
    for id in 1...3 { try branch.push(.add(Shop.note(id, item: 0, by: "a", branch))) }
    #expect(Shop.keys(view.data.entries.first?["notes"]) == ["3", "2", "1"])
  }

  /// The condition that a relation has rows.
  private func exists(
    _ relation: String, flip: Bool? = nil, limit: Double? = nil
  ) throws -> CorrelatedSubqueryCondition {
    guard
      case .correlatedSubquery(var condition)? = try Shop.query("item").whereExists(relation).ast
        .where
    else { throw NoExists() }
    condition.flip = flip
    condition.related.subquery.limit = limit
    return condition
  }

  private struct NoExists: Error {}

  @Test("a flipped exists ignores a limit of its own")
  func flippedLimit() throws {
    let branch = try Shop.branch()
    let query = AST(
      table: "item", where: .correlatedSubquery(try exists("notes", flip: true, limit: 1)))
    let view = try branch.materialize(query, Format())
    try branch.push(.add(Shop.note(1, item: 1, by: "a", branch)))
    try branch.push(.add(Shop.note(2, item: 2, by: "a", branch)))
    #expect(Shop.keys(view.data) == ["1", "2"])
    #expect(try Shop.keys(branch.run(query, Format())) == ["1", "2"])
  }

  @Test("NOT EXISTS with flip is evaluated as without")
  func flippedNotExists() throws {
    let branch = Branch(schema: Shop.schema, allowsNotExists: true)
    for id in 0..<3 { try branch.push(.add(Shop.item(id, branch))) }
    let query = AST(
      table: "item", where: .correlatedSubquery(try exists("notes", flip: true).negated))
    let view = try branch.materialize(query, Format())
    try branch.push(.add(Shop.note(1, item: 1, by: "a", branch)))
    #expect(Shop.keys(view.data) == ["0", "2"])
  }

  @Test("a flipped exists of no rows matches nothing, and its key splits edits for other queries")
  func flippedExistsOfNoRows() throws {
    let branch = try Shop.branch()
    var condition = try exists("owners", flip: true)
    condition.related.subquery.limit = 0
    let none = try branch.materialize(
      AST(table: "item", where: .correlatedSubquery(condition)), Format())
    try branch.push(.add(Shop.person("u", branch)))
    let (old, new) = (
      try Shop.item(1, branch), try Shop.item(1, branch, owner: .string("u"), name: "m")
    )
    let recorder = try ChangeRecorder(branch, AST(table: "item"))
    _ = try recorder.nodes()
    try branch.push(.edit(old: old, new: new))
    try branch.push(.edit(old: new, new: Shop.item(1, branch, owner: .string("u"))))
    let kinds = recorder.changes.map { change in
      switch change {
      case .add: "add"
      case .remove: "remove"
      case .edit: "edit"
      case .child: "child"
      }
    }
    #expect(kinds == ["remove", "add", "edit"])
    #expect(none.data.entries.isEmpty)
    #expect(branch.brokenInvariant() == nil)
  }

  @Test(
    "a limit over an exists in an or refills with rows that have not been told of a removal yet")
  func limitOverSharedParent() throws {
    let branch = Branch(schema: Shop.schema)
    for id in 1...3 { try branch.push(.add(Shop.item(id, branch, owner: .string("u")))) }
    try branch.push(.add(Shop.person("u", branch)))
    let query = AST(
      table: "item",
      where: .or([
        .simple(column: "id", .greater, .number(5)), .correlatedSubquery(try exists("owners")),
      ]), limit: 1)
    let recorder = try ChangeRecorder(branch, query)
    _ = try recorder.nodes()
    let view = try branch.materialize(query, Format())
    try branch.push(.remove(Shop.person("u", branch)))
    #expect(view.data.entries.isEmpty)
    let kinds = recorder.changes.map { change in
      switch change {
      case .add(let node): "add \(Shop.text(node.row))"
      case .remove(let node): "remove \(Shop.text(node.row))"
      default: "other"
      }
    }
    #expect(kinds == ["remove 1", "add 2", "remove 2", "add 3", "remove 3"])
  }

  @Test("a result settles once, and a failing listener stops only its own view's")
  func listeners() throws {
    struct Refused: Error {}
    let branch = try Shop.branch()
    let view = try branch.materialize(Shop.query("item"))
    let other = try branch.materialize(Shop.query("item"))
    var calls: [String] = []
    var fails = false
    try view.addListener { _, type, _ in
      calls.append("a \(type)")
      if fails { throw Refused() }
    }
    let remove = try view.addListener { _, _, _ in calls.append("b") }
    try other.addListener { _, _, _ in calls.append("c") }
    calls = []
    fails = true
    try branch.push(.add(Shop.item(4, branch)))
    #expect(branch.commit().count == 1)
    #expect(calls == ["a unknown", "c"])
    fails = false
    calls = []
    #expect(view.complete() == nil)
    view.fail(Refused())
    #expect(view.resultType == .complete)
    #expect(calls == ["a complete", "b"])
    remove()
    view.destroy()
    view.destroy()
    calls = []
    try branch.push(.add(Shop.item(6, branch)))
    branch.commit()
    #expect(calls == ["c"])
  }
}
