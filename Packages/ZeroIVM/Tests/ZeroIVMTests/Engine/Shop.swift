import ZeroIVM
import ZeroProtocol

/// Small tables for tests of single rules.
enum Shop {
  static let schema = ZeroSchema(tables: [
    TableDescriptor(
      "item",
      columns: [
        .init("id", .number), .init("name", .string), .init("rank", .number, optional: true),
        .init("owner", .string, optional: true), .init("meta", .json, optional: true),
      ], primaryKey: ["id"],
      relations: [
        .init("owners", .one, Hop(["owner"], "person", ["name"])),
        .init("notes", .many, Hop(["id"], "note", ["item"])),
        .init(
          "authors", .many, Hop(["id"], "note", ["item"]), Hop(["author"], "person", ["name"])),
      ]),
    TableDescriptor(
      "person", columns: [.init("name", .string), .init("age", .number, optional: true)],
      primaryKey: ["name"], relations: [.init("owned", .many, Hop(["name"], "item", ["owner"]))]),
    TableDescriptor(
      "note",
      columns: [.init("id", .number), .init("item", .number), .init("author", .string)],
      primaryKey: ["id"]),
  ])

  static func branch(items: Int = 3) throws -> Branch {
    let branch = Branch(schema: schema)
    for id in 0..<items { try branch.push(.add(item(id, branch))) }
    return branch
  }

  static func item(
    _ id: Int, _ branch: Branch, rank: Value = .null, owner: Value = .null, name: String = "n"
  ) throws -> Row {
    try branch.row(
      "item",
      ["id": .number(Double(id)), "name": .string(name), "rank": rank, "owner": owner])
  }

  static func person(_ name: String, _ branch: Branch) throws -> Row {
    try branch.row("person", ["name": .string(name)])
  }

  static func note(_ id: Int, item: Int, by author: String, _ branch: Branch) throws -> Row {
    try branch.row(
      "note",
      ["id": .number(Double(id)), "item": .number(Double(item)), "author": .string(author)])
  }

  static func query(_ table: String) throws -> AnyQuery { try AnyQuery(schema, table: table) }

  /// IDs or names of the entries.
  static func keys(_ data: ViewData?) -> [String] {
    (data?.entries ?? EntryList()).map { text($0.row) }
  }

  /// The ID or name of a row.
  static func text(_ row: Row) -> String {
    switch row[0] {
    case .number(let number): "\(Int(number))"
    case .string(let name): name
    default: "?"
    }
  }
}
