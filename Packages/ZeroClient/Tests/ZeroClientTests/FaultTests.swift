import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// Failures of the store, the server, the network and the app.
@MainActor @Suite("Faults") struct FaultTests {
  /// A session that touches everything that is stored.
  private func session(_ client: TestClient) throws -> MaterializedView<[Ticket]> {
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    client.poke(#""rowsPatch":[\#(TestClient.put("3", "three"))]"#)
    client.zero.mutate(Mutators.rename(Rename(id: "3", title: "drei")))
    client.scheduler.advance(by: .seconds(61))
    return view
  }

  @Test("a store that fails at any write leaves the client working and a prefix behind")
  func storeFailsAtEachWrite() throws {
    var isFailing = true
    var writes = 0
    while isFailing {
      let memory = MemoryStoreProvider()
      let faults = StoreFaults()
      faults.plan(.commit, .full, after: writes, times: nil)
      let client = try TestClient(storage: FaultyStoreProvider(memory, faults: faults))
      let view = try session(client)
      isFailing = !client.storageFailures.isEmpty
      #expect(view.data.map(\.title) == ["drei", "one", "two"], "write \(writes)")
      #expect(client.storageFailures.count <= 2, "write \(writes)")
      client.zero.close()
      faults.clear()
      try client.open()
      let restored = try client.zero.materialize(Queries.all())
      let ids = restored.data.map(\.id).sorted()
      // Every prefix of the session is one of these.
      #expect([[], ["1"], ["1", "2"], ["1", "2", "3"]].contains(ids), "write \(writes): \(ids)")
      writes += 1
      #expect(writes < 50)
    }
    #expect(writes > 5)
  }

  @Test("a store that cannot be opened is replaced by memory and reported once")
  func storeCannotBeOpened() throws {
    let faults = StoreFaults()
    faults.plan(.open, .permission, times: nil)
    let client = try TestClient(
      storage: FaultyStoreProvider(MemoryStoreProvider(), faults: faults))
    #expect(try session(client).data.count == 3)
    #expect(client.storageFailures.map(\.code) == [.permission])
  }

  @Test("a mutation that is not stored fails that outcome only")
  func persistedFails() throws {
    let faults = StoreFaults()
    let client = try TestClient(
      storage: FaultyStoreProvider(MemoryStoreProvider(), faults: faults))
    faults.plan(.commit, .full, times: nil)
    let mutation = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let error = #expect(throws: ZeroError.self) { try mutation.persisted.result?.get() }
    guard case .storage(let failure)? = error else {
      Testing.Issue.record("expected the store's error, not \(String(describing: error))")
      return
    }
    #expect(failure.code == .full)
    #expect(mutation.client.outcome?.isSuccess == true)
    client.connect()
    #expect(client.pushed().count == 1)
  }

  @Test("a server that closes at any message boundary costs nothing but another connection")
  func serverClosesAnywhere() throws {
    let messages: (TestClient) -> [String] = { client in
      [
        #"["connected",{"wsid":"w"}]"#,
        #"["pokeStart",{"pokeID":"p1","baseCookie":null}]"#,
        #"["pokePart",{"pokeID":"p1","rowsPatch":[\#(TestClient.put("1", "one"))]}]"#,
        #"["pokePart",{"pokeID":"p1","rowsPatch":[\#(TestClient.put("2", "two"))]}]"#,
        #"["pokeEnd",{"pokeID":"p1","cookie":"c1"}]"#,
        #"["pokeStart",{"pokeID":"p2","baseCookie":"c1"}]"#,
        #"["pokePart",{"pokeID":"p2","lastMutationIDChanges":{"\#(client.zero.clientID)":1},"#
          + #""rowsPatch":[\#(TestClient.put("m", "mine"))]}]"#,
        #"["pokeEnd",{"pokeID":"p2","cookie":"c2"}]"#,
      ]
    }
    for cut in 0...8 {
      let client = try TestClient()
      let view = try client.zero.materialize(Queries.all())
      client.zero.mutate(Mutators.create(Rename(id: "m", title: "mine")))
      client.socket.accept()
      for message in messages(client).prefix(cut) {
        client.receive(message)
        client.scheduler.advance(by: .zero)
      }
      client.socket.finish(SocketClose(code: 1006, wasClean: false))
      client.scheduler.advance(by: .seconds(5))
      client.socket.accept()
      let base = client.zero.diagnostics().cookie
      let rest = messages(client).filter { message in
        if base == "c2" { return message.contains("connected") }
        return base == "c1" ? !message.contains("\"p1\"") : true
      }
      for message in rest {
        client.receive(message)
        client.scheduler.advance(by: .zero)
      }
      #expect(view.data.map(\.id) == ["m", "1", "2"], "cut \(cut)")
      #expect(client.zero.pending.count == 0, "cut \(cut)")
      #expect(client.zero.connection.state == .connected, "cut \(cut)")
    }
  }

  @Test(
    "after a message that ended the connection nothing is pushed before the next is confirmed",
    arguments: [#"["pokePart",{"pokeID":"other"}]"#, #"["pokePart",7]"#])
  func pushAfterBadMessage(_ message: String) throws {
    let client = try TestClient()
    client.connect()
    client.receive(#"["pokeStart",{"pokeID":"x","baseCookie":null}]"#)
    client.receive(message)
    #expect(client.zero.connection.state.name == .error)
    client.zero.connection.connect()
    client.socket.accept()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(client.pushed().isEmpty)
    client.connect()
    #expect(client.pushed().map(\.id) == [1])
  }

  @Test("what was sent on a connection is not sent again when some of it is confirmed")
  func pushAfterConfirmation() throws {
    let client = try TestClient()
    client.connect()
    for id in ["1", "2", "3"] {
      client.zero.mutate(Mutators.create(Rename(id: id, title: id)))
    }
    #expect(client.pushed().map(\.id) == [1, 2, 3])
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":1}"#)
    client.zero.mutate(Mutators.create(Rename(id: "4", title: "4")))
    #expect(client.pushed().map(\.id) == [4])
    client.socket.finish(SocketClose(code: 1006, wasClean: false))
    client.connect()
    #expect(client.pushed().map(\.id) == [2, 3, 4])
  }

  @Test("closing between the parts of a poke drops the poke")
  func closeDuringPoke() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.receive(#"["pokeStart",{"pokeID":"p1","baseCookie":null}]"#)
    client.receive(
      #"["pokePart",{"pokeID":"p1","rowsPatch":[\#(TestClient.put("1", "one"))]}]"#)
    let closed = client.zero.close()
    client.receive(#"["pokeEnd",{"pokeID":"p1","cookie":"c1"}]"#)
    client.scheduler.advance(by: .seconds(1))
    #expect(view.data.isEmpty)
    #expect(closed.result != nil)
  }

  @Test("closing inside a listener is safe")
  func closeInListener() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    view.addListener { if $0.data.count == 1 { client.zero.close() } }
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    #expect(client.zero.isClosed)
    #expect(view.data.count == 1)
  }

  @Test("ten thousand pending mutations are pushed once and in order after a restart")
  func manyPending() throws {
    let count = 10_000
    let client = try TestClient()
    for id in 0..<count {
      client.zero.mutate(Mutators.create(Rename(id: "\(id)", title: "t")))
    }
    client.zero.close()
    try client.open()
    #expect(client.zero.pending.count == count)
    client.connect()
    #expect(client.pushed().map(\.id) == (1...count).map { Double($0) })
    client.scheduler.advance(by: .seconds(1))
    #expect(client.pushed().isEmpty)
  }

  @Test("a clock that jumps a day neither collects this client nor stops anything")
  func clockJumps() throws {
    let client = try TestClient()
    client.connect()
    for offset in [86_400_000.0, -86_400_000, 0] {
      client.scheduler.wallOffset = offset
      for _ in 0..<70 {
        client.scheduler.advance(by: .seconds(4))
        client.receive(#"["pokeStart",{"pokeID":"x","baseCookie":null}]"#)
        client.receive(#"["pokeEnd",{"pokeID":"x","cookie":"","cancel":true}]"#)
      }
      #expect(client.zero.connection.state == .connected)
    }
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(client.pushed().count == 1)
  }

  @Test(
    "a server that sends nonsense leads to the error state and keeps what is here",
    arguments: [
      #"["pokePart",{"pokeID":"p"}]"#, #"["pokeEnd",{"pokeID":"p","cookie":"c"}]"#, "[]", "{}",
      "null", "[1,2]", #"["connected"]"#, #"["error",{"kind":"Nonsense","message":""}]"#,
      #"["pokeStart",{"pokeID":7,"baseCookie":null}]"#, #"["deleteClients",{"clientIDs":[1]}]"#,
      #"["transformError",[{"error":"odd","id":"x","name":"y"}]]"#, "not json", "",
      #"["pushResponse",{"mutations":[{"id":{"id":1e400,"clientID":"x"},"result":{}}]}]"#,
    ])
  func nonsense(_ message: String) throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.receive(message)
    client.scheduler.advance(by: .seconds(1))
    guard case .error = client.zero.connection.state else {
      Testing.Issue.record("\(message): \(client.zero.connection.state)")
      return
    }
    #expect(view.data.count == 1)
    _ = client.zero.connection.connect()
    client.connect()
    #expect(client.zero.connection.state == .connected)
  }

  @Test(
    "rows of wrong types and odd values are taken or refused, never fatal",
    arguments: [
      #"{"op":"put","tableName":"issues","value":{"id":"1","title":7,"votes":"x","owner_id":[]}}"#,
      #"{"op":"put","tableName":"issues","value":{"id":null,"title":"t"}}"#,
      #"{"op":"put","tableName":"nowhere","value":{"id":1}}"#,
      #"{"op":"put","tableName":"issues","value":{"id":"1","votes":1e308,"more":{}}}"#,
      #"{"op":"del","tableName":"issues","id":{"id":"never"}}"#,
      #"{"op":"put","tableName":"issues","value":{"id":true,"title":"t"}}"#,
    ])
  func oddRows(_ operation: String) throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.zero.mutate(Mutators.create(Rename(id: "m", title: "mine")))
    client.poke(#""rowsPatch":[\#(operation)]"#)
    _ = view.data
    if case .error = client.zero.connection.state {
      // Refused: what was here stays.
      #expect(view.data.map(\.id) == ["m"])
    } else {
      #expect(try client.zero.runNow(Queries.byID("m"))?.title == "mine")
    }
  }

  @Test(
    "numbers too large to be mutation IDs are refused", arguments: ["1e300", "9223372036854774784"])
  func hugeNumbers(_ number: String) throws {
    let client = try TestClient()
    client.connect()
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":\#(number)}"#)
    guard case .error = client.zero.connection.state else {
      Testing.Issue.record("\(client.zero.connection.state)")
      return
    }
  }

  @Test("a row that the server says to keep other columns of keeps its key")
  func constrainWithoutKey() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.poke(
      #""rowsPatch":[\#(TestClient.put("1", "one")),\#(TestClient.put("2", "two"))]"#)
    let updates = ["1", "2"].map { id in
      #"{"op":"update","tableName":"issues","id":{"id":"\#(id)"},"merge":{"title":"new"},"#
        + #""constrain":["title"]}"#
    }
    client.poke(#""rowsPatch":[\#(updates.joined(separator: ","))]"#)
    #expect(client.zero.connection.state == .connected)
    #expect(view.data.map(\.id) == ["1", "2"])
    client.zero.close()
    try client.open()
    #expect(try client.zero.runNow(Queries.all()).map(\.title) == ["new", "new"])
  }

  @Test("a row that views cannot order costs those views and not the client")
  func rowWithoutOrder() throws {
    let client = try TestClient()
    client.connect()
    let ordered = try client.zero.materialize(Queries.all())
    let single = try client.zero.materialize(Queries.byID("1"))
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.poke(
      #""rowsPatch":[{"op":"put","tableName":"issues","value":{"id":"2","title":7,"votes":0}}]"#)
    #expect(ordered.data.count == 1)
    _ = client.zero.connection.connect()
    client.connect()
    client.poke(
      #""rowsPatch":[\#(TestClient.put("2", "two")),\#(TestClient.put("1", "uno"))]"#)
    #expect(client.zero.connection.state == .connected)
    #expect(single.data?.title == "uno")
    #expect(ordered.data.map(\.title) == ["two", "uno"])
  }

  @Test("while a row has no order, everything that does not order it goes on, also after a restart")
  func goesOnBesideRowWithoutOrder() throws {
    let client = try TestClient()
    client.connect()
    let live = try client.zero.liveQuery(Queries.all())
    let byID = try client.zero.materialize(Queries.byID("m"))
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.poke(
      #""rowsPatch":[{"op":"put","tableName":"issues","value":{"id":"2","title":7,"votes":0}}]"#)
    #expect(live.data.map(\.id) == ["1"])
    _ = client.zero.connection.connect()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "m", title: "mine")))
    client.zero.mutate(Mutators.vote(Vote(id: "m", by: 3)))
    #expect(byID.data?.votes == 3)
    #expect(client.pushed().map(\.id) == [1, 2])
    client.zero.close()
    try client.open()
    #expect(try client.zero.runNow(Queries.byID("m"))?.votes == 3)
    #expect(throws: ZeroError.self) { try client.zero.runNow(Queries.all()) }
    client.connect()
    #expect(client.zero.connection.state == .connected)
    client.poke(#""rowsPatch":[\#(TestClient.put("2", "two"))]"#)
    #expect(try client.zero.runNow(Queries.all()).map(\.title) == ["mine", "one", "two"])
  }

  @Test("a key of another type than its column's is refused before anything is stored")
  func keyOfAnotherType() throws {
    let client = try TestClient()
    client.connect()
    client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
    client.poke(
      #""rowsPatch":[{"op":"put","tableName":"issues","value":{"id":7,"title":"t","votes":0}}]"#)
    guard case .error = client.zero.connection.state else {
      Testing.Issue.record("\(client.zero.connection.state)")
      return
    }
    client.zero.close()
    try client.open()
    #expect(try client.zero.runNow(Queries.all()).map(\.title) == ["one"])
  }

  @Test(
    "odd but valid messages leave a client that works",
    arguments: [
      #"["error",{"kind":"Rehome","message":"m","origin":"zeroCache","minBackoffMs":1e300,"#
        + #""maxBackoffMs":-1e300,"reconnectParams":{"clientID":"x","":"","a b":"&=#"}}]"#,
      #"["error",{"kind":"ServerOverloaded","message":"m","origin":"zeroCache","minBackoffMs":-5}]"#,
      #"["deleteClients",{"clientIDs":["x"],"clientGroupIDs":["y"]}]"#,
      #"["pushResponse",{"mutations":[{"id":{"id":9007199254740993,"clientID":"ME"},"result":{}}]}]"#,
      #"["pushResponse",{"mutations":[{"id":{"id":-1,"clientID":"ME"},"result":{"error":"app"}}]}]"#,
    ])
  func oddMessages(_ message: String) throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all(), ttl: .milliseconds(1e308))
    client.receive(message.replacing("ME", with: client.zero.clientID))
    client.scheduler.advance(by: .seconds(1))
    _ = client.zero.connection.connect()
    client.connect()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(view.data.map(\.id) == ["1"])
    _ = client.zero.diagnostics()
  }

  @Test("cookies and mutation IDs that go back are refused and change nothing")
  func goingBack() throws {
    for end in [#""cookie":"c0000""#, #""cookie":"""#] {
      let client = try TestClient()
      client.connect()
      let view = try client.zero.materialize(Queries.all())
      client.poke(#""rowsPatch":[\#(TestClient.put("1", "one"))]"#)
      client.receive(#"["pokeStart",{"pokeID":"b","baseCookie":"c0001"}]"#)
      client.receive(#"["pokePart",{"pokeID":"b","rowsPatch":[{"op":"clear"}]}]"#)
      client.receive(#"["pokeEnd",{"pokeID":"b",\#(end)}]"#)
      client.scheduler.advance(by: .zero)
      #expect(client.zero.connection.state.name == .error, "\(end)")
      #expect(view.data.count == 1, "\(end)")
      #expect(client.zero.diagnostics().cookie == "c0001", "\(end)")
    }
  }
}
