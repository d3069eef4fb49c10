import Testing
@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory

/// Streams of a client, and where they end.
@MainActor @Suite("Streams") struct StreamTests {
  @Test("states begin with the present one and end with the client")
  func states() async throws {
    let client = try TestClient()
    var states = client.zero.connection.states.makeAsyncIterator()
    #expect(await states.next()?.name == .connecting)
    client.connect()
    #expect(await states.next() == .connected)
    client.zero.close()
    #expect(await states.next()?.name == .closed)
    #expect(await states.next() == nil)
    var late = client.zero.connection.states.makeAsyncIterator()
    #expect(await late.next()?.name == .closed)
    #expect(await late.next() == nil)
  }

  @Test("streams end with a client that is released without being closed")
  func released() async throws {
    var options = ZeroOptions()
    options.logSink = nil
    let environment = EngineEnvironment(
      storage: MemoryStoreProvider(), sockets: InMemorySocketFactory(),
      scheduler: ManualScheduler(), inline: true)
    var zero: Zero<Session>? = try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), options: options,
      environment: environment)
    var states = try #require(zero).connection.states.makeAsyncIterator()
    var refused = try #require(zero).refusedMutations.stream.makeAsyncIterator()
    #expect(await states.next()?.name == .disconnected)
    zero = nil
    #expect(await states.next()?.name == .closed)
    #expect(await states.next() == nil)
    #expect(await refused.next() == nil)
  }

  @Test("a listener to the connection hears changes only, until it is removed")
  func listener() throws {
    let client = try TestClient()
    var names: [ConnectionState.Name] = []
    let subscription = client.zero.connection.addListener { names.append($0.name) }
    #expect(names.isEmpty)
    client.connect()
    #expect(names == [.connected])
    subscription.cancel()
    client.zero.close()
    #expect(names == [.connected])
  }

  @Test("refused mutations come once each, first those that wait, and end with the client")
  func refused() async throws {
    let client = try TestClient()
    client.connect()
    let refuse = { (id: Int) in
      let client = client
      client.zero.mutate(Mutators.create(Rename(id: "\(id)", title: "t")))
      client.poke(
        #""lastMutationIDChanges":{"\#(client.zero.clientID)":\#(id)},"mutationsPatch":[{"op":"put","#
          + #""mutation":{"id":{"clientID":"\#(client.zero.clientID)","id":\#(id)},"#
          + #""result":{"error":"app","message":"no \#(id)"}}}]"#)
    }
    refuse(1)
    var stream = client.zero.refusedMutations.stream.makeAsyncIterator()
    #expect(await stream.next()?.error.message == "no 1")
    refuse(2)
    #expect(await stream.next()?.error.message == "no 2")
    client.zero.close()
    #expect(await stream.next() == nil)
    var late = client.zero.refusedMutations.stream.makeAsyncIterator()
    #expect(await late.next()?.error.message == "no 1")
    #expect(await late.next()?.error.message == "no 2")
    #expect(await late.next() == nil)
  }
}
