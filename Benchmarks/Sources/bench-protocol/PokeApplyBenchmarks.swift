import BenchKit
import Foundation
import ZeroIVM
@_spi(Engine) import ZeroProtocol

/// `poke.apply`: a poke with N issues, from bytes to rows to the views of three live queries.
///
/// The reference cannot be installed here. Its stand-in in Node does less: it parses, keeps the rows in
/// a map and makes the three lists once at the end, without the changes that views are told of.
func benchmarkPokeApply(_ run: BenchRun, _ node: ExternalProgram?) throws {
  guard run.wants("poke.apply") else { return }
  let decoder = PokeDecoder(IssueData.schema)
  var points: [(size: Int, seconds: Double)] = []
  for size in run.sizes([1000, 10_000, 100_000]) {
    let payload = IssueData.payload(size)
    let file = try TemporaryFile(payload)
    var peers: [Contender] = []
    if let node { peers.append(node.contender("Node, no engine", "apply \(file.path)")) }
    let seconds = try run.compare(
      "poke.apply", size: size, unit: .perSecond(size, "rows"),
      ours: Contender("ours", setUp: LiveQueries.init) { live in
        try live.apply(try decoder.parts(inPayload: payload))
      },
      peers: peers)
    if let seconds { points.append((size, seconds)) }
    let live = try LiveQueries()
    let parts = try decoder.parts(inPayload: payload)
    let count = try Allocations.count { try live.apply(parts) }
    run.figure(
      "poke.apply", size: size, Double(count) / Double(size), "allocations/row",
      note: "of applying, without decoding")
  }
  run.curve("poke.apply", points)
}

/// A branch with three live queries: all issues by creation, the open ones by priority, and the
/// newest hundred.
private final class LiveQueries {
  private let branch = Branch(schema: IssueData.schema)
  private let views: [QueryView]

  init() throws {
    let issues = try AnyQuery(IssueData.schema, table: "issue")
    views = try [
      issues.orderBy("created", .asc),
      issues.where("open", .bool(true)).orderBy("priority", .desc),
      issues.orderBy("modified", .desc).limit(100),
    ].map { [branch] in try branch.materialize($0) }
  }

  func apply(_ parts: [PokePatches]) throws {
    for part in parts {
      for case .put(let row) in part.rowsPatch { try branch.push(.add(row)) }
    }
    branch.commit()
    blackHole(views)
  }
}
