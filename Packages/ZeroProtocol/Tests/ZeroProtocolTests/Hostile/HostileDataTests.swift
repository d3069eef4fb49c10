import Testing
@_spi(Engine) import ZeroProtocol

/// What a hostile server, a damaged disk or a careless app can hand over. The bounds are on work
/// that would otherwise grow with the square of the input.
@Suite struct HostileDataTests {
  private static let schema = ZeroSchema(tables: [
    TableDescriptor(
      "t", columns: [ColumnDescriptor("id", .string), ColumnDescriptor("data", .json)],
      primaryKey: ["id"])
  ])

  private static var layout: RowLayout { schema.tables[0].layout }

  /// The object with the members `0` to `count - 1`.
  private static func indexed(_ count: Int) -> JSONObject {
    JSONObject((0..<count).map { (String($0), JSONValue.number(Double($0))) })
  }

  @Test("a JSON column whose tree is far larger than its text reads as what was sent")
  func denseColumn() throws {
    let dense = "[" + String(repeating: "[1],", count: 300_000) + "[1]]"
    let text =
      #"["pokePart",{"pokeID":"p","rowsPatch":[{"op":"put","tableName":"t","value":"#
      + #"{"id":"a","data":\#(dense)}}]}]"#
    let part = try PokeDecoder(Self.schema).part(inMessage: Array(text.utf8))
    guard case .put(let row)? = part?.rowsPatch.first else {
      Issue.record("no row")
      return
    }
    guard case .json(.array(let elements)) = row[1] else {
      Issue.record("the column is \(row.tag(1)) and reads as no array")
      return
    }
    #expect(elements.count == 300_001)
  }

  @Test("a matrix of some thousand rows is no attack")
  func matrix() throws {
    let text = "[" + String(repeating: "[1],", count: 40_000) + "[1]]"
    #expect(try JSONValue(parsing: text).jsonString == text)
  }

  @Test("a stored row with JSON nested without end reads as null")
  func deepStoredColumn() {
    var builder = RowBuilder()
    builder.begin(Self.layout)
    [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20).withUnsafeBytes {
      builder.set(1, json: $0)
    }
    let row = builder.finish()
    #expect(row[1] == .null || row[1] == .json(.null))
  }

  @Test("values under a hundred thousand names are set and compared")
  func manyNames() {
    let work = BoundedWork()
    defer { work.check() }
    let names = (0..<100_000).map { ("name\($0)", "value") }
    let values = NamedValues(names)
    #expect(values.count == names.count)
    #expect(values == NamedValues(names.reversed()))
    #expect(values != NamedValues(names.map { ($0.0, "other") }))
    #expect(NamedValues([("a", 1), ("b", 2), ("a", 3)]) == ["a": 3, "b": 2])
  }

  @Test("a server may ask for fifty thousand parameters")
  func manyParameters() {
    let work = BoundedWork()
    defer { work.check() }
    var extra = NamedValues((0..<50_000).map { ("p\($0)", "v") })
    extra["wsid"] = "stolen"
    let url = ConnectURL(
      origin: "ws://h",
      ConnectURL.Parameters(
        clientID: "c", clientGroupID: "g", timestamp: 0, lastMutationID: 0, wsid: "w",
        profileID: "p", extra: extra))
    #expect(url.skippedParameters == ["wsid"])
    #expect(url.string.utf8.count > 400_000)
  }

  @Test("an update that merges an array of many elements is applied")
  func longMerge() {
    let work = BoundedWork()
    defer { work.check() }
    let update = RowUpdate(
      tableName: "t", id: ["id": .number(1)],
      merge: .array((0..<50_000).map { .number(Double($0)) }))
    let row = update.applied(to: ["id": .number(1), "7": .null])
    #expect(row.count == 50_001)
    #expect(row["7"] == .number(7))
    #expect(row.members.first?.key == "0")
    #expect(row.members.last?.key == "id")
  }

  @Test("a result of no known form with many members is kept")
  func manyMembersInResult() throws {
    let work = BoundedWork()
    defer { work.check() }
    var object = Self.indexed(50_000)
    object["error"] = .string("strange")
    let result = try MutationResult(json: .object(object), unknownMembers: .kept)
    #expect(result.json == .object(object))
  }

  @Test("array indexes are set one after the other")
  func indexesOneByOne() {
    let work = BoundedWork()
    defer { work.check() }
    var object = JSONObject()
    for n in 0..<50_000 { object[String(n)] = .number(Double(n)) }
    #expect(object == Self.indexed(50_000))
    #expect(object.members.map(\.key) == Self.indexed(50_000).members.map(\.key))
  }

