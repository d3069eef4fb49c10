import Testing
import ZeroIVM
import ZeroProtocol
import ZeroTesting

@Suite("Generated code")
struct GeneratedCodeTests {
  /// What is said of a pair's struct.
  private func failures<P: Places>(_: P.Type) -> [String] {
    let user = TableDescriptor("user", columns: User.table.columns, primaryKey: ["id"])
    return GeneratedCode.failures(
      schema: ZeroSchema(tables: [Pair<P>.table, user]), tables: [Pair<P>.self]
    ).map(\.description).filter { !$0.hasPrefix("table user") }
  }

  @Test("the example's structs agree with their descriptors")
  func example() {
    #expect(
      GeneratedCode.failures(schema: .app, tables: [User.self, Issue.self, Comment.self]) == [])
    enum Right: Places {}
    #expect(failures(Right.self) == [])
  }

  @Test("members of Columns that refer to other columns are told")
  func columns() {
    enum Swapped: Places { static var columns: [Int] { [0, 2, 1] } }
    #expect(
      failures(Swapped.self).prefix(2) == [
        "pair.flag: it refers to column 2, which is \"other\"; generate it again",
        "pair.other: it refers to column 1, which is \"flag\"; generate it again",
      ])
    enum Beyond: Places { static var columns: [Int] { [0, 1, 3] } }
    #expect(
      failures(Beyond.self) == [
        "pair.other: it refers to column 3 of 3", "pair.other: no member of Columns refers to it",
      ])
    enum Negative: Places { static var columns: [Int] { [-1, 1, 2] } }
    #expect(failures(Negative.self).first == "pair.id: it refers to column -1 of 3")
  }

  @Test("a Swift type that is not that of the column is told")
  func types() {
    enum Number: Places { typealias First = Double }
    #expect(
      failures(Number.self) == ["pair.id: it is of type string, and its type in Swift is Double"])
    enum Missing: Places { typealias First = String? }
    #expect(
      failures(Missing.self) == [
        "pair.id: it cannot be null, and its type Optional<String> is optional"
      ])
  }

  @Test("members of Relations that refer to other relations, rows or kinds are told")
  func relations() {
    enum Swapped: Places { static var relations: [Int] { [1, 0] } }
    #expect(
      failures(Swapped.self).first
        == "pair.mate: it refers to relation 1, which is \"mates\"; generate it again")
    enum Beyond: Places { static var relations: [Int] { [0, 2] } }
    #expect(failures(Beyond.self).first == "pair.mates: it refers to relation 2 of 2")
    enum Target: Places { typealias Target = Comment }
    #expect(
      failures(Target.self) == [
        "pair.mate: it leads to table \"user\", and in Swift to \"comment\""
      ])
    enum Kind: Places { typealias Kind = ToMany }
    #expect(failures(Kind.self) == ["pair.mate: it leads to one, and in Swift to many"])
  }

  @Test("properties that are read from other columns or relations are told")
  func reading() {
    enum Columns: Places { static var read: [Int] { [0, 2, 1] } }
    #expect(
      Set(failures(Columns.self)) == [
        "pair.flag: init(_:) reads it from another column than 1",
        "pair.other: init(_:) reads it from another column than 2",
      ])
    enum Relations: Places { static var readRelations: [Int] { [1, 0] } }
    #expect(
      Set(failures(Relations.self)) == [
        "pair.mate: init(_:) does not read it from relation 0",
        "pair.mates: init(_:) reads it from relation 0, which is \"mate\"",
        "pair.mate: init(_:) reads it from relation 1, which is \"mates\"",
        "pair.mates: init(_:) does not read it from relation 1",
      ])
  }

  @Test("properties that are written to other columns are told")
  func writing() {
    enum Swapped: Places {
      static func encoded(_ values: [Value]) -> [Value] { [values[0], values[2], values[1]] }
    }
    #expect(
      Set(failures(Swapped.self)) == [
        "pair.flag: encode() writes another property at 1",
        "pair.other: encode() writes another property at 2",
      ])
    enum Short: Places {
      static func encoded(_ values: [Value]) -> [Value] { [values[0], values[1]] }
    }
    #expect(failures(Short.self) == ["table pair: encode() gives 2 values, and it has 3 columns"])
  }

  @Test("tables without a struct, and structs without a table, are told")
  func tables() {
    let schema = ZeroSchema(tables: [User.table, Issue.table, Comment.table])
    #expect(
      GeneratedCode.failures(schema: schema, tables: [User.self, Issue.self]).map(\.description)
        == ["table comment: no struct of it is given to the check"])
    enum Right: Places {}
    #expect(
      GeneratedCode.failures(
        schema: schema, tables: [User.self, Issue.self, Comment.self, Pair<Right>.self]
      ).map(\.table) == ["pair"])
  }

  @Test("a row that cannot be made up is asked for, and used")
  func examples() {
    struct Tags: ZeroJSON, Equatable {
      var tags: [JSONValue]
      init(tags: [JSONValue]) { self.tags = tags }
      init?(json: JSONValue) {
        guard case .object(let object) = json, case .array(let tags)? = object["tags"]
        else { return nil }
        self.tags = tags
      }
      var json: JSONValue { .object(["tags": .array(tags)]) }
    }
    enum JSONTable {
      static let table = TableDescriptor(
        "note", columns: [.init("id", .string), .init("tags", .json)], primaryKey: ["id"])
    }
    struct Note: ZeroTable {
      var id: String
      var tags: Tags
      init(id: String, tags: Tags) {
        self.id = id
        self.tags = tags
      }
      init(_ reader: RowReader) throws(RowDecodingError) {
        id = try reader.value(0)
        tags = try reader.value(1)
      }
      func encode() -> ContiguousArray<Value> { [id.zero, tags.zero] }
      struct Columns: Sendable {
        let id = Column<Note, String>(0)
        let tags = Column<Note, Tags>(1)
      }
      struct Relations: Sendable {}
      static var columns: Columns { Columns() }
      static var relations: Relations { Relations() }
      static var table: TableDescriptor { JSONTable.table }
    }
    let schema = ZeroSchema(tables: [Note.table])
    let failures = GeneratedCode.failures(schema: schema, tables: [Note.self])
    #expect(failures.count == 1)
    #expect(failures.first?.message.contains("give an example of one") == true)
    let example = Note(id: "a", tags: Tags(tags: []))
    #expect(
      GeneratedCode.failures(schema: schema, tables: [Note.self], examples: [example]) == [])
  }
}
