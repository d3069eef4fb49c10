import BenchKit
import Foundation
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory

/// C, D, E and H: pokes, mutations and what they meet with 10 or 100 live views over the whole data set.
extension ClientBench {
  /// C: a new client with views, and one poke with all issues; each run in a process of its own.
  func initial() throws {
    for views in [10, 100] where run.wants("initial.\(views)") {
      let runs = try (0..<3).map { _ in try ChildRun.numbers("initial", "\(size)", "\(views)") }
      run.median(
        "initial.\(views)", size: size, runs.map { $0[0] },
        note: "with storing \(noted(Spread(runs.map { $0[1] }).median))")
    }
  }

  static func initialChild(_ data: IssueData, views: Int) throws {
    let client = try BenchClient(MemoryStoreProvider())
    client.connect()
    try client.openMix(views, data)
    let poke = client.poke(data.issuePuts(), gotQueries: true)
    let time = try client.time { client.deliver(poke) }
    print(time.toListener, time.toEnd)
  }

  /// One poke with the whole data set; then everything that works on it.
  func live(_ views: Int) throws {
    let onlyWithTen = views == 10 && wants("materialize")
    guard
      onlyWithTen
        || wants(
          "fullSync.\(views)", "openViews.\(views)", "pokeEdits1.\(views)",
          "pokeEdits1000.\(views)", "mutateTo", "sustained", "burst100.\(views)", "offline",
          "rebase1.\(views)", "rebase1000.\(views)")
    else { return }
    let client = try BenchClient(MemoryStoreProvider())
    client.connect()
    let first = try client.open(BenchQueries.byID(size - 1))
    let poke = client.poke(rows.everything, gotQueries: true)
    let sync = try client.time { client.deliver(poke) }
    run.median(
      "fullSync.\(views)", size: size, [sync.toListener],
      note: "with storing \(noted(sync.toEnd))")
    first.destroy()
    if onlyWithTen { try materialize(client) }
    run.median(
      "openViews.\(views)", size: size, [try measure { try client.openMix(views, data) }],
      note: views == 10 && wants("materialize") ? "orders exist" : "orders are built")
    client.deliver(client.poke([], gotQueries: true))
    try pokeEdits(client, views)
    try mutations(client, views)
    try sustained(client, views)
    try burst(client, views)
    try offline(client, views)
    try rebase(client, views)
    client.close()
  }

  // MARK: -

  private func pokeEdits(_ client: BenchClient, _ views: Int) throws {
    let thousand = (0..<1000).map { (100 * $0 + 50) % size }
    for (name, issues, warmUp, rounds) in [
      ("pokeEdits1", [0], 10, 50), ("pokeEdits1000", thousand, 3, 15),
    ] where wants("\(name).\(views)") {
      let times = try pokes(client, of: issues, warmUp: warmUp, rounds: rounds, pause: 0.02)
      run.percentiles(
        "\(name).\(views)", size: size, times.map(\.toListener), note: Self.withStoring(times))
    }
  }

  private static func withStoring(_ times: [BenchClient.Timing]) -> String {
    "with storing \(noted(Spread(times.map(\.toEnd)).median))"
  }

  private func pokes(
    _ client: BenchClient, of issues: [Int], warmUp: Int, rounds: Int, pause: Double
  ) throws -> [BenchClient.Timing] {
    var times: [BenchClient.Timing] = []
    for round in 0..<warmUp + rounds {
      let poke = client.poke(issues.map { client.editedPut($0, data) })
      let time = try client.time { client.deliver(poke) }
      if round >= warmUp { times.append(time) }
      Thread.sleep(forTimeInterval: pause)
    }
    return times
  }

  /// One mutation after the other, each when the server's result of the one before has come: the server
  /// answers every 20 ms.
  private func mutations(_ client: BenchClient, _ views: Int) throws {
    guard
      wants(
        "mutateToListener.\(views)", "mutateToClientPromise.\(views)",
        "mutateToServerPromise.\(views)")
    else { return }
    var toListener: [Double] = []
    var toClient: [Double] = []
    var toServer: [Double] = []
    let ticks = ServerTicks()
    for round in 0..<550 {
      let edit = client.edit(0)
      let settled = Settled()
      let start = ContinuousClock.now
      let time = try client.time {
        let call = try client.mutate(0, edit)
        call.client.onSettled { _ in settled.client = .now }
        call.server.onSettled { _ in settled.server = .now }
      }
      let confirmation = client.confirmation(data)
      ticks.wait()
      client.deliver(confirmation)
      guard let atClient = settled.client, let atServer = settled.server else {
        throw BenchFailure("a mutation was not settled")
      }
      guard round >= 50 else { continue }
      toListener.append(time.toListener)
      toClient.append((atClient - start).seconds * 1000)
      toServer.append((atServer - start).seconds * 1000)
    }
    let parts = [50, 90, 99]
    run.percentiles("mutateToListener.\(views)", size: size, toListener, parts)
    run.percentiles(
      "mutateToClientPromise.\(views)", size: size, toClient, parts,
      note: "pushed and stored by then")
    run.percentiles(
      "mutateToServerPromise.\(views)", size: size, toServer, parts,
      note: "the server answers every 20 ms")
  }