  @Test("errors name what is wrong without repeating all of it")
  func shortMessages() throws {
    let long = String(repeating: "k", count: 1 << 20)
    let value = JSONValue.object([long: .string("x")])
    #expect(throws: JSONError.self) { try InspectReply(json: value, expecting: .version) }
    do {
      _ = try AST(json: .object(["table": .string("t"), long: .null]))
      Issue.record("taken")
    } catch {
      #expect(error.code == .unknownMember)
      #expect(error.description.utf8.count < 1000)
    }
    do {
      _ = try JSONValue(parsing: "{\"\(long)\":[1,]}")
      Issue.record("taken")
    } catch {
      #expect(error.path == [.key(long), 1])
      #expect(error.description.utf8.count < 1000)
    }
    do {
      _ = try primaryKeyText([.json(.array([.string(long)]))])
      Issue.record("taken")
    } catch {
      #expect(error.description.utf8.count < 1000)
    }
  }

  @Test("a schema with more columns than a row can have is refused")
  func tooManyColumns() throws {
    let columns = JSONObject((0..<65_536).map { ("c\($0)", .object(["type": .string("null")])) })
    let schema: JSONValue = .object([
      "tables": .object([
        "t": .object(["columns": .object(columns), "primaryKey": .array([.string("c0")])])
      ])
    ])
    do {
      _ = try ZeroSchema(json: schema)
      Issue.record("taken")
    } catch let error as JSONError {
      #expect(error.code == .invalidLength)
      #expect(error.path == ["tables", "t", "columns"])
    }
  }

  @Test("many entries of unknown tables take no memory of their own")
  func unknownTables() throws {
    let work = BoundedWork()
    defer { work.check() }
    let entry = #"{"op":"put","tableName":"u","value":{"id":1,"x":[]}}"#
    let text =
      "[{\"pokeID\":\"p\",\"rowsPatch\":[\(repeatElement(entry, count: 50_000).joined(separator: ","))]}]"
    let parts = try PokeDecoder(Self.schema).parts(inPayload: Array(text.utf8))
    #expect(parts.first?.hasRows == true)
    #expect(parts.first?.rowsPatch.isEmpty == true)
  }

  @Test("members that fit only when repeated cost no more than others")
  func repeatedMembers() throws {
    let work = BoundedWork()
    defer { work.check() }
    let part = #"{"pokeID":1,"pokeID":"p"}"#
    let list = repeatElement(part, count: 100_000).joined(separator: ",")
    let parts = try PokeDecoder(Self.schema).parts(inPayload: Array("[\(list)]".utf8))
    #expect(parts.count == 100_000)
    #expect(parts.allSatisfy { $0.pokeID == "p" })
    do {
      _ = try PokeDecoder(Self.schema).parts(inPayload: Array("[\(part),{\"pokeID\":1}]".utf8))
      Issue.record("taken")
    } catch {
      #expect(error.path == [1, "pokeID"])
    }
  }

  @Test("what a part takes of memory is counted once, though it is read twice")
  func repeatedTrees() throws {
    let lists = (0..<10).map { ",\"\($0)\":[1]" }.joined()
    let query = "{\"op\":\"clear\"\(lists)}"
    let queries = repeatElement(query, count: 20_000).joined(separator: ",")
    let part = #"{"gotQueriesPatch":[\#(queries)],"pokeID":1,"pokeID":"p"}"#
    let parts = try PokeDecoder(Self.schema).parts(inPayload: Array("[\(part)]".utf8))
    #expect(parts.first?.gotQueriesPatch.count == 20_000)
  }

  @Test("sets and dictionaries encode in one order, however they came about")
  func unorderedContainers() throws {
    struct Key: Hashable, Encodable { var number: Int }
    let numbers = Array(0..<300)
    var grown = Set<Int>()
    for number in numbers.reversed() { grown.insert(number) }
    var roomy = Set<Int>(minimumCapacity: 5000)
    for number in numbers { roomy.insert(number) }
    #expect(Array(grown) != Array(roomy), "the sets must differ in their own order")
    let encoder = JSONValueEncoder()
    #expect(try encoder.encode(grown) == encoder.encode(roomy))

    var small: [Key: String] = [:]
    var large = [Key: String](minimumCapacity: 5000)
    for number in numbers {
      small[Key(number: number)] = "v\(number)"
      large[Key(number: number)] = "v\(number)"
    }
    #expect(try encoder.encode(small) == encoder.encode(large))
    let pairs = try JSONValueDecoder().decode([JSONValue].self, from: encoder.encode(small))
    #expect(pairs.count == 600)
    #expect(Set(stride(from: 1, to: 600, by: 2).map { pairs[$0].jsonString }).count == 300)
  }
}
