import BenchKit
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory
import ZeroStoreSQLite

/// How costs grow: with what is pending, and not with what is held.
extension ClientBench {
  /// `rebase`: P pending mutations run again for a poke of one row.
  func rebaseCurve() throws {
    guard run.wantsExactly("rebase") else { return }
    var points: [(size: Int, seconds: Double)] = []
    for pending in [1, 10, 100, 1000] {
      let client = try client(with: rows.issues, views: 10)
      for j in 0..<pending { try client.mutate((7919 * j + 1) % size) }
      var samples: [Double] = []
      var processor: [Double] = []
      for round in 0..<23 {
        let poke = client.poke([client.editedPut(0, data)])
        let before = Processor.threadSeconds
        let time = try client.time { client.deliver(poke) }
        guard round >= 3 else { continue }
        samples.append(time.toListener)
        processor.append(Processor.threadSeconds - before)
      }
      let median = Spread(samples).median
      points.append((pending, Spread(processor).median))
      run.figure(
        "rebase", size: pending, median * 1000 / Double(pending), "µs/mutation",
        recorded: pending == 100 && size == 100_000 ? Reference.figures["rebase"] : nil,
        note: pending == 1000 ? growth(points) : "")
      client.close()
    }
  }

  /// How a poke grows, in processor time: on a busy machine only short steps are undisturbed.
  private func growth(_ points: [(size: Int, seconds: Double)]) -> String {
    let times = points.map { noted($0.seconds * 1e6) }.joined(separator: ", ")
    return "pending; a poke takes \(times) µs of CPU, grows \(order(of: points))"
  }

  /// `mutate.local`: an insert with three live queries until the view shows it.
  func mutateLocal() throws {
    guard run.wants("mutate.local") else { return }
    let client = try client(with: rows.issues, views: 0)
    for priority in 0..<3 { try client.open(client.list(priority, 50)) }
    var samples: [Double] = []
    for round in 0..<220 {
      var row = data.issue(size + round, with: client.edit(size + round))
      row["open"] = .bool(true)
      row["priority"] = .number(Double(round % 3))
      let time = try client.time { _ = try client.engine.mutate("issue.insert", .object(row)) }
      if round >= 20 { samples.append(time.toListener * 1000) }
    }
    run.beside(
      "mutate.local", size: size, Spread.percentile(samples, 0.5), "µs",
      note: "p99 \(noted(Spread.percentile(samples, 0.99))); recorded is mutateToListener")
    client.close()
  }

  /// `change`: one changed row with 10 views, from a poke and from a mutator, and storing it in SQLite
  /// without waiting for the disk, by the number of issues held.
  func changeCurves() throws {
    guard wants("change.poke", "change.mutate", "change.persist") else { return }
    var points: [String: [(size: Int, seconds: Double)]] = [:]
    for count in run.sizes([1000, 10_000, 100_000]) where count <= size {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      let held = IssueData(issueCount: count)
      let storage = TimedStoreProvider(SQLiteStoreProvider(directory: folder.path))
      let client = try BenchClient(storage)
      client.connect()
      client.deliver(client.poke(count == size ? rows.issues : held.issuePuts()))
      try client.openMix(10, held)
      client.deliver(client.poke([], gotQueries: true))
      var samples: [String: [Double]] = [:]
      for round in 0..<220 {
        let poke = client.poke([client.editedPut(0, held)])
        _ = storage.takeMilliseconds()
        let poked = try client.time { client.deliver(poke) }
        let stored = storage.takeMilliseconds()
        let mutated = try client.time { try client.mutate(0) }
        client.deliver(client.confirmation(held))
        guard round >= 20 else { continue }
        samples["change.poke", default: []].append(poked.toListener)
        samples["change.mutate", default: []].append(mutated.toListener)
        samples["change.persist", default: []].append(stored)
      }
      for (name, samples) in samples.sorted(by: { $0.key < $1.key }) {
        let median = Spread(samples).median
        points[name, default: []].append((count, median / 1000))
        run.figure(
          name, size: count, median * 1000, "µs",
          note: count == size ? "grows \(order(of: points[name] ?? []))" : "")
      }
      client.close()
    }
  }
}
