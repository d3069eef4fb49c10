import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol

@testable import ZeroClient

/// In which order an app sees what one event causes.
@MainActor @Suite("Orders that are observable") struct OrderTests {
  /// What happened, in order.
  @MainActor private final class Journal {
    var lines: [String] = []

    func watch(_ view: MaterializedView<[Ticket]>, _ name: String) {
      var isFirst = true
      view.addListener { [weak self] snapshot in
        if !isFirst {
          self?.lines.append("\(name) \(snapshot.data.map(\.id)) \(snapshot.resultType)")
        }
        isFirst = false
      }
    }

    func watch(_ call: Mutation, _ name: String) {
      call.client.onSettled { [weak self] in self?.note($0, "\(name) client") }
      call.server.onSettled { [weak self] in self?.note($0, "\(name) server") }
    }

    private func note(_ result: Result<MutationOutcome, any Error>, _ name: String) {
      guard case .success(let outcome) = result else { return lines.append("\(name) failed") }
      lines.append("\(name) \(outcome.isSuccess ? "success" : "error")")
    }

    /// The lines since the last call.
    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  private func create(_ id: String) -> MutateRequest<Session> {
    Mutators.create(Rename(id: id, title: id))
  }

  private func hash(_ client: TestClient) throws -> String {
    try #require(client.zero.diagnostics().queries.first?.hash)
  }

  /// The entry of a poke's results that refuses a mutation of this client.
  private func refusal(_ client: TestClient, _ id: Int) -> String {
    #"{"op":"put","mutation":{"id":{"id":\#(id),"clientID":"\#(client.zero.clientID)"},"#
      + #""result":{"error":"app"}}}"#
  }

  @Test("each mutation is shown and settled before the next one runs, then all are pushed at once")
  func mutations() throws {
    let journal = Journal()
    let traced = defineMutator("issue.create") { (tx, args: Rename, session: Session) in
      journal.lines.append("run \(args.id)")
      try tx.mutate.issue.insert(Ticket(id: args.id, title: args.title, owner: session.user))
    }
    let client = try TestClient(mutators: [traced])
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    journal.watch(view, "view")
    var isNested = false
    view.addListener { _ in
      // Made in a listener: behind what waits already, but still in the same push.
      if view.data.count == 1, !isNested {
        isNested = true
        journal.watch(client.zero.mutate(traced(Rename(id: "c", title: "c"))), "c")
      }
    }
    _ = client.socket.takeSent()
    client.zero.turn {
      for id in ["a", "b"] {
        journal.watch(client.zero.mutate(traced(Rename(id: id, title: id))), id)
      }
      #expect(journal.lines.isEmpty)
    }
    #expect(
      journal.take() == [
        "run a", #"view ["a"] unknown"#, "a client success",
        "run b", #"view ["a", "b"] unknown"#, "b client success",
        "run c", #"view ["a", "b", "c"] unknown"#, "c client success",
      ])
    let requestIDs = client.socket.takeSent().compactMap { message -> String? in
      guard case .text(let text) = message,
        case .push(let push)? = try? UpstreamMessage(text: text)
      else { return nil }
      return push.requestID
    }
    #expect(requestIDs.count == 3)
    #expect(Set(requestIDs).count == 1)
  }

