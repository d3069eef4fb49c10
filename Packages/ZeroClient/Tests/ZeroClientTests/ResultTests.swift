import Testing
import ZeroClient
import ZeroContracts
import ZeroIVM
import ZeroProtocol

/// When results count as settled, and what is new in them.
@MainActor @Suite("Results") struct ResultTests {
  private func complete(_ client: TestClient, _ rest: String = "") throws {
    let hash = try #require(client.zero.diagnostics().queries.first?.hash)
    client.poke(#""gotQueriesPatch":[{"op":"put","hash":"\#(hash)"}]\#(rest)"#)
  }

  @Test("of several results the highest is acknowledged, though 10 comes before 9 in text")
  func acknowledgement() throws {
    let client = try TestClient()
    client.connect()
    for id in 1...10 { client.zero.mutate(Mutators.create(Rename(id: "\(id)", title: "t"))) }
    _ = client.socket.takeSent()
    let me = client.zero.clientID
    let results = [9, 10].map {
      #"{"op":"put","mutation":{"id":{"clientID":"\#(me)","id":\#($0)},"result":{}}}"#
    }
    client.poke(
      #""lastMutationIDChanges":{"\#(me)":10},"mutationsPatch":[\#(results.joined(separator: ","))]"#
    )
    #expect(
      client.socket.sentTexts == [#"["ackMutationResponses",{"clientID":"\#(me)","id":10}]"#])
  }

  @Test("a clear takes results and desired queries, which are acknowledged and asked for again")
  func clear() throws {
    let client = try TestClient()
    client.connect()
    let me = client.zero.clientID
    let view = try client.zero.materialize(Queries.all())
    let hash = client.zero.diagnostics().queries[0].hash
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    client.scheduler.advance(by: .milliseconds(10))
    let acknowledgement = #"["ackMutationResponses",{"clientID":"\#(me)","id":1}]"#
    client.poke(
      #""desiredQueriesPatches":{"\#(me)":[{"op":"put","hash":"\#(hash)"}]},"#
        + #""lastMutationIDChanges":{"\#(me)":1},"mutationsPatch":[{"op":"put","mutation":"#
        + #"{"id":{"clientID":"\#(me)","id":1},"result":{}}}]"#)
    #expect(client.socket.sentTexts.last == acknowledgement)
    #expect(try desiredAgain(client).isEmpty)
    client.poke(#""rowsPatch":[{"op":"clear"}]"#)
    #expect(client.socket.sentTexts == [acknowledgement])
    #expect(try desiredAgain(client) == [hash])
    withExtendedLifetime(view) {}
  }

  /// Hashes of the queries that are asked for on a new connection.
  private func desiredAgain(_ client: TestClient) throws -> [String] {
    client.socket.finish(SocketClose(code: 1006, wasClean: false))
    let header = try SocketProtocolToken(header: client.socket.request.subprotocols[0])
    client.connect()
    _ = client.socket.takeSent()
    guard case .array(let message)? = header.initConnectionMessage,
      case .object(let body)? = message.last, case .array(let patch)? = body["desiredQueriesPatch"]
    else { return ["no first message"] }
    return patch.map {
      if case .object(let put) = $0, case .string(let hash)? = put["hash"] { hash } else { "" }
    }
  }

  @Test("a snapshot tells what is new row by row")
  func rowChanges() throws {
    let client = try TestClient()
    let view = try client.zero.materialize(Queries.all())
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    var log: [String] = []
    view.addListener { snapshot in
      do {
        guard let changes = try snapshot.rowChanges() else { return log.append("first") }
        for change in changes {
          switch change {
          case .add(let row, let at): log.append("add \(row.title) at \(at)")
          case .remove(let row, let from): log.append("remove \(row.title) from \(from)")
          case .edit(let old, let new, _, let to):
            log.append("edit \(old.title) to \(new.title) at \(to)")
          case .child(let row, _, _): log.append("child \(row.title)")
          }
        }
      } catch {
        Issue.record(error)
      }
    }
    client.zero.mutate(Mutators.rename(Rename(id: "1", title: "uno")))
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    #expect(log == ["first", "edit one to uno at 0", "add two at 0"])
  }

  @Test("a partial result is there with the first rows, a complete one when the server says so")
  func settled() async throws {
    let client = try TestClient()
    client.connect()
    let live = try client.zero.liveQuery(Queries.all())
    async let partial = live.settled(.partial)
    async let complete = live.settled(.complete)
    await Task.yield()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(try await partial.map(\.id) == ["1"])
    #expect(live.resultType == .unknown)
    try self.complete(client, #","rowsPatch":[\#(TestClient.put("2", "two"))]"#)
    #expect(try await complete.count == 2)
    #expect(try await live.settled(.partial).count == 2)
  }

  @Test("a partial result without rows waits for the server's word that there are none")
  func settledEmpty() async throws {
    let client = try TestClient()
    client.connect()
    let live = try client.zero.liveQuery(Queries.all())
    async let partial = live.settled(.partial)
    await Task.yield()
    try complete(client)
    #expect(try await partial.isEmpty)
  }

  @Test("a cached run has the rows at once, whether the server has confirmed them or not")
  func cachedRun() throws {
    let client = try TestClient()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(try client.zero.run(Queries.all(), until: .cached).result?.get().map(\.id) == ["1"])
    try complete(client)
    #expect(try client.zero.run(Queries.all(), until: .cached).result?.get().count == 1)
  }

  @Test("10 ms after the last reference to a live query the use of its query ends")
  func releaseEndsLiveQuery() throws {
    let client = try TestClient()
    var live: LiveQuery<[Ticket]>? = try client.zero.liveQuery(Queries.all())
    #expect(live?.data.isEmpty == true)
    #expect(client.zero.diagnostics().queries.count == 1)
    live = nil
    client.scheduler.advance(by: .milliseconds(10))
    #expect(client.zero.diagnostics().queries.isEmpty)
  }
}
