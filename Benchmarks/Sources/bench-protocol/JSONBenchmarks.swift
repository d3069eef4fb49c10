import BenchKit
import CBenchPeers
import Foundation
@_spi(Engine) import ZeroProtocol

/// `json.poke.parse`: the payload of a poke with N issues, from bytes to packed rows.
func benchmarkPokes(_ run: BenchRun, _ node: ExternalProgram?) throws {
  guard run.wants("json.poke.parse") else { return }
  let decoder = PokeDecoder(IssueData.schema)
  var points: [(size: Int, seconds: Double)] = []
  for size in run.sizes([1000, 10_000, 100_000]) {
    let payload = IssueData.payload(size)
    let file = try TemporaryFile(payload)
    let data = Data(payload)
    var peers: [Contender] = []
    if let node { peers.append(node.contender("Node JSON.parse", "parse \(file.path)")) }
    peers.append(
      Contender("JSONSerialization") {
        blackHole(try JSONSerialization.jsonObject(with: data))
      })
    peers.append(
      Contender("JSONDecoder, structs") {
        blackHole(try JSONDecoder().decode([FoundationPart].self, from: data))
      })
    let seconds = try run.compare(
      "json.poke.parse", size: size, unit: .megabytesPerSecond(payload.count),
      ours: Contender("ours, to rows") { blackHole(try decoder.parts(inPayload: payload)) },
      peers: peers)
    if let seconds { points.append((size, seconds)) }
    let count = try Allocations.count { blackHole(try decoder.parts(inPayload: payload)) }
    run.figure(
      "json.poke.parse", size: size, Double(count) / Double(size), "allocations/row")
    try run.compare(
      "json.poke.parse.tree", size: size, unit: .megabytesPerSecond(payload.count),
      ours: Contender("ours, to a tree") { blackHole(try JSONValue(parsing: payload)) },
      peers: Array(peers.prefix(node == nil ? 1 : 2)))
  }
  run.curve("json.poke.parse", points)
}

/// `json.scan`: JSON text checked and passed over.
func benchmarkScan(_ run: BenchRun) throws {
  guard run.wants("json.scan") else { return }
  let payload = IssueData.payload(100_000)
  try run.compare(
    "json.scan", size: payload.count, unit: .megabytesPerSecond(payload.count),
    ours: Contender("ours") {
      try payload.withUnsafeBytes { bytes in
        var reader = try JSONReader(bytes)
        blackHole(try reader.skipValue().count)
        try reader.finish()
      }
    },
    peers: [
      Contender("C byte loop") {
        payload.withUnsafeBufferPointer { blackHole(bench_scan_json($0.baseAddress, $0.count)) }
      }
    ])
}

/// `json.encode.push`: a push of a hundred mutations to text.
func benchmarkEncoding(_ run: BenchRun, _ node: ExternalProgram?) throws {
  guard run.wants("json.encode.push") else { return }
  let mutations = (0..<100).map { i -> JSONValue in
    .object([
      "type": .string("custom"), "id": .number(Double(i + 1)), "clientID": .string("client1234"),
      "name": .string("issue.update"), "args": .array([IssueData.issue(i, of: 1000)]),
      "timestamp": .number(1_700_000_000_000.5 + Double(i)),
    ])
  }
  let message = JSONValue.array([
    .string("push"),
    .object([
      "clientGroupID": .string("group5678"), "mutations": .array(mutations),
      "pushVersion": .number(1), "timestamp": .number(1_700_000_000_001),
      "requestID": .string("client1234-0123-0"),
    ]),
  ])
  let text = message.jsonText
  let file = try TemporaryFile(text)
  let times = 200
  let object = try JSONSerialization.jsonObject(with: Data(text))
  var peers: [Contender] = []
  if let node {
    peers.append(node.contender("Node JSON.stringify", "stringify \(file.path) \(times)"))
  }
  peers.append(
    Contender("JSONSerialization") {
      for _ in 0..<times { blackHole(try JSONSerialization.data(withJSONObject: object)) }
    })
  try run.compare(
    "json.encode.push", size: text.count, unit: .megabytesPerSecond(text.count * times),
    ours: Contender("ours") { for _ in 0..<times { blackHole(message.jsonText) } }, peers: peers)
}

/// `json.utf8.check`: mixed text of ASCII, accents, Han and emoji, 32 MB.
func benchmarkUTF8(_ run: BenchRun) throws {
  guard run.wants("json.utf8.check") else { return }
  let piece = Array(
    ("The quick brown fox jumps over the lazy dog. Žluťoučký kůň úpěl ďábelské ódy. "
      + "いろはにほへと 天地玄黃 👩‍👧😀 and back to plain text for a while, as most text is. ").utf8)
  var text: [UInt8] = []
  while text.count < 32 << 20 { text.append(contentsOf: piece) }
  try run.compare(
    "json.utf8.check", size: text.count, unit: .gigabytesPerSecond(text.count),
    ours: Contender("ours") {
      text.withUnsafeBytes { blackHole(firstInvalidUTF8($0) == nil) }
    },
    peers: [
      Contender("C loop") {
        text.withUnsafeBufferPointer { blackHole(bench_is_utf8($0.baseAddress, $0.count)) }
      }
    ])
}

/// The shape that `JSONDecoder` gets told.
private struct FoundationPart: Decodable {
  var pokeID: String
  var rowsPatch: [Entry]

  struct Entry: Decodable {
    var op: String
    var tableName: String
    var value: Issue
  }

  struct Issue: Decodable {
    var id: String
    var title: String
    var description: String
    var open: Bool
    var priority: Double
    var creatorID: String
    var assigneeID: String?
    var created: Double
    var modified: Double
    var rank: Double
    var labels: [String]
  }
}

/// A file that is there while the value is.
final class TemporaryFile {
  let path: String

  init(_ bytes: [UInt8]) throws {
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("bench-\(UUID().uuidString).json")
    path = url.path
    try Data(bytes).write(to: url)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
