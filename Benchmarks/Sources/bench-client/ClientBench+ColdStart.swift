import BenchKit
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreLMDB
import ZeroStoreSQLite

/// `coldStart`: an app that opens its store and 21 views at once, with storage on its own queue.
extension ClientBench {
  func coldStart() async throws {
    guard wants("coldStart.first", "coldStart.all") else { return }
    for kind in ["sqlite", "lmdb"] {
      var points: [(size: Int, seconds: Double)] = []
      let sizes = run.sizes([1000, 10_000, 100_000, 1_000_000], upTo: 100_000)
      for count in sizes {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let storage: any StoreProvider =
          kind == "sqlite"
          ? SQLiteStoreProvider(directory: folder.path) : LMDBStoreProvider(directory: folder.path)
        let stored = IssueData(issueCount: count)
        let writer = try BenchClient(storage)
        writer.connect()
        writer.deliver(writer.poke(count == size ? rows.issues : stored.issuePuts()))
        writer.close()
        var starts: [Start] = []
        for _ in 0..<5 { starts.append(try await start(storage, stored)) }
        let all = Spread(starts.map(\.all)).median
        points.append((count, all / 1000))
        run.figure(
          "coldStart.first", size: count, contender: kind, Spread(starts.map(\.first)).median, "ms",
          recorded: kind == "sqlite" ? Reference.figure("coldStart.first", size: count) : nil,
          note: "main thread \(noted(Spread(starts.map(\.mainThread)).median))")
        run.figure(
          "coldStart.all", size: count, contender: kind, all, "ms",
          note: count == sizes.last ? "grows \(order(of: points))" : "")
      }
    }
  }

  // MARK: -

  /// Milliseconds from before the constructor.
  private struct Start {
    var first: Double
    var all: Double
    /// That the main thread was running.
    var mainThread: Double
  }

  private func start(_ storage: any StoreProvider, _ data: IssueData) async throws -> Start {
    let shown = Shown()
    let processor = Processor.threadSeconds
    let start = ContinuousClock.now
    let client = try LiveClient(storage, BenchSockets(), serverURL: "https://zero.example")
    for v in 0..<21 {
      try client.open(BenchQueries.mixed(v, data)) { data in
        if !data.entries.isEmpty { shown.now() }
      }
    }
    // The group's ID is known in the turn that shows what was stored.
    _ = try await client.engine.clientGroupID.value
    guard let first = shown.first, let last = shown.last else {
      throw BenchFailure("no view shows what was stored")
    }
    let mainThread = Processor.threadSeconds - processor
    try await client.close()
    return Start(
      first: (first - start).seconds * 1000, all: (last - start).seconds * 1000,
      mainThread: mainThread * 1000)
  }

  /// When views showed rows.
  @MainActor private final class Shown {
    private(set) var first: ContinuousClock.Instant?
    private(set) var last: ContinuousClock.Instant?

    func now() {
      last = .now
      first = first ?? last
    }
  }
}
