import Testing
import ZeroProtocol

@Suite("Schemas")
struct SchemaTests {
  private func table(
    _ name: String, key: [String] = ["id"], _ relations: [RelationDescriptor] = []
  ) -> TableDescriptor {
    TableDescriptor(
      name, columns: [.init("id", .string), .init("ref", .string)], primaryKey: key,
      relations: relations)
  }

  private func failure(_ tables: TableDescriptor...) -> SchemaError.Code? {
    do {
      try ZeroSchema(tables: tables).validate()
      return nil
    } catch {
      return error.code
    }
  }

  @Test("what a query could not follow is refused")
  func refusals() {
    let hop = Hop(["ref"], "t", ["id"])
    #expect(failure(table("t", key: ["id", "nope"])) == .unknownKeyColumn)
    #expect(
      failure(table("t", [.init("a", .one, hop), .init("a", .many, hop)])) == .duplicateRelation)
    #expect(failure(table("t", [.init("zsubq_a", .one, hop)])) == .reservedName)
    #expect(failure(table("t", [.init("ref", .one, hop)])) == .relationNamedLikeColumn)
    #expect(failure(table("t", [.init("a", .one)])) == .invalidHops)
    #expect(failure(table("t", [.init("a", .one, hop, hop, hop)])) == .invalidHops)
    #expect(failure(table("t", [.init("a", .one, Hop([], "t", []))])) == .invalidHops)
    #expect(
      failure(table("t", [.init("a", .one, Hop(["ref"], "t", ["id", "ref"]))])) == .invalidHops)
    #expect(failure(table("t", [.init("a", .one, Hop(["ref"], "u", ["id"]))])) == .missingTable)
    #expect(failure(table("t", [.init("a", .one, hop), .init("b", .many, hop, hop)])) == nil)
  }

  @Test("a schema is read with relationships in either form")
  func relationshipForms() throws {
    func schema(_ relationship: String) throws -> ZeroSchema {
      let column = #"{"type":"string"}"#
      return try ZeroSchema(
        json: JSONValue(
          parsing: Array(
            #"{"tables":{"t":{"columns":{"id":\#(column),"ref":\#(column)},"primaryKey":["id"]}},"relationships":{"t":{"up":\#(relationship)}}}"#
              .utf8)))
    }
    let hop = #"{"sourceField":["ref"],"destField":["id"],"destSchema":"t","cardinality":"one"}"#
    let list = try schema("[\(hop)]")
    let object = try schema(#"{"cardinality":"one","hops":[\#(hop)]}"#)
    #expect(
      list.table("t")?.relation("up") == RelationDescriptor("up", .one, Hop(["ref"], "t", ["id"])))
    #expect(list.jsonValue == object.jsonValue)
  }

  @Test("an enumeration is text with the values declared")
  func enumeration() throws {
    let json = try JSONValue(
      parsing: Array(
        #"{"tables":{"t":{"columns":{"id":{"type":"string","enum":["a","b"]}},"primaryKey":["id"]}}}"#
          .utf8))
    let column = try ZeroSchema(json: json).table("t")?.column("id")
    #expect(column?.type == .string)
    #expect(column?.enumeration == ["a", "b"])
  }

  @Test("an error in the text of a schema names the place")
  func place() throws {
    let json = try JSONValue(
      parsing: Array(
        #"{"tables":{"t":{"columns":{"id":{"type":"text"}},"primaryKey":["id"]}}}"#.utf8))
    let error = #expect(throws: JSONError.self) { try ZeroSchema(json: json) }
    #expect(error?.path == ["tables", "t", "columns", "id", "type"])
  }

  @Test("names that differ only in how they are composed are different tables")
  func bytes() {
    let schema = ZeroSchema(tables: [table("\u{e9}"), table("e\u{301}")])
    #expect(throws: Never.self) { try schema.validate() }
    #expect(schema.table("e\u{301}")?.name.utf8.count == 3)
  }

  @Test("only public is taken off a server name, and only once")
  func publicPrefix() {
    func serverName(_ server: String) -> String {
      TableDescriptor("t", server: server, columns: [], primaryKey: []).serverName
    }
    #expect(serverName("public.a") == "a")
    #expect(serverName("public.public.a") == "public.a")
    #expect(serverName("Public.a") == "Public.a")
    #expect(serverName("public") == "public")
  }
}
