import ZeroClient
import ZeroIVM
import ZeroProtocol

extension VectorRunner {
  /// Named queries of the fixture's tables, run with and without arguments.
  static let queryArguments = VectorRunner(
    fields: ["query", "args", "customQueryID", "queryID", "ast", "throws"],
    prepare: { file in
      _ = try fixtureSchema(file)
      return { test in
        let args = try test.value("args").json()
        let query = try test.string("query")
        if test.has("throws") {
          try expectThrows("building") { try NamedQueries.build(query, args).ast.jsonValue }
          return
        }
        let built = try NamedQueries.build(query, args)
        guard let id = built.id else { throw VectorFailure("a query without its name") }
        try expectEqual(
          .object(["name": .string(id.name), "args": .array(id.args)]),
          try test.json("customQueryID"), "customQueryID")
        try expectEqual(
          queryID(name: id.name, arguments: id.args), try test.string("queryID"), "queryID")
        try expectEqual(built.ast.jsonValue, try test.json("ast"), "ast")
      }
    })
}

/// The definitions that the vectors call.
private enum NamedQueries {
  /// Filters by the argument's label, if it has one.
  private static let plain = defineQuery("plain") { (args: JSONValue, _: Void) in labelled(args) }
  private static let plainWithout = defineQuery("plain") { (_: Void) in labelled(nil) }

  /// Refuses what is bad, and filters by twice the argument's number, or by 0.
  private static let checked = defineQuery("checked", validate: check) {
    (args: JSONValue, _: Void) in ranked(args)
  }
  private static let checkedWithout = defineQuery("checked") { (_: Void) in ranked(nil) }

  static func build(
    _ name: String, _ args: JSONValue?
  ) throws -> (id: CustomQueryID?, ast: AST) {
    switch (name, args) {
    case ("plain", let args?): return result(of: try plain(args).query(()))
    case ("plain", nil): return result(of: try plainWithout().query(()))
    case ("checked", let args?): return result(of: try checked(args).query(()))
    case ("checked", nil): return result(of: try checkedWithout().query(()))
    default: throw VectorFailure("no definition of query \(name)")
    }
  }

  private static func result<T, Output>(
    of query: Query<T, Output>
  ) -> (id: CustomQueryID?, ast: AST) {
    (query.customQueryID, query.ast)
  }

  private static func labelled(_ args: JSONValue?) -> Query<Tag, [Tag]> {
    guard case .object(let object)? = args, case .string(let label)? = object["label"] else {
      return .all
    }
    return Query.all.where(\.label, label)
  }

  private static func ranked(_ args: JSONValue?) -> Query<Note, [Note]> {
    guard case .object(let object)? = args, case .number(let n)? = object["n"] else {
      return Query.all.where(\.rank, 0)
    }
    return Query.all.where(\.rank, n * 2)
  }

  @Sendable private static func check(_ args: JSONValue) throws {
    guard case .object(let object) = args, object["bad"] != nil else { return }
    throw ValidationIssues([.init("first"), .init("second")])
  }
}

/// As much of a table of the fixture as the queries name.
private struct Tag: ZeroTable {
  struct Columns: Sendable { let label = Column<Tag, String>(1) }
  struct Relations: Sendable {}

  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "tag", columns: [.init("id", .string), .init("label", .string)], primaryKey: ["id"])

  let id: String
  let label: String

  init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    label = try reader.value(1)
  }

  func encode() -> ContiguousArray<Value> { [id.zero, label.zero] }
}

private struct Note: ZeroTable {
  struct Columns: Sendable { let rank = Column<Note, Double>(1) }
  struct Relations: Sendable {}

  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "note", columns: [.init("id", .string), .init("rank", .number)], primaryKey: ["id"])

  let id: String
  let rank: Double

  init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    rank = try reader.value(1)
  }

  func encode() -> ContiguousArray<Value> { [id.zero, rank.zero] }
}
