import Testing
import ZeroIVM
import ZeroProtocol

@Suite("Reading rows as structs")
struct RowReaderTests {
  /// A row with the values of `columns` replaced.
  private func row(_ row: Row, _ columns: [Int: Value]) -> Row {
    var builder = RowBuilder()
    builder.begin(row.layout)
    for column in row.layout.columns.indices {
      builder.set(column, columns[column] ?? row[column])
    }
    return builder.finish()
  }

  /// An issue read back from a branch, with some columns replaced before.
  private func issue(_ columns: [Int: Value] = [:]) throws -> Issue? {
    let issue = Issue(
      id: "1", title: "a", priority: 2, status: .closed, created: 3, done: true,
      meta: IssueMeta(tags: ["x"]))
    let branch = Branch(schema: .tracker)
    try branch.push(.add(row(issue.row, columns)))
    return try branch.run(zql.issue.one())
  }

  @Test("a struct encodes to what it is read from")
  func roundTrip() throws {
    let read = try #require(try issue())
    #expect(read.id == "1")
    #expect(read.status == .closed)
    #expect(read.assignee == nil)
    #expect(read.meta?.tags == ["x"])
    #expect(read.comments == nil)
  }

  @Test("null reads as the empty value of a type that has one")
  func nulls() throws {
    let read = try #require(try issue([1: .null, 2: .absent, 6: .null, 7: .null]))
    #expect(read.title == "")
    #expect(read.priority == 0)
    #expect(read.done == false)
    #expect(read.meta == nil)
  }

  @Test("null and unknown text in an enumeration are errors that name table and column")
  func enumeration() throws {
    for value in [Value.null, .string("postponed")] {
      let error = #expect(throws: RowDecodingError.self) { _ = try issue([3: value]) }
      #expect(error?.table == "issue")
      #expect(error?.column == "status")
    }
  }

  @Test("a value of another type is an error")
  func mismatch() throws {
    for (column, value) in [
      (0, Value.number(1)), (2, .string("2")), (6, .number(0)), (7, .bool(true)),
    ] {
      let error = #expect(throws: RowDecodingError.self) { _ = try issue([column: value]) }
      #expect(error?.column == Issue.table.columns[column].name)
    }
  }

  @Test("integers are whole numbers that a double holds exactly")
  func integers() {
    #expect(Int(zero: .number(0x1p53)) == 1 << 53)
    #expect(Int(zero: .number(-0x1p53)) == -(1 << 53))
    #expect(Int(zero: .number(0x1p53 + 2)) == nil)
    #expect(Int(zero: .number(0.5)) == nil)
    #expect(Int(zero: .number(.infinity)) == nil)
    #expect(Int(zero: .number(.nan)) == nil)
  }

  @Test("a row of another layout is read by name")
  func otherLayout() throws {
    let table = TableDescriptor(
      "user", columns: [.init("name", .string), .init("extra", .json), .init("id", .string)],
      primaryKey: ["id"])
    var builder = RowBuilder()
    builder.begin(table.layout)
    builder.set(0, "Ann")
    builder.set(2, "u")
    let branch = Branch(schema: ZeroSchema(tables: [table]))
    try branch.push(.add(builder.finish()))
    let user = try #require(try branch.run(zql.user.one()))
    #expect(user.id == "u")
    #expect(user.name == "Ann")
  }

  private func tracker() throws -> Branch {
    let branch = Branch(schema: .tracker)
    for user in [User(id: "u", name: "Ann"), User(id: "v", name: "Ben")] {
      try branch.push(.add(user.row))
    }
    for (id, assignee) in [("1", nil), ("2", "v")] {
      let issue = Issue(
        id: id, title: "issue \(id)", priority: 1, status: .open, assignee: assignee, created: 0,
        done: false)
      try branch.push(.add(issue.row))
    }
    for (n, author) in [(7, "u"), (8, "u"), (9, "v")] {
      let comment = Comment(issueID: "1", n: n, authorID: author, body: "comment \(n)")
      try branch.push(.add(comment.row))
    }
    return branch
  }

  @Test("nested rows are read; those not asked for are nil")
  func nested() throws {
    let issues = try tracker().run(
      zql.issue.related(\.owner).related(\.comments) {
        $0.related(\.author).orderBy(\.n, .desc)
      })
    #expect(issues.map(\.id) == ["1", "2"])
    #expect(issues[0].owner == nil)
    #expect(issues[1].owner?.name == "Ben")
    #expect(issues[0].comments?.map(\.n) == [9, 8, 7])
    #expect(issues[0].comments?.map(\.author?.name) == ["Ben", "Ann", "Ann"])
    #expect(issues[1].comments?.isEmpty == true)
    #expect(issues[0].commenters == nil)
    #expect(issues[0].comments?.first?.issue == nil)
  }

  @Test("rows behind a junction are read once each")
  func junction() throws {
    let issue = try tracker().run(zql.issue.where(\.id, "1").related(\.commenters).one())
    #expect(issue?.commenters?.map(\.name) == ["Ann", "Ben"])
  }

  @Test("a view of a typed query follows its rows")
  func view() throws {
    let branch = try tracker()
    let view = try branch.materialize(zql.issue.whereExists(\.comments))
    #expect(try [Issue](decoding: view.data).map(\.id) == ["1"])
    try branch.push(.add(Comment(issueID: "2", n: 1, authorID: "u", body: "").row))
    #expect(try [Issue](decoding: view.data).map(\.id) == ["1", "2"])
  }

  @Test("a query that could not be built is refused where it is used")
  func buildError() throws {
    let branch = try tracker()
    #expect(throws: QueryBuildError.self) { try branch.run(zql.issue.limit(-1)) }
    #expect(throws: QueryBuildError.self) { try branch.materialize(zql.issue.limit(-1)) }
  }

  @Test("changes hold what was assigned, the last value of each column")
  func changes() {
    var changes = Issue.Changes(id: "1")
    changes.title = "a"
    changes.title = "b"
    changes.assignee = nil
    changes.status = .closed
    #expect(changes.values.values.map(\.column) == [0, 1, 4, 3])
    #expect(changes.values[1] == .string("b"))
    #expect(changes.values[4] == .null)
    #expect(changes.values[2] == .absent)
    #expect(changes.title == "b")
    #expect(changes.assignee == nil)
  }
}