  /// Mutations as fast as they go while the server answers every 20 ms all that it has got.
  private func sustained(_ client: BenchClient, _ views: Int) throws {
    guard wants("sustained.\(views)", "sustained.settled.\(views)") else { return }
    let count = 2000
    let settled = Settled()
    var answering = Duration.zero
    let ticks = ServerTicks()
    func answer() {
      let start = ContinuousClock.now
      let confirmation = client.confirmation(data)
      answering += ContinuousClock.now - start
      client.deliver(confirmation)
    }
    let start = ContinuousClock.now
    for j in 0..<count {
      let call = try client.mutate(7919 * j % size)
      client.scheduler.advance(by: .zero)
      if j == count - 1 { call.server.onSettled { _ in settled.server = .now } }
      if ticks.isDue { answer() }
    }
    let made = ContinuousClock.now - start - answering
    if settled.server == nil {
      ticks.wait()
      answer()
    }
    guard let last = settled.server else { throw BenchFailure("a mutation was not settled") }
    run.beside(
      "sustained.\(views)", size: size, Double(count) / made.seconds, "/s", .more)
    run.beside(
      "sustained.settled.\(views)", size: size, Double(count) / (last - start - answering).seconds,
      "/s", .more)
  }

  private func burst(_ client: BenchClient, _ views: Int) throws {
    guard wants("burst100.\(views)") else { return }
    let time = try client.time {
      try client.turn { for j in 0..<100 { try client.mutate(7919 * j % size) } }
    }
    client.deliver(client.confirmation(data))
    run.median(
      "burst100.\(views)", size: size, [time.toListener],
      note: "with pushing and storing \(noted(time.toEnd))")
  }

  /// H: a thousand edits without a connection, then the connection.
  private func offline(_ client: BenchClient, _ views: Int) throws {
    guard wants("offline") else { return }
    client.disconnect()
    let settled = Settled()
    let make = try measure {
      for j in 0..<1000 {
        let call = try client.mutate((7919 * j + 2) % size)
        client.scheduler.advance(by: .zero)
        if j == 999 { call.server.onSettled { _ in settled.server = .now } }
      }
    }
    let confirmation = client.confirmation(data)
    let start = ContinuousClock.now
    client.connect()
    client.deliver(confirmation)
    guard let last = settled.server, client.pushes.count == 1000 else {
      throw BenchFailure("\(client.pushes.count) of 1000 mutations were pushed")
    }
    func since(_ time: ContinuousClock.Instant) -> Double { (time - start).seconds * 1000 }
    run.median("offline.make.\(views)", size: size, [make])
    run.median("offline.firstPush.\(views)", size: size, [since(client.pushes[0])])
    run.median("offline.lastPush.\(views)", size: size, [since(client.pushes[999])])
    run.median("offline.settled.\(views)", size: size, [since(last)])
  }

  /// E: pokes while a hundred mutations are pending, which all run again for each.
  private func rebase(_ client: BenchClient, _ views: Int) throws {
    let thousand = (0..<1000).map { (100 * $0 + 50) % size }
    let workloads = [("rebase1", [0], 3, 20), ("rebase1000", thousand, 2, 10)]
    guard workloads.contains(where: { wants("\($0.0).\(views)") }) else { return }
    for j in 0..<100 { try client.mutate((7919 * j + 1) % size) }
    for (name, issues, warmUp, rounds) in workloads {
      let times = try pokes(client, of: issues, warmUp: warmUp, rounds: rounds, pause: 0)
      run.percentiles(
        "\(name).\(views)", size: size, times.map(\.toListener), note: Self.withStoring(times))
    }
  }
}

/// When the results of a mutation came.
@MainActor private final class Settled {
  var client: ContinuousClock.Instant?
  var server: ContinuousClock.Instant?
}

/// A clock that ticks every 20 ms.
@MainActor private final class ServerTicks {
  private var next = ContinuousClock.now + .milliseconds(20)

  /// Whether a tick has come since the last call.
  var isDue: Bool {
    guard ContinuousClock.now >= next else { return false }
    move()
    return true
  }

  /// Sleeps until the next tick.
  func wait() {
    let rest = (next - ContinuousClock.now).seconds
    if rest > 0 { Thread.sleep(forTimeInterval: rest) }
    move()
  }

  private func move() {
    while next <= .now { next += .milliseconds(20) }
  }
}