  @Test(
    "of a mutator that fails the server's outcome is heard of first, and before the next one runs")
  func failure() throws {
    let failing = defineMutator("issue.fail") { (tx, id: String, _: Session) in
      try tx.mutate.issue.insert(Ticket(id: id, title: id))
      throw ApplicationError("no")
    }
    let client = try TestClient(mutators: [failing, Mutators.create])
    client.connect()
    let journal = Journal()
    let view = try client.zero.materialize(Queries.all())
    journal.watch(view, "view")
    client.zero.turn {
      journal.watch(client.zero.mutate(failing("1")), "1")
      journal.watch(client.zero.mutate(create("2")), "2")
    }
    #expect(
      journal.take() == [
        "1 server error", "1 client error", #"view ["2"] unknown"#, "2 client success",
      ])
    #expect(client.pushed().map(\.id) == [1])
  }

  @Test("of the first poke of a connection, results are heard of before queries are complete")
  func firstPoke() throws {
    let client = try TestClient()
    client.connect()
    let journal = Journal()
    let view = try client.zero.materialize(Queries.all())
    journal.watch(view, "view")
    for id in ["a", "b"] { journal.watch(client.zero.mutate(create(id)), id) }
    _ = journal.take()
    _ = client.socket.takeSent()
    client.poke(
      #""lastMutationIDChanges":{"\#(client.zero.clientID)":2},"#
        + #""gotQueriesPatch":[{"op":"put","hash":"\#(try hash(client))"}],"#
        + #""rowsPatch":[\#(TestClient.put("b", "b"))],"mutationsPatch":[\#(refusal(client, 1))]"#)
    #expect(
      journal.take() == [
        #"view ["b"] unknown"#, "a server error", #"view ["b"] complete"#, "b server success",
      ])
  }

  @Test("of a later poke, queries are complete before results are heard of")
  func laterPoke() throws {
    let client = try TestClient()
    client.connect()
    let journal = Journal()
    let view = try client.zero.materialize(Queries.all())
    journal.watch(view, "view")
    client.poke(#""rowsPatch":[]"#)
    for id in ["a", "b"] { journal.watch(client.zero.mutate(create(id)), id) }
    _ = journal.take()
    client.poke(
      #""lastMutationIDChanges":{"\#(client.zero.clientID)":2},"#
        + #""gotQueriesPatch":[{"op":"put","hash":"\#(try hash(client))"}],"#
        + #""rowsPatch":[\#(TestClient.put("b", "b"))],"mutationsPatch":[\#(refusal(client, 1))]"#)
    #expect(
      journal.take() == [
        #"view ["b"] unknown"#, #"view ["b"] complete"#, "a server error", "b server success",
      ])
  }

  @Test("a listener of the connection's state still finds the gate of the state before")
  func gate() throws {
    let client = try TestClient()
    client.connect()
    let journal = Journal()
    var place = 0
    client.zero.connection.addListener { state in
      if case .connected = state { return }
      place += 1
      journal.lines.append("state \(place)")
      journal.watch(client.zero.mutate(create("\(place)")), "\(place)")
    }
    client.receive(#"["error",{"kind":"Internal","message":"x","origin":"zeroCache"}]"#)
    // Accepted, run, and given up at once with everything that waited.
    #expect(journal.take() == ["state 1", "1 client success", "1 server error"])
    #expect(client.zero.pending.count == 1)
    client.zero.connection.connect()
    let lines = journal.take()
    #expect(lines.filter { $0.hasPrefix("2 ") } == ["2 client error", "2 server error"])
    #expect(lines.contains("3 client success"))
  }

  @Test(
    "a connection that is lost fails nothing, one that is closed fails queries before mutations")
  func closing() throws {
    let client = try TestClient()
    client.connect()
    let journal = Journal()
    let view = try client.zero.materialize(Queries.all())
    journal.watch(view, "view")
    journal.watch(client.zero.mutate(create("a")), "a")
    client.zero.connection.addListener { journal.lines.append("state \($0.name.rawValue)") }
    _ = journal.take()
    client.socket.finish(SocketClose(code: 1006, wasClean: false))
    #expect(journal.take() == ["state connecting", "state connecting"])
    client.zero.close()
    #expect(journal.take() == ["state closed", #"view ["a"] error"#, "a server error"])
  }

  @Test(
    "after the handshake come the state, what was processed meanwhile, and the rest of the queue")
  func connected() throws {
    let client = try TestClient()
    client.connect()
    let journal = Journal()
    for id in ["a", "b"] { journal.watch(client.zero.mutate(create(id)), id) }
    // The server has processed the first, but the poke that says so is lost.
    client.receive(#"["pokeStart",{"pokeID":"x","baseCookie":null}]"#)
    client.receive(
      #"["pokePart",{"pokeID":"x","lastMutationIDChanges":{"\#(client.zero.clientID)":1}}]"#)
    client.socket.finish(SocketClose(code: 1006, wasClean: false))
    client.zero.connection.addListener { state in
      journal.lines.append("state \(state.name.rawValue), \(client.socket.sentTexts.count) sent")
    }
    _ = journal.take()
    client.connect()
    #expect(journal.take() == ["state connected, 0 sent", "a server success"])
    #expect(client.pushed().map(\.id) == [1, 2])
  }

  @Test("outcomes that fail together are heard of in the order of the calls")
  func rejectedTogether() throws {
    let client = try TestClient()
    client.connect()
    var heard: [Int] = []
    for id in 0..<20 {
      client.zero.mutate(Mutators.create(Rename(id: "\(id)", title: "t"))).server
        .onSettled { _ in heard.append(id) }
    }
    client.receive(#"["error",{"kind":"Internal","message":"m","origin":"zeroCache"}]"#)
    #expect(heard == Array(0..<20))
  }

  @Test("what a listener of a view calls in its first call takes effect after that call")
  func firstCall() throws {
    let client = try TestClient()
    let view = try client.zero.materialize(Queries.all())
    var (depth, deepest, counts) = (0, 0, [Int]())
    view.addListener { snapshot in
      depth += 1
      deepest = max(deepest, depth)
      counts.append(snapshot.data.count)
      if snapshot.data.isEmpty {
        client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
      }
      depth -= 1
    }
    #expect(deepest == 1)
    #expect(counts == [0, 1])
  }

  @Test("a listener that a listener adds is called at once and again in the same round")
  func addedListeners() throws {
    let client = try TestClient()
    let view = try client.zero.materialize(Queries.all())
    var calls: [String] = []
    var added: [Subscription] = []
    view.addListener { _ in
      calls.append("first")
      if !view.data.isEmpty, added.isEmpty {
        added.append(view.addListener { _ in calls.append("added") })
        added.append(view.addListener { _ in calls.append("removed") })
        added[1].cancel()
      }
    }
    calls = []
    client.zero.mutate(create("a"))
    #expect(calls == ["first", "added", "removed", "added"])
  }
}
