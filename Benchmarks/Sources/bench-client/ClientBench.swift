import BenchKit
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory
import ZeroStoreSQLite

/// The workloads of a whole client.
@MainActor struct ClientBench {
  let run: BenchRun
  let data: IssueData

  private var size: Int { data.issueCount }

  /// A new client with views, and one poke with all issues.
  func initial(_ views: Int) throws {
    guard run.wants("initial.\(views)") else { return }
    let puts = data.issuePuts()
    var samples: [Double] = []
    for _ in 0..<3 {
      let client = try BenchClient(MemoryStoreProvider())
      client.connect()
      try client.openMix(views, data)
      let poke = client.poke(puts, gotQueries: true)
      samples.append(measure { client.deliver(poke) })
      client.close()
    }
    run.time("initial.\(views)", size: size, samples)
  }

  /// One poke with the whole data set; then everything that works on it.
  func live(_ views: Int) throws {
    let names = [
      "fullSync", "openViews", "pokeEdits", "mutateToListener", "sustained", "burst", "rebase",
      "offline", "materialize",
    ]
    guard names.contains(where: { run.wants($0) }) else { return }
    let client = try BenchClient(MemoryStoreProvider())
    client.connect()
    let first = try client.open(client.byID(size - 1))
    let poke = client.poke(data.allPuts(), gotQueries: true)
    run.time("fullSync", size: size, [measure { client.deliver(poke) }])
    first.destroy()
    if views == 10 { try materialize(client) }
    run.time(
      "openViews.\(views)", size: size, [try measure { try client.openMix(views, data) }])
    client.deliver(client.poke([], gotQueries: true))
    pokeEdits(client, views)
    try mutations(client, views)
    try offline(client, views)
    try rebase(client, views)
    client.close()
  }

  /// Opening the store of an earlier client.
  func coldStart() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try start("mem", MemoryStoreProvider())
    try start("file", SQLiteStoreProvider(directory: folder.path))
  }

  // MARK: -

  private func start(_ kind: String, _ storage: any StoreProvider) throws {
    guard run.wants("coldStart") else { return }
    let writer = try BenchClient(storage)
    writer.connect()
    let poke = writer.poke(data.issuePuts())
    run.time("coldStart.\(kind).write", size: size, [measure { writer.deliver(poke) }])
    writer.close()
    for withAll in [false, true] {
      var samples: [Double] = []
      for _ in 0..<5 {
        var opened: BenchClient?
        samples.append(
          try measure {
            let client = try BenchClient(storage)
            let list = try client.open(client.list(0, 50))
            if withAll { try client.open(client.all()) }
            guard case .many(let rows) = list.data, !rows.isEmpty else {
              throw StoreError(.misuse, message: "the stored rows are not there")
            }
            opened = client
          })
        opened?.close()
      }
      run.time("coldStart.\(kind).\(withAll ? "listAndAll" : "list")", size: size, samples)
    }
  }

  private func pokeEdits(_ client: BenchClient, _ views: Int) {
    guard run.wants("pokeEdits") else { return }
    var samples: [Double] = []
    for round in 0..<60 {
      let poke = client.poke([client.editedPut(0, data)])
      let time = measure { client.deliver(poke) }
      if round >= 10 { samples.append(time) }
    }
    run.time("pokeEdits1.\(views)", size: size, samples)
    samples = []
    let issues = (0..<1000).map { (100 * $0 + 50) % size }
    for round in 0..<18 {
      let poke = client.poke(issues.map { client.editedPut($0, data) })
      let time = measure { client.deliver(poke) }
      if round >= 3 { samples.append(time) }
    }
    run.time("pokeEdits1000.\(views)", size: size, samples)
  }

  private func mutations(_ client: BenchClient, _ views: Int) throws {
    var id = 0
    func acknowledge() { client.deliver(client.poke([], lastMutationID: id)) }
    var samples: [Double] = []
    for round in 0..<550 {
      id += 1
      let time = try measure { try client.mutate(0) }
      if round >= 50 { samples.append(time) }
      if round % 10 == 9 { acknowledge() }
    }
    acknowledge()
    run.time("mutateToListener.\(views)", size: size, samples)
    let sustained = try measure {
      for j in 0..<2000 {
        id += 1
        try client.mutate(7919 * j % size)
        if j % 10 == 9 { acknowledge() }
      }
    }
    acknowledge()
    run.rate("sustained.\(views)", size: size, 2000 / sustained * 1000)
    let burst = try measure {
      try client.turn { for j in 0..<100 { try client.mutate(7919 * j % size) } }
    }
    id += 100
    acknowledge()
    run.time("burst100.\(views)", size: size, [burst])
    _ = client.takeSent()
  }

  private func offline(_ client: BenchClient, _ views: Int) throws {
    guard run.wants("offline") else { return }
    client.disconnect()
    let make = try measure {
      for j in 0..<1000 { try client.mutate((7919 * j + 2) % size) }
    }
    run.time("offline.make.\(views)", size: size, [make])
    let last = client.engine.diagnostics().pending.last?.id ?? 0
    let poke = client.poke([], lastMutationID: last)
    let settled = measure {
      client.connect()
      client.deliver(poke)
    }
    run.time("offline.settled.\(views)", size: size, [settled])
    _ = client.takeSent()
  }

  private func rebase(_ client: BenchClient, _ views: Int) throws {
    guard run.wants("rebase") else { return }
    for j in 0..<100 { try client.mutate((7919 * j + 1) % size) }
    for (name, rows, rounds) in [("rebase1", 1, 23), ("rebase1000", 1000, 12)] {
      var samples: [Double] = []
      for round in 0..<rounds {
        let issues = (0..<rows).map { (100 * $0 + 50) % size }
        let poke = client.poke(issues.map { client.editedPut($0, data) })
        let time = measure { client.deliver(poke) }
        if round >= 2 { samples.append(time) }
      }
      run.time("\(name).\(views)", size: size, samples)
    }
  }

  private func materialize(_ client: BenchClient) throws {
    guard run.wants("materialize") else { return }
    let queries: [(String, (Int) throws -> AnyQuery)] = [
      ("list", { try client.list($0 % 5, 50) }), ("page", { _ in try client.page() }),
      ("withComments", { try client.withComments($0 % data.userCount) }),
      ("labeled", { try client.labeled("name-\($0 % 20)") }),
      ("byID", { try client.byID(7919 * $0 % size) }),
    ]
    for (name, query) in queries {
      var samples: [Double] = []
      for round in 0..<220 {
        let query = try query(round)
        samples.append(
          try measure {
            let view = try client.open(query)
            view.destroy()
          })
        if round == 0 { run.time("materialize.\(name).first", size: size, [samples[0]]) }
      }
      run.time("materialize.\(name)", size: size, Array(samples.dropFirst(20)))
      client.closeViews()
    }
  }
}
