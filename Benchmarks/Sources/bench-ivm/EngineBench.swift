import BenchKit
import ZeroIVM
import ZeroProtocol

/// The benchmarks of the engine. Peers that can run here run in the same rounds; the reference's
/// figures are recorded ones.
struct EngineBench {
  let run: BenchRun

  init(_ run: BenchRun) { self.run = run }

  /// Prints a recorded figure of the reference and how many times as fast ours is.
  func recorded(
    _ name: String, size: Int, _ reference: Double?, _ unit: String, oursInSameUnit ours: Double?,
    isRate: Bool = false
  ) {
    guard let reference, let ours else { return }
    let ratio = isRate ? ours / reference : reference / ours
    run.figure(
      name, size: size, contender: "reference, recorded", reference, unit,
      note: "ours \(Self.short(ratio))× as fast")
  }

  private static func short(_ value: Double) -> String {
    value >= 10 ? "\(Int(value.rounded()))" : "\((value * 10).rounded() / 10)"
  }

  // MARK: - Hydration

  func hydration() throws {
    guard BenchQuery.all.contains(where: { run.wants("hydrate.\($0.name)") }) else { return }
    var curves: [String: [(size: Int, seconds: Double)]] = [:]
    for size in run.sizes() {
      let branch = try Dataset(issues: size, withComments: size <= 100_000).branch()
      for query in BenchQuery.all where size <= 100_000 || query.name == "plain" {
        let name = "hydrate.\(query.name)"
        let seconds = try run.compare(
          name, size: size, unit: .milliseconds,
          ours: Contender.onProcessor("ours") {
            blackHole(try branch.materialize(query.ast, query.format).data)
          })
        guard let seconds else { continue }
        curves[name, default: []].append((size, seconds))
        recorded(
          name, size: size, Recorded.hydration[query.name]?[size], "ms",
          oursInSameUnit: seconds * 1e3)
      }
    }
    for (name, points) in curves.sorted(by: { $0.key < $1.key }) { run.curve(name, points) }
  }

  // MARK: - Transactions

  func transactions() throws {
    let size = 10_000
    guard run.wants("view.txn") || run.wants("view.readAfterPush") else { return }
    let load = try PushLoad(size)
    let view = try load.open(.plain)
    for count in [1, 100, 1000] {
      let seconds = try run.compare(
        "view.txn", size: count, unit: .microseconds(per: 1, "transaction"),
        ours: Contender.onProcessor(
          "ours", setUp: { load.prepare(.editTitle, count) },
          { changes in
            for change in changes { try load.branch.push(change) }
            load.branch.commit()
          }))
      recorded(
        "view.txn", size: count, Recorded.transaction[count], "µs",
        oursInSameUnit: seconds.map { $0 * 1e6 })
    }
    try reads(of: view, size: size)
  }

  /// Reading one number from each of 20 rows in the middle of a list.
  private func reads(of view: QueryView, size: Int) throws {
    guard run.wants("view.readAfterPush") else { return }
    let reads = 20_000
    func start(_ place: Int) -> Int { (place % 1000) * 9 }
    let array = Array(view.data.entries)
    var peers = [
      Contender.onProcessor("slice of an Array") {
        var sum = 0.0
        for place in 0..<reads {
          for entry in array[start(place)..<start(place) + 20] { sum += Self.priority(entry) }
        }
        blackHole(sum)
      }
    ]
    let node = NodePeer.start()
    if let node {
      _ = try node.ask("list \(size)")
      peers.append(node.contender("Node, slice of an array", "slices \(reads)"))
    }
    try run.compare(
      "view.readAfterPush", size: size, unit: .microseconds(per: reads, "read"),
      ours: Contender.onProcessor("ours") {
        var sum = 0.0
        for place in 0..<reads {
          let list = view.data.entries
          for entry in list[start(place)..<start(place) + 20] { sum += Self.priority(entry) }
        }
        blackHole(sum)
      }, peers: peers)
  }

  private static func priority(_ entry: Entry) -> Double {
    if case .number(let number) = entry.row[6] { number } else { 0 }
  }
}
