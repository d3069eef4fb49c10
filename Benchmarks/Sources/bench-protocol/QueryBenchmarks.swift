import BenchKit
import Foundation
@_spi(Engine) import ZeroProtocol

/// Hashing of queries and deciding conditions on rows, against the same in JavaScript.
func benchmarkQueries(_ run: BenchRun) throws {
  let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("queries.mjs").path
  let node = ExternalProgram("node", [script])
  if run.wants("ast.hash") { try benchmarkQueryHashes(run, node) }
  try benchmarkPredicates(run, node)
}

// MARK: -

private func benchmarkQueryHashes(_ run: BenchRun, _ node: ExternalProgram?) throws {
  var trees = QueryTrees(seed: 7)
  let texts = (0..<1000).map { _ in trees.next().jsonString }
  let queries = try texts.map { try AST(json: JSONValue(parsing: Array($0.utf8))) }
  let hashes = try queries.map { try $0.hash() }
  var peers: [Contender] = []
  if let node {
    let path = try temporaryFile("[\(texts.joined(separator: ","))]")
    defer { try? FileManager.default.removeItem(atPath: path) }
    let theirs = try node.ask("load \(path)").split(separator: " ").map(String.init)
    guard theirs == hashes else { throw Disagreement(what: "hashes of queries") }
    peers.append(node.contender("Node, same algorithm", "hash"))
  }
  let work: () throws -> Void = { for query in queries { blackHole(try query.hash()) } }
  let allocations = try Allocations.count(work)
  try run.compare(
    "ast.hash", unit: .microseconds(per: queries.count, "query"),
    ours: Contender("ours", work),
    peers: peers,
    note: "\(texts.reduce(0) { $0 + $1.utf8.count } / texts.count) B of text, "
      + "\(allocations / queries.count) allocations per query")
}

private func benchmarkPredicates(_ run: BenchRun, _ node: ExternalProgram?) throws {
  let layout = RowLayout(
    table: "issue",
    columns: [
      .init("id", .string), .init("title", .string), .init("priority", .number),
      .init("open", .boolean), .init("owner", .string, optional: true),
    ],
    primaryKey: ["id"])
  let count = 100_000
  var builder = RowBuilder()
  let rows = (0..<count).map { place in
    builder.begin(layout)
    builder.set(0, "issue-\(place)")
    builder.set(1, "A title with some words, number \(place)")
    builder.set(2, Double(place % 10))
    builder.set(3, place % 3 == 0)
    builder.set(4, place % 4 == 0 ? Value.null : Value.string("user-\(place % 50)"))
    return builder.finish()
  }
  let conditions: [(name: String, Condition)] = [
    ("number", .simple(column: "priority", .greaterOrEqual, .number(5))),
    ("text", .simple(column: "owner", .equal, .string("user-21"))),
    (
      "or",
      .and([
        .simple(column: "open", .equal, .bool(true)),
        .or([
          .simple(column: "owner", .is, .null), .simple(column: "owner", .equal, .string("user-9")),
        ]),
      ])
    ),
    (
      "in",
      .simple(
        column: "owner", .in, .json(.array((0..<20).map { .string("user-\($0 * 2)") })))
    ),
    ("like", .simple(column: "title", .like, .string("%words%9"))),
    ("ilike", .simple(column: "title", .ilike, .string("%WORDS%9"))),
  ]
  for (name, condition) in conditions where run.wants("predicate.match.\(name)") {
    let predicate = try RowPredicate(condition, layout)
    var matches = 0
    // As the engine reads the rows of a table.
    let work: () throws -> Void = {
      matches = 0
      try rows.withUnsafeBufferPointer { rows in
        guard let first = rows.baseAddress else { return }
        for place in rows.indices {
          let isMatch = try Row.withUncounted(at: first + place) { try predicate.matches($0) }
          if isMatch { matches += 1 }
        }
      }
    }
    let allocations = try Allocations.count(work)
    var peers: [Contender] = []
    if let node {
      let text = condition.jsonValue.jsonString
      guard try node.ask("match \(count) \(text)") == "\(matches)" else {
        throw Disagreement(what: "rows that match \(name)")
      }
      peers.append(node.contender("Node, closures", "rematch"))
    }
    try run.compare(
      "predicate.match.\(name)", size: count, unit: .nanoseconds(per: count, "row"),
      ours: Contender("ours", work), peers: peers, note: "\(allocations) allocations")
  }
}

private func temporaryFile(_ text: String) throws -> String {
  let url = FileManager.default.temporaryDirectory
    .appendingPathComponent("bench-\(ProcessInfo.processInfo.processIdentifier).json")
  try text.write(to: url, atomically: true, encoding: .utf8)
  return url.path
}

/// The peer computed something else, so that comparing speed makes no sense.
private struct Disagreement: Error {
  let what: String
}
