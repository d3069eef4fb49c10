import BenchKit
@_spi(Engine) import ZeroClient
import ZeroProtocol
import ZeroStoreMemory
import ZeroTransportCurl
import ZeroWebSocketServer

/// `pokeToView`: a poke with one edited row, from its bytes in the server's hand to the last listener of
/// 10 views over all issues.
extension ClientBench {
  func pokeToView() async throws {
    guard wants("pokeToView") else { return }
    let client = try client(with: rows.issues, views: 10)
    var samples: [Double] = []
    for round in 0..<320 {
      let poke = client.poke([client.editedPut(0, data)])
      let time = try client.time { client.deliver(poke) }
      if round >= 20 { samples.append(time.toListener * 1000) }
    }
    client.close()
    report("in memory", samples)
    report("loopback", try await overLoopback())
  }

  // MARK: -

  private func report(_ contender: String, _ samples: [Double]) {
    for part in [50, 99] {
      run.figure(
        "pokeToView.p\(part)", size: size, contender: contender,
        Spread.percentile(samples, Double(part) / 100), "µs",
        recorded: Reference.figure("pokeToView.p\(part)", size: size),
        note: contender == "loopback" ? "libcurl, two threads between" : "")
    }
  }

  private func overLoopback() async throws -> [Double] {
    let service = LoopbackServer()
    let server = try WebSocketServer(service)
    defer { server.stop() }
    let client = try LiveClient(
      MemoryStoreProvider(), CurlSocketFactory(), serverURL: "http://127.0.0.1:\(server.port)")
    let calls = Calls()
    for v in 0..<10 {
      try client.open(BenchQueries.mixed(v, data)) { _ in calls.add() }
    }
    try await client.wait(for: "the client is connected") {
      service.isConnected && client.engine.isConnected
    }
    var writer = PokeWriter(clientID: client.engine.clientID)
    let hashes = client.engine.diagnostics().queries.map(\.hash)
    service.send(writer.poke(rows.issues, .init(got: hashes)))
    try await client.wait(for: "all issues have come") {
      let state = client.engine.diagnostics()
      return state.rowCounts["issue"] == size && state.unwrittenChanges == 0
    }
    var clock = EditClock()
    var samples: [Double] = []
    for round in 0..<320 {
      let poke = writer.poke([IssueData.put("issue", data.issue(0, with: clock.edit(0)))])
      let time = await withCheckedContinuation { continuation in
        calls.first(after: { service.send(poke) }) { continuation.resume(returning: $0) }
      }
      if round >= 20 { samples.append(time * 1e6) }
      try await Task.sleep(for: .milliseconds(1))
    }
    try await client.close()
    return samples
  }

  /// Waits for a listener to be called.
  @MainActor private final class Calls {
    private var start: ContinuousClock.Instant?
    private var last: ContinuousClock.Instant?
    private var body: (@MainActor (Double) -> Void)?

    /// Calls `body` with the seconds from the start of `step` to the last listener of the turn that it
    /// causes.
    func first(after step: () -> Void, _ body: @escaping @MainActor (Double) -> Void) {
      self.body = body
      start = .now
      step()
    }

    func add() {
      guard let start, body != nil else { return }
      let isFirst = last == nil
      last = .now
      guard isFirst else { return }
      Task { @MainActor in
        let body = self.body
        let seconds = ((self.last ?? .now) - start).seconds
        (self.body, self.start, self.last) = (nil, nil, nil)
        body?(seconds)
      }
    }
  }
}
