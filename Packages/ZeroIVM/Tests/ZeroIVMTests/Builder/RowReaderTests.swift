import Testing
import ZeroIVM
import ZeroProtocol

@Suite("Reading rows as structs")
struct RowReaderTests {
  private struct Entry: RowEntry {
    var row: Row
    var related: [(name: String, rows: [Entry])] = []

    func visitRelated(
      _ relation: String, _ body: (any RowEntry) throws(RowDecodingError) -> Void
    ) throws(RowDecodingError) -> Bool {
      guard let (_, rows) = related.first(where: { $0.name == relation }) else { return false }
      for row in rows { try body(row) }
      return true
    }
  }

  private func row(_ table: TableDescriptor, _ values: some Collection<Value>) -> Row {
    row(table.layout, values)
  }

  private func row(_ layout: RowLayout, _ values: some Collection<Value>) -> Row {
    var builder = RowBuilder()
    builder.begin(layout)
    for (place, value) in values.enumerated() { builder.set(place, value) }
    return builder.finish()
  }

  private func issue(_ change: (inout ContiguousArray<Value>) -> Void = { _ in }) throws -> Issue {
    var values = Issue(
      id: "1", title: "a", priority: 2, status: .closed, created: 3, done: true,
      meta: IssueMeta(tags: ["x"])
    ).encode()
    change(&values)
    return try Issue(RowReader(Entry(row: row(Issue.table, values)), Issue.table))
  }

  @Test("a struct encodes to what it is read from")
  func roundTrip() throws {
    let read = try issue()
    #expect(read.id == "1")
    #expect(read.status == .closed)
    #expect(read.assignee == nil)
    #expect(read.meta?.tags == ["x"])
    #expect(read.comments == nil)
  }

  @Test("null reads as the empty value of a type that has one")
  func nulls() throws {
    let read = try issue {
      $0[1] = .null; $0[2] = .absent; $0[6] = .null; $0[7] = .null
    }
    #expect(read.title == "")
    #expect(read.priority == 0)
    #expect(read.done == false)
    #expect(read.meta == nil)
  }

  @Test("null and unknown text in an enumeration are errors that name table and column")
  func enumeration() throws {
    for value in [Value.null, .string("postponed")] {
      let error = #expect(throws: RowDecodingError.self) { _ = try issue { $0[3] = value } }
      #expect(error?.table == "issue")
      #expect(error?.column == "status")
    }
  }

  @Test("a value of another type is an error")
  func mismatch() throws {
    for (column, value) in [
      (0, Value.number(1)), (2, .string("2")), (6, .number(0)), (7, .bool(true)),
    ] {
      let error = #expect(throws: RowDecodingError.self) { _ = try issue { $0[column] = value } }
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
    let layout = RowLayout(
      table: "user",
      columns: [.init("name", .string), .init("extra", .json), .init("id", .string)],
      primaryKey: ["id"])
    let entry = Entry(row: row(layout, [.string("Ann"), .null, .string("u")]))
    let user = try User(RowReader(entry, User.table))
    #expect(user.id == "u")
    #expect(user.name == "Ann")
  }

  @Test("nested rows are read; those not asked for are nil")
  func nested() throws {
    let ann = Entry(row: row(User.table, User(id: "u", name: "Ann").encode()))
    let comment = Comment(issueID: "1", n: 7, authorID: "u", body: "b")
    let issue = Issue(id: "1", title: "a", priority: 2, status: .open, created: 3, done: false)
    let entry = Entry(
      row: row(Issue.table, issue.encode()),
      related: [
        ("owner", []),
        (
          "comments",
          [Entry(row: row(Comment.table, comment.encode()), related: [("author", [ann])])]
        ),
      ])
    let read = try Issue(RowReader(entry, Issue.table))
    #expect(read.owner == nil)
    #expect(read.comments?.map(\.n) == [7])
    #expect(read.comments?.first?.author?.name == "Ann")
    #expect(read.commenters == nil)
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
