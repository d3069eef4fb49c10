import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// Pokes that are too large to be decoded at once, or to be taken in at all.
@MainActor @Suite("Large pokes") struct LargePokeTests {
  private let executor = HeldStorageExecutor()

  private func connectedClient(
    _ options: (inout ZeroOptions) -> Void = { _ in }
  ) throws -> (client: TestClient, view: MaterializedView<[Ticket]>) {
    let client = try TestClient(executor: executor, options: options)
    executor.runAll()
    client.connect()
    return (client, try client.zero.materialize(Queries.all()))
  }

  private func start(_ client: TestClient, _ id: String, base: String? = nil) {
    let base = base.map { "\"\($0)\"" } ?? "null"
    client.receive(#"["pokeStart",{"pokeID":"\#(id)","baseCookie":\#(base)}]"#)
  }

  private func part(_ client: TestClient, _ id: String, _ members: String) {
    client.receive(#"["pokePart",{"pokeID":"\#(id)",\#(members)}]"#)
  }

  private func end(_ client: TestClient, _ id: String, _ cookie: String) {
    client.receive(#"["pokeEnd",{"pokeID":"\#(id)","cookie":"\#(cookie)"}]"#)
    client.scheduler.advance(by: .zero)
  }

  /// Members of a part that puts an issue and is large enough to be decoded in the background.
  private func large(_ id: String, _ title: String) -> String {
    let filler = String(repeating: "x", count: 200_000)
    return #""rowsPatch":[\#(TestClient.put(id, title)),\#(TestClient.put("filler", filler))]"#
  }

  @Test("a part of a poke is one, however the server spaces it")
  func spacedPart() throws {
    let (client, view) = try connectedClient()
    start(client, "p")
    client.receive(
      #" [ "pokePart" , {"pokeID":"p","rowsPatch":[\#(TestClient.put("1", "one"))]} ]"#)
    end(client, "p", "c1")
    #expect(view.data.map(\.id) == ["1"])
  }

  @Test("a large text part is decoded in the background, and what follows keeps its place")
  func largePart() throws {
    let (client, view) = try connectedClient()
    start(client, "p")
    part(client, "p", #""rowsPatch":[\#(TestClient.put("1", "first"))]"#)
    part(client, "p", large("1", "second"))
    part(client, "p", #""rowsPatch":[\#(TestClient.put("1", "third"))]"#)
    end(client, "p", "c1")
    start(client, "q", base: "c1")
    part(client, "q", #""rowsPatch":[\#(TestClient.put("2", "later"))]"#)
    end(client, "q", "c2")
    #expect(view.data.isEmpty)
    executor.runAll()
    client.scheduler.advance(by: .zero)
    #expect(view.data.first { $0.id == "1" }?.title == "third")
    #expect(view.data.first { $0.id == "2" }?.title == "later")
    #expect(client.zero.diagnostics().cookie == "c2")
    #expect(client.zero.connection.state == .connected)
  }

  @Test("small parts are decoded in the background as soon as their poke is large")
  func manySmallParts() throws {
    let (client, view) = try connectedClient()
    start(client, "p")
    let filler = String(repeating: "x", count: 1000)
    for id in 0..<300 {
      part(client, "p", #""rowsPatch":[\#(TestClient.put("\(id)", "\(id) \(filler)"))]"#)
      part(client, "p", #""rowsPatch":[\#(TestClient.put("last", "\(id)"))]"#)
      if id == 200 { executor.runOne() }
    }
    end(client, "p", "c1")
    #expect(view.data.isEmpty)
    executor.runAll()
    client.scheduler.advance(by: .zero)
    #expect(view.data.count == 301)
    #expect(view.data.first { $0.id == "last" }?.title == "299")
    #expect(client.zero.connection.state == .connected)
  }

  @Test("a clear in a large part wipes what came before and not what follows")
  func clearInLargePart() throws {
    let (client, view) = try connectedClient()
    start(client, "p")
    part(client, "p", #""rowsPatch":[\#(TestClient.put("1", "before"))]"#)
    let cleared = large("2", "with").replacing(
      "\"rowsPatch\":[", with: "\"rowsPatch\":[{\"op\":\"clear\"},")
    part(client, "p", cleared)
    part(client, "p", #""rowsPatch":[\#(TestClient.put("3", "after"))]"#)
    end(client, "p", "c1")
    executor.runAll()
    client.scheduler.advance(by: .zero)
    #expect(Set(view.data.map(\.id)) == ["2", "3", "filler"])
  }

  @Test("a poke that ends while two large parts are decoded is applied when both are")
  func severalLargeParts() throws {
    let (client, view) = try connectedClient()
    start(client, "p")
    for (id, title) in [("1", "a"), ("2", "b"), ("1", "c")] { part(client, "p", large(id, title)) }
    end(client, "p", "c1")
    executor.runOne()
    client.scheduler.advance(by: .zero)
    #expect(view.data.isEmpty)
    executor.runAll()
    client.scheduler.advance(by: .zero)
    #expect(view.data.map(\.title).prefix(2) == ["b", "c"])
  }

  @Test("what a large part says of the client's own mutations counts though the poke is lost")
  func lostPoke() throws {
    let (client, view) = try connectedClient()
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "m", title: "mine")))
    start(client, "p")
    part(client, "p", #""lastMutationIDChanges":{"\#(client.zero.clientID)":1},"# + large("1", "a"))
    client.socket.finish(SocketClose(code: 1006, wasClean: false))
    executor.runAll()
    client.scheduler.advance(by: .seconds(5))
    #expect(view.data.map(\.id) == ["m"])
    client.connect()
    client.scheduler.advance(by: .zero)
    #expect(mutation.server.outcome?.isSuccess == true)
  }

  @Test("a large part that is no part, or of another poke, ends the connection as a small one does")
  func badLargeParts() throws {
    for text in [
      #"["pokePart",{"pokeID":"other",\#(large("1", "a"))}]"#,
      #"["pokePart",{"pokeID":"p",\#(large("1", "a"))}"#,
      #"["pokePart",{"pokeID":7,\#(large("1", "a"))}]"#,
    ] {
      let (client, view) = try connectedClient()
      start(client, "p")
      client.receive(text)
      end(client, "p", "c1")
      executor.runAll()
      client.scheduler.advance(by: .zero)
      #expect(client.zero.connection.state.name == .error)
      #expect(view.data.isEmpty)
      _ = client.zero.connection.connect()
      executor.runAll()
      client.connect()
      #expect(client.zero.connection.state == .connected)
    }
  }

  @Test("a cancelled poke and a closed client ask nothing of large parts")
  func cancelled() throws {
    let (client, view) = try connectedClient()
    start(client, "p")
    part(client, "p", large("1", "a"))
    client.receive(#"["pokeEnd",{"pokeID":"p","cookie":"","cancel":true}]"#)
    executor.runAll()
    client.scheduler.advance(by: .zero)
    #expect(view.data.isEmpty)
    #expect(client.zero.connection.state == .connected)
    start(client, "q")
    part(client, "q", large("1", "a"))
    client.zero.close()
    executor.runAll()
    #expect(view.data.isEmpty)
  }

  /// A poke that goes on until the connection is given up.
  private func sendEndlessPoke(_ client: TestClient, inChunks: Bool) {
    let socket = client.socket
    start(client, "p")
    let filler = String(repeating: "x", count: 10_000)
    for _ in 0..<1000 where socket.closeCall == nil {
      if inChunks {
        socket.receive(binary: [0] + Array(filler.utf8))
      } else {
        part(client, "p", #""rowsPatch":[\#(TestClient.put("1", filler))]"#)
      }
    }
  }

  @Test("a poke that never ends is given up, once with another attempt", arguments: [true, false])
  func endlessPoke(_ inChunks: Bool) throws {
    let (client, view) = try connectedClient { $0.maxPokeBytes = 100_000 }
    var reasons: [String] = []
    let subscription = client.zero.connection.addListener { state in
      if case .connecting(let reason?) = state { reasons.append(reason) }
    }
    defer { subscription.cancel() }
    sendEndlessPoke(client, inChunks: inChunks)
    #expect(reasons.contains { $0.contains("100000 bytes") })
    #expect(client.zero.connection.state.name == .connecting)
    executor.runAll()
    client.scheduler.advance(by: .seconds(5))
    client.connect()
    // The second time in a row nothing more is to be hoped for.
    sendEndlessPoke(client, inChunks: inChunks)
    #expect(client.zero.connection.state.name == .error)
    _ = client.zero.connection.connect()
    executor.runAll()
    client.connect()
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    #expect(view.data.map(\.title) == ["one"])
    sendEndlessPoke(client, inChunks: inChunks)
    #expect(client.zero.connection.state.name == .connecting)
    client.zero.close()
  }

  @Test("messages of one poke are counted, and pokes that wait behind a slow one too")
  func counts() throws {
    var limits = PokeLimits()
    limits.messageCount = 3
    limits.byteCount = 5000
    var receiver = PokeReceiver(schema: .tracker, clientID: "c", limits: limits)
    try receiver.receive(PokeStart(pokeID: "p", baseCookie: nil))
    for _ in 0..<3 { try receiver.admit(1) }
    #expect(throws: PokeError.self) { try receiver.admit(1) }
    receiver.reset()
    // Empty pokes count too.
    for id in 0..<4 {
      try receiver.receive(PokeStart(pokeID: "\(id)", baseCookie: nil))
      _ = try receiver.receive(PokeEnd(pokeID: "\(id)", cookie: "c\(id)"))
    }
    try receiver.receive(PokeStart(pokeID: "x", baseCookie: nil))
    #expect(throws: PokeError.self) {
      _ = try receiver.receive(PokeEnd(pokeID: "x", cookie: "c9"))
    }
    #expect(try receiver.takeCompleted()?.cookie == "c3")
    try receiver.receive(PokeStart(pokeID: "y", baseCookie: nil))
    #expect(try receiver.receive(PokeEnd(pokeID: "y", cookie: "d")) != nil)
    // What was taken does not count any more.
    for id in 5..<7 {
      try receiver.receive(PokeStart(pokeID: "\(id)", baseCookie: nil))
      #expect(try receiver.receive(PokeEnd(pokeID: "\(id)", cookie: "e\(id)")) != nil)
    }
  }
}
