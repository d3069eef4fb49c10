import Testing
import ZeroProtocol

@testable import ZeroDevServer

@Suite("pokes on the wire") struct PokeEncoderTests {
  let schema: DatabaseSchema
  let encoder: PokeEncoder

  init() throws {
    schema = try DatabaseSchema(TestServer.schema)
    encoder = PokeEncoder(schema: schema)
  }

  private func poke(rows: Int, textBytes: Int) -> Poke {
    var builder = RowBuilder()
    var patches = PokePatches()
    let layout = schema.tables[0].layout
    for number in 0..<rows {
      builder.begin(layout)
      builder.set(0, "n\(number)")
      builder.set(1, String(repeating: "é🚀", count: textBytes / 6))
      builder.nullifyAbsent()
      let row = builder.finish()
      patches.rows.append(.put(RowKey(row, table: 0), row))
    }
    return Poke(base: nil, cookie: GroupVersion(commit: 7), patches: patches)
  }

  private func parts(_ frames: [PokeEncoder.Frame]) throws -> [JSONValue] {
    var text: [UInt8] = []
    for case .binary(let bytes) in frames { text += bytes.dropFirst() }
    guard case .array(let parts) = try JSONValue(parsing: text) else { return [] }
    return parts
  }

  @Test("a part holds at most 100 patches, and rows of about one mebibyte")
  func partSizes() throws {
    let many = try parts(encoder.frames(poke(rows: 250, textBytes: 6), protocolVersion: 52))
    #expect(many.count == 3)
    let large = try parts(encoder.frames(poke(rows: 30, textBytes: 100_000), protocolVersion: 52))
    #expect(large.count == 3)
  }

  @Test("a binary frame holds at most one mebibyte and ends between characters")
  func frameSizes() throws {
    let frames = encoder.frames(poke(rows: 30, textBytes: 100_000), protocolVersion: 52)
    var sizes: [Int] = []
    for case .binary(let bytes) in frames {
      sizes.append(bytes.count)
      #expect(bytes.first == 0)
      #expect(String(validating: bytes.dropFirst(), as: UTF8.self) != nil)
    }
    #expect(sizes.count == 3)
    #expect(sizes.dropLast().allSatisfy { (1_048_573...1_048_576).contains($0) })
  }

  @Test("an empty poke is one frame with an empty list for 52 and no part for 51")
  func emptyPoke() {
    let frames = encoder.frames(poke(rows: 0, textBytes: 0), protocolVersion: 52)
    #expect(frames.count == 3)
    #expect(frames[1] == .binary([0, UInt8(ascii: "["), UInt8(ascii: "]")]))
    #expect(encoder.frames(poke(rows: 0, textBytes: 0), protocolVersion: 51).count == 2)
  }

  @Test("what is encoded is what clients decode")
  func roundTrip() throws {
    var patches = PokePatches()
    patches.addDesired(.put("q1"), of: "c1")
    patches.addDesired(.delete("q2"), of: "c2")
    patches.addDesired(.delete("q3"), of: "c1")
    patches.got = [.put("q1"), .delete("q2")]
    patches.lastMutationIDs = [("c1", 3), ("c\"2", 4)]
    patches.results = [
      .init(clientID: "c1", mutationID: 3, result: .object(["error": .string("app")])),
      .init(clientID: "c1", mutationID: 2, result: nil),
    ]
    patches.rows = [.delete(RowKey(table: 0, text: "n\"1"))]
    let poke = Poke(
      base: GroupVersion(commit: 1), cookie: GroupVersion(commit: 2), patches: patches)
    let frames = encoder.frames(poke, protocolVersion: 51)
    #expect(frames.count == 3)
    for case .text(let text) in frames { _ = try DownstreamMessage(text: text) }
    guard case .text(let text) = frames[1],
      case .pokePart(let part) = try DownstreamMessage(text: text)
    else { return #expect(Bool(false)) }
    #expect(part.pokeID == "02")
    #expect(part.lastMutationIDChanges?["c\"2"] == 4)
    #expect(part.desiredQueriesPatches?["c1"]?.count == 2)
    #expect(part.gotQueriesPatch?.count == 2)
    #expect(part.mutationsPatch?.count == 2)
    #expect(part.rowsPatch?.count == 1)
  }

  @Test("cookies sort as the versions do and are read back")
  func cookies() {
    let versions = [
      GroupVersion.initial, GroupVersion(commit: 0, step: 1), GroupVersion(commit: 10),
      GroupVersion(commit: 35, step: 35), GroupVersion(commit: 35, step: 36),
      GroupVersion(commit: 36), GroupVersion(commit: 46_655),
    ]
    #expect(versions.map(\.cookie) == ["00", "00:01", "0a", "0z:0z", "0z:110", "110", "2zzz"])
    for (a, b) in zip(versions, versions.dropFirst()) {
      #expect(a < b && Cookie.compare(a.cookie, b.cookie) < 0)
    }
    for version in versions { #expect(GroupVersion(cookie: version.cookie) == version) }
    for text in ["", "0", "00:", "00:x", "000", ":01", "1", "00:01:01", "é"] {
      #expect(GroupVersion(cookie: text) == nil, "\(text)")
    }
  }
}
