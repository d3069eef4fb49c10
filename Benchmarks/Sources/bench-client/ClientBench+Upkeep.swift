import BenchKit
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory
import ZeroTransportCurl

/// What a client costs apart from changes: refusals, idling, queries that come and go.
extension ClientBench {
  /// A poke that refuses the first of 100 pending mutations, beside one that confirms it: both run the
  /// other 99 again.
  func refused() throws {
    guard run.wants("refused.path") else { return }
    var times: [Bool: [Double]] = [:]
    for round in 0..<10 {
      let isRefused = round % 2 == 1
      let client = try client(with: rows.issues, views: 10)
      for j in 0..<100 { try client.mutate((7919 * j + 1) % size) }
      let poke = client.poke([], lastMutationID: 1, refusing: isRefused ? 1 : nil)
      times[isRefused, default: []].append(measure { client.deliver(poke) })
      let state = client.engine.diagnostics()
      guard state.pending.count == 99, state.refusedCount == (isRefused ? 1 : 0) else {
        throw BenchFailure("the poke did not settle the first mutation")
      }
      client.close()
    }
    let refused = Spread(times[true] ?? []).median
    let rebase = Spread(times[false] ?? []).median
    run.figure(
      "refused.path", size: size, refused, "ms",
      note: "\(noted(refused / rebase)) of the same poke without a refusal")
  }

  /// A connected client in which nothing happens for a minute.
  func idle() async throws {
    guard wants("idle.wakeups") else { return }
    let client = try BenchClient(MemoryStoreProvider(), pingTimeout: .seconds(5))
    client.connect()
    client.deliver(client.poke(rows.issues))
    try client.openMix(10, data)
    client.deliver(client.poke([], gotQueries: true))
    client.scheduler.advance(by: .seconds(1))
    let end = client.scheduler.monotonicTime + 60_000
    let before = client.sentCount
    var sent = before
    var wakeups = 0
    let processor = Processor.threadSeconds
    while let next = client.scheduler.nextDeadline, next <= end {
      client.scheduler.advance(
        by: .milliseconds(Int64((next - client.scheduler.monotonicTime).rounded(.up))))
      wakeups += 1
      if client.sentCount > sent { client.pong() }
      sent = client.sentCount
    }
    run.figure(
      "idle.wakeups", size: size, Double(wakeups), "timers/min",
      note:
        "\(sent - before) pings; \(noted((Processor.threadSeconds - processor) * 1000)) ms of CPU; "
        + "time moved by hand")
    client.close()
    if run.wantsByName("idle.wakeups") || run.wantsByName("idle.wakeups.process") {
      try await idleMinute()
    }
  }

  /// A thousand queries added and dropped; after the longest TTL none is left.
  func churn() throws {
    guard run.wants("query.churn") else { return }
    let client = try client(with: rows.issues, views: 0)
    func churn(_ queries: Range<Int>) throws -> Double {
      let queries = try queries.map { try BenchQueries.byID(7919 * $0 % size) }
      let time = try measure {
        for query in queries {
          try client.open(query).destroy()
          client.closeViews()
        }
      }
      client.scheduler.advance(by: .seconds(660))
      return time
    }
    _ = try churn(0..<1000)
    let (time, bytes) = try Allocations.retained { try churn(1000..<2000) }
    let state = client.engine.diagnostics()
    run.beside(
      "query.churn", size: size, time, "µs/query",
      note: "\(state.queries.count) queries and \(state.liveViewCount) views left, "
        + "\(bytes / 1000) bytes of heap each; recorded is materialize.byID")
    client.close()
  }

  // MARK: -

  /// The same for a real minute, connected by libcurl to the development server.
  private func idleMinute() async throws {
    let held = IssueData(issueCount: min(size, 10_000))
    let server = try BenchServer(held)
    defer { server.stop() }
    let client = try LiveClient(
      MemoryStoreProvider(), CurlSocketFactory(), serverURL: server.url)
    let view = try client.open(BenchQueries.list(0, 50))
    try await client.wait(for: "the list is complete") { view.resultType == .complete }
    try await Task.sleep(for: .seconds(1))
    let (processor, wakeups) = (Processor.processSeconds, Processor.wakeups)
    try await Task.sleep(for: .seconds(60))
    run.figure(
      "idle.wakeups.process", size: held.issueCount, Double(Processor.wakeups - wakeups), "/min",
      note:
        "\(noted((Processor.processSeconds - processor) * 1000)) ms of CPU, all threads; libcurl")
    try await client.close()
  }
}
