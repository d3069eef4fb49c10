import IssueTracker
import IssueTrackerServer
import Testing
import ZeroProtocol

@testable import ZeroDevServer

@Suite("tables in memory") struct DatabaseTests {
  let database: Database

  init() throws {
    database = Database(schema: try .issueTracker())
    try load(try SeedRows.small())
  }

  private func load(_ seed: SeedRows) throws {
    _ = try database.write { transaction in
      for (name, rows) in seed.tables {
        let table = try database.schema.table(name)
        for row in rows { try transaction.insert(table, row, names: .server) }
      }
    }
  }

  private func write(
    _ body: (DatabaseTransaction, (String) throws -> DatabaseTable) throws -> Void
  ) throws -> Commit? {
    try database.write { transaction in
      try body(transaction) { try database.schema.table($0) }
    }.commit
  }

  @Test("a delete takes cascading rows along and refuses where others refer to the row")
  func deletes() throws {
    let commit = try write { transaction, table in
      try transaction.delete(table("issue"), ["id": .string("i1")], names: .server)
    }
    #expect(commit?.rows.map(\.table).sorted() == ["comment", "comment", "issue", "issue_label"])
    #expect(throws: DatabaseError.self) {
      try write { transaction, table in
        try transaction.delete(table("user"), ["id": .string("u1")], names: .server)
      }
    }
    #expect(database.rows(of: try database.schema.table("user")).count == 3)
  }

  @Test("a transaction that throws leaves everything as it was")
  func rollBack() throws {
    let before = Set(
      database.rows(of: try database.schema.table("issue")).map { "\($0[0])\($0[2])" })
    let version = database.version
    let client = ClientKey(group: "g", client: "c")
    #expect(throws: DatabaseError.self) {
      try write { transaction, table in
        transaction.setLastMutationID(3, of: client)
        transaction.setResult(.null, of: 3, client)
        try transaction.update(
          table("issue"), ["id": .string("i1"), "title": .string("x")], names: .client)
        try transaction.delete(table("issue"), ["id": .string("i2")], names: .client)
        try transaction.insert(table("issue"), ["id": .string("i9")], names: .client)
      }
    }
    let after = Set(
      database.rows(of: try database.schema.table("issue")).map { "\($0[0])\($0[2])" })
    #expect(before == after)
    #expect(database.version == version)
    #expect(database.lastMutationIDs[client] == nil && database.results[client] == nil)
    #expect(try write { _, _ in } == nil)
  }

  @Test("rows that end as they began are no change")
  func noChange() throws {
    let commit = try write { transaction, table in
      let issue = try table("issue")
      try transaction.update(
        issue, ["id": .string("i1"), "title": .string("x")], names: .client)
      try transaction.update(
        issue, ["id": .string("i1"), "title": .string("Crash on start")], names: .client)
      try transaction.insert(
        table("label"),
        ["id": .string("l7"), "projectId": .string("p1"), "name": .string("x")], names: .client)
      try transaction.delete(table("label"), ["id": .string("l7")], names: .client)
    }
    #expect(commit == nil)
  }

  @Test("omitted columns take their default, others null; a missing required one is refused")
  func defaults() throws {
    _ = try write { transaction, table in
      try transaction.insert(
        table("issue"),
        [
          "id": .string("i9"), "project_id": .string("p1"), "title": .string("t"),
          "creator_id": .string("u1"), "created_at": .number(1),
        ], names: .server)
    }
    let key = RowKey(table: try database.schema.table("issue").ordinal, text: "i9")
    let row = try #require(database.stored(key)?.row)
    #expect(row["status"] == .string("open") && row["votes"] == .number(0))
    #expect(row["description"] == .null)
    for values: JSONObject in [
      ["id": .string("i10"), "project_id": .string("p1")],
      ["id": .string("i10"), "nope": .null], ["project_id": .string("p1")],
      ["id": .number(3)],
    ] {
      #expect(throws: DatabaseError.self) {
        try write { transaction, table in
          try transaction.insert(table("issue"), values, names: .server)
        }
      }
    }
  }

  @Test("a change of the key is a delete and an insert")
  func keyChange() throws {
    let commit = try write { transaction, table in
      let label = try table("label")
      let row = try #require(
        try transaction.row(label, ["id": .string("l3")], names: .server))
      try transaction.delete(
        table("issue_label"), ["issue_id": .string("i5"), "label_id": .string("l3")],
        names: .server)
      try transaction.change(label, row, ["id": .string("l30")], names: .server)
    }
    #expect(commit?.rows.count == 3)
    let key = RowKey(table: try database.schema.table("label").ordinal, text: "l30")
    #expect(database.stored(key)?.row["name"] == .string("infra"))
  }

  @Test("generated rows satisfy all constraints and are the same each time")
  func generated() throws {
    let fresh = Database(schema: try .issueTracker())
    let seed = SeedRows.generated(issues: 300)
    #expect(seed.jsonValue == SeedRows.generated(issues: 300).jsonValue)
    _ = try fresh.write { transaction in
      for (name, rows) in seed.tables {
        for row in rows {
          try transaction.insert(fresh.schema.table(name), row, names: .server)
        }
      }
    }
    #expect(fresh.rows(of: try fresh.schema.table("issue")).count == 300)
    #expect(!fresh.rows(of: try fresh.schema.table("comment")).isEmpty)
  }

  @Test("schemas that contradict themselves are refused")
  func badSchemas() {
    for key in [
      ForeignKey("nowhere", ["id"], references: "user"),
      ForeignKey("issue", ["nope"], references: "user"),
      ForeignKey("issue", ["creator_id"], references: "issue_label"),
    ] {
      #expect(throws: DatabaseError.self) {
        try DatabaseSchema(.issueTracker, foreignKeys: [key])
      }
    }
    #expect(throws: DatabaseError.self) {
      try DatabaseSchema(.issueTracker, defaults: ["issue": ["nope": .null]])
    }
  }
}
