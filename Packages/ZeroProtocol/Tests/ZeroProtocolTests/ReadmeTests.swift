import Testing
import ZeroProtocol

@Suite struct ReadmeTests {
  @Test("the example of the README does what it says")
  func example() throws {
    let issue = TableDescriptor(
      "issue",
      columns: [
        ColumnDescriptor("id", .string), ColumnDescriptor("title", server: "title_text", .string),
        ColumnDescriptor("rank", .number, optional: true),
      ], primaryKey: ["id"])

    var builder = RowBuilder()
    builder.begin(issue.layout)
    builder.set(0, "i1")
    builder.set(1, "Rows are packed")
    let row = builder.finish()

    #expect(row["title"] == .string("Rows are packed"))
    #expect(row["rank"] == .absent)
    #expect(try Row.compare(row, 0, row, 1) == 1)

    let arguments = try JSONValue(parsing: #"{"status":"open","10":1,"2":[1.0,1e21]}"#)
    #expect(arguments.jsonString == #"{"2":[1,1e+21],"10":1,"status":"open"}"#)
    #expect(!queryID(name: "issues.byStatus", arguments: [arguments]).isEmpty)
    #expect(
      queryID(name: "issues.byStatus", arguments: [.object(["status": .string("open")])])
        == "3tq8f9weebmk9")
  }
}
