import BenchKit
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory
import ZeroTransportCurl

/// `throughput.e2e`: the highest rate of writes at which another client sees each within a second.
extension ClientBench {
  func throughput() async throws {
    guard wants("throughput.e2e") else { return }
    let held = IssueData(issueCount: min(size, 10_000))
    let server = try BenchServer(held)
    defer { server.stop() }
    let trial = try await WriteTrial(held, url: server.url)
    var best: WriteTrial.Outcome?
    for rate in [500, 1000, 2000, 4000, 8000, 16_000, 32_000] {
      let outcome = try await trial.run(rate: rate, seconds: 1.5)
      guard outcome.lag <= 1000 else { break }
      if outcome.rate > best?.rate ?? 0 { best = outcome }
      guard outcome.rate > Double(rate) * 0.8 else { break }
    }
    try await trial.close()
    guard let best else { throw BenchFailure("no rate of writes keeps the lag below a second") }
    run.figure(
      "throughput.e2e", size: held.issueCount, best.rate, "/s",
      recorded: Reference.figures["throughput.e2e"], .more,
      note: "lag p99 \(noted(best.lag)) ms; our development server, recorded is sustained.settled")
    run.figure(
      "throughput.e2e.cpu", size: held.issueCount, best.processor, "ms/write",
      recorded: Reference.figures["throughput.e2e.cpu"],
      note: "of both clients; recorded is one client's")
  }
}

/// A client that writes and one that watches, over libcurl on loopback.
@MainActor final class WriteTrial {
  struct Outcome {
    /// Writes per second, from the first to when the last was seen.
    var rate: Double
    /// Milliseconds from a write to the other client's listener, the 99th percentile.
    var lag: Double
    /// Milliseconds of processor time per write, of this process.
    var processor: Double
  }

  /// Of the lists that both clients show.
  static let listLimit = 50

  private let writer: LiveClient
  private let watcher: LiveClient
  private let issues: [Int]
  private var clock = EditClock()
  private var sent: [ContinuousClock.Instant] = []
  private var lags: [Double] = []
  /// Writes before this run.
  private var first = 0
  private var seen = 0

  init(_ data: IssueData, url: String) async throws {
    issues = Array(
      (0..<data.issueCount).lazy.filter {
        let row = data.issue($0)
        return row["open"] == .bool(true) && row["priority"] == .number(0)
      }.prefix(Self.listLimit))
    writer = try LiveClient(MemoryStoreProvider(), CurlSocketFactory(), serverURL: url)
    watcher = try LiveClient(MemoryStoreProvider(), CurlSocketFactory(), serverURL: url)
    for (place, client) in [writer, watcher].enumerated() {
      for priority in 0..<3 {
        let view = try client.open(BenchQueries.list(priority, Self.listLimit))
        if place == 1, priority == 0 {
          view.addListener { [weak self] data, _, _ in self?.saw(data) }
        }
        try await client.wait(for: "a list is complete") { view.resultType == .complete }
      }
    }
  }

  func run(rate: Int, seconds: Double) async throws -> Outcome {
    (sent, lags, first) = ([], [], clock.count)
    let processor = Processor.processSeconds
    let start = ContinuousClock.now
    let end = start + .seconds(seconds)
    while .now < end {
      let due = Int((ContinuousClock.now - start).seconds * Double(rate))
      try writer.engine.turn {
        while sent.count < due {
          let edit = clock.edit(issues[sent.count % issues.count])
          sent.append(.now)
          _ = try writer.engine.mutate("issue.edit", .object(edit))
        }
      }
      try await Task.sleep(for: .milliseconds(2))
    }
    let count = clock.count
    try await watcher.wait(for: "the last write is seen") { seen >= count }
    let took = (ContinuousClock.now - start).seconds
    return Outcome(
      rate: Double(sent.count) / took, lag: Spread.percentile(lags, 0.99),
      processor: (Processor.processSeconds - processor) * 1000 / Double(sent.count))
  }

  func close() async throws {
    try await writer.close()
    try await watcher.close()
  }

  // MARK: -

  /// The watcher's list begins with the latest write.
  private func saw(_ data: ViewData) {
    guard let top = data.entries.first else { return }
    let number = EditClock.number(of: top.value("modified"))
    let now = ContinuousClock.now
    while seen < number {
      seen += 1
      let place = seen - first - 1
      if sent.indices.contains(place) { lags.append((now - sent[place]).seconds * 1000) }
    }
  }
}
