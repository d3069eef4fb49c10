import BenchKit
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory
import ZeroStoreSQLite

/// What a client costs apart from changes: refusals, idling, queries that come and go, memory.
extension ClientBench {
  /// A poke that refuses the first of 100 pending mutations, beside one that confirms it.
  func refused() throws {
    guard run.wants("refused.path") else { return }
    var times: [Bool: [Double]] = [:]
    let puts = data.issuePuts()
    for round in 0..<10 {
      let isRefused = round % 2 == 1
      let client = try BenchClient(MemoryStoreProvider())
      client.connect()
      client.deliver(client.poke(puts))
      try client.openMix(10, data)
      for j in 0..<100 { try client.mutate((7919 * j + 1) % data.issueCount) }
      let poke = client.poke([], lastMutationID: 1, refusing: isRefused ? 1 : nil)
      let time = measure { client.deliver(poke) }
      times[isRefused, default: []].append(time)
      let state = client.engine.diagnostics()
      guard state.pending.count == 99, state.refusedCount == (isRefused ? 1 : 0) else {
        throw StoreError(.misuse, message: "the poke did not settle the first mutation")
      }
      client.close()
    }
    let refused = (times[true] ?? []).sorted()
    let rebase = (times[false] ?? []).sorted()
    let hundredths = Int(refused[2] / rebase[2] * 100)
    run.figure(
      "refused.path", size: data.issueCount, refused[2], "ms",
      note: "\(Double(hundredths) / 100) of the same poke without a refusal")
  }

  /// A connected client in which nothing happens for a minute. Time is moved by hand, so that each
  /// wake-up is one of a timer.
  func idle() throws {
    guard run.wants("idle.wakeups") else { return }
    let client = try BenchClient(MemoryStoreProvider(), pingTimeout: .seconds(5))
    client.connect()
    client.deliver(client.poke(data.issuePuts()))
    try client.openMix(10, data)
    _ = client.takeSent()
    let end = client.scheduler.monotonicTime + 60_000
    var wakeups = 0
    var pings = 0
    let time = measure {
      while let next = client.scheduler.nextDeadline, next <= end {
        client.scheduler.advance(
          by: .milliseconds(Int64(max(0, next - client.scheduler.monotonicTime))))
        wakeups += 1
        let sent = client.takeSent()
        pings += sent
        for _ in 0..<sent { client.pong() }
      }
    }
    run.figure(
      "idle.wakeups", size: data.issueCount, Double(wakeups), "in 60 s",
      note: "\(pings) pings; \(Int(time * 1000)) µs of work")
    client.close()
  }

  /// A thousand queries added and dropped; after the longest TTL none is left.
  func churn() throws {
    guard run.wants("query.churn") else { return }
    let client = try BenchClient(MemoryStoreProvider())
    client.connect()
    client.deliver(client.poke(data.issuePuts()))
    let queries = try (0..<1000).map { try client.byID(7919 * $0 % data.issueCount) }
    let time = try measure {
      for query in queries { try client.open(query).destroy() }
    }
    client.scheduler.advance(by: .seconds(660))
    let left = client.engine.diagnostics().queries.count
    run.figure(
      "query.churn", size: data.issueCount, time, "µs/query", note: "\(left) queries left")
    client.close()
  }

  /// The heap of a client that holds issues, and nothing else.
  func memory() throws {
    guard run.wants("memory") else { return }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let writer = try BenchClient(SQLiteStoreProvider(directory: folder.path))
    writer.connect()
    writer.deliver(writer.poke(data.issuePuts()))
    writer.close()
    let (client, bytes) = try Allocations.retained {
      let client = try BenchClient(SQLiteStoreProvider(directory: folder.path))
      try client.open(client.list(0, 50))
      return client
    }
    run.figure(
      "memory.file.list", size: data.issueCount, Double(bytes / data.issueCount), "bytes/row")
    client.close()
  }
}
