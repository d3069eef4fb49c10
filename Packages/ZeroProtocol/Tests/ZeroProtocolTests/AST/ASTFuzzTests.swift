import Testing
import ZeroProtocol

@Suite("Damaged queries")
struct ASTFuzzTests {
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11 ^ state << 21
    }
  }

  private static let sound = [
    #"{"table":"a","where":{"type":"and","conditions":[{"type":"simple","op":"IN","left":{"type":"column","name":"x"},"right":{"type":"literal","value":[1,"b",true]}},{"type":"or","conditions":[{"type":"simple","op":"LIKE","left":{"type":"column","name":"y"},"right":{"type":"literal","value":"%b\\"}},{"type":"simple","op":"<","left":{"type":"literal","value":1},"right":{"type":"static","anchor":"authData","field":["sub","0"]}}]},{"type":"correlatedSubquery","op":"NOT EXISTS","flip":true,"related":{"correlation":{"parentField":["x"],"childField":["y"]},"subquery":{"table":"b","alias":"zsubq_b"}}}]},"limit":3}"#,
    #"{"schema":"s","table":"b","alias":"q","related":[{"system":"client","hidden":true,"correlation":{"parentField":["x","y"],"childField":["y","x"]},"subquery":{"table":"a","alias":"r","orderBy":[["x","desc"]]}}],"start":{"row":{"x":1,"y":null},"exclusive":false},"orderBy":[["x","asc"],["y","desc"]]}"#,
  ]

  private static let spare: [JSONValue] = [
    .null, .bool(true), .number(-1), .number(1e300), .string(""), .string("column"), .array([]),
    .object(JSONObject()), .array([.null]), .string("zsubq_"), .string("\\"), .number(.nan),
  ]

  /// The tree with a few of its members replaced, removed, added or moved elsewhere.
  private func damaged(_ json: JSONValue, _ random: inout Generator) -> JSONValue {
    if Int.random(in: 0..<50, using: &random) == 0 {
      return Self.spare.randomElement(using: &random) ?? .null
    }
    switch json {
    case .array(var elements):
      elements = elements.map { damaged($0, &random) }
      if Int.random(in: 0..<60, using: &random) == 0, let first = elements.first {
        elements.append(first)
      }
      return .array(elements)
    case .object(let object):
      var members = object.members.map { ($0.key, damaged($0.value, &random)) }
      if Int.random(in: 0..<50, using: &random) == 0, !members.isEmpty {
        members.remove(at: Int.random(in: 0..<members.count, using: &random))
      }
      if Int.random(in: 0..<12, using: &random) == 0 { members.shuffle(using: &random) }
      if Int.random(in: 0..<16, using: &random) == 0 { members.append(("later", .number(1))) }
      return .object(JSONObject(members))
    default: return json
    }
  }

  @Test("are refused with a place, or can be used like any other", arguments: UInt64(1)...10)
  func survive(_ seed: UInt64) throws {
    let schema = ZeroSchema(
      tables: ["a", "b"].map { name in
        TableDescriptor(
          name, server: "s_" + name,
          columns: [.init("x", server: "sx", .number), .init("y", .string)],
          primaryKey: ["x"])
      })
    let names = NameMapper(schema, .clientToServer)
    let layout = schema.tables[0].layout
    var builder = RowBuilder()
    builder.begin(layout)
    builder.set(0, 1)
    builder.set(1, "b")
    let row = builder.finish()
    var random = Generator(state: seed)
    var accepted = 0
    for _ in 0..<300 {
      let text = Self.sound.randomElement(using: &random) ?? ""
      let json = damaged(try JSONValue(parsing: Array(text.utf8)), &random)
      let query: AST
      do {
        query = try AST(json: json, unknownMembers: .kept)
      } catch {
        #expect(throws: JSONError.self) { try AST(json: json) }
        continue
      }
      accepted += 1
      let again = try AST(json: query.jsonValue, unknownMembers: .kept)
      #expect(again.jsonText == query.jsonText, "seed \(seed): \(json.jsonString)")
      _ = try? query.hash()
      _ = try? query.mapped(by: names)
      _ = try? query.completingOrdering { schema.table($0)?.primaryKey }
      _ = try? query.bindingParameters(["authData": .object(["sub": .string("u")])])
      if let condition = query.where {
        _ = condition.negated
        if let filter = condition.rowPart.filter {
          _ = try? RowPredicate(filter.simplified, layout).matches(row)
        }
      }
    }
    #expect(accepted > 20, "seed \(seed)")
  }
}
