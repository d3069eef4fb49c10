import Testing
import ZeroIVM
import ZeroProtocol

@Suite("README")
struct ReadmeTests {
  @Test("the program of the README prints what it says")
  func program() throws {
    var printed: [String] = []
    func print(_ name: Value, _ count: Int) { printed.append("\(name) \(count)") }

    let schema = ZeroSchema(tables: [
      TableDescriptor(
        "list", columns: [.init("id", .string), .init("name", .string)], primaryKey: ["id"],
        relations: [.init("items", .many, Hop(["id"], "item", ["listID"]))]),
      TableDescriptor(
        "item",
        columns: [.init("id", .number), .init("listID", .string), .init("done", .boolean)],
        primaryKey: ["id"]),
    ])
    let branch = Branch(schema: schema)
    let open = try AnyQuery(schema, table: "list").related("items") {
      $0.where("done", .bool(false))
    }
    let view = try branch.materialize(open)
    try view.addListener { data, _, _ in
      for list in data.entries { print(list.value("name"), list["items"]?.entries.count ?? 0) }
    }
    try branch.push(.add(branch.row("list", ["id": .string("a"), "name": .string("Errands")])))
    let item = try branch.row(
      "item", ["id": .number(1), "listID": .string("a"), "done": .bool(false)])
    try branch.push(.add(item))
    branch.commit()  // prints string("Errands") 1

    #expect(printed == ["string(\"Errands\") 1"])
  }
}
