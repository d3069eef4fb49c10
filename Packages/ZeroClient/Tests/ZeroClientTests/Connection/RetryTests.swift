import Testing
import ZeroContracts
import ZeroProtocol

@_spi(Engine) @testable import ZeroClient

/// When the next attempt to connect is made.
@MainActor @Suite("Attempts to connect") struct RetryTests {
  private func fail(_ client: TestClient) {
    client.socket.finish(SocketClose(code: 1006, wasClean: false))
  }

  /// Connects and lets the server send the client away with these members of its message.
  private func sendAway(_ client: TestClient, _ members: String) {
    client.connect()
    client.receive(
      #"["error",{"kind":"Rehome","message":"elsewhere","origin":"zeroCache"\#(members)}]"#)
  }

  private func attempts(_ client: TestClient) -> Int { client.sockets.sockets.count }

  @Test(
    "a server that asks for no pause gets one attempt at once and then one per second",
    arguments: ["0", "-5", "-1e300", "0.001"])
  func noPause(_ maximum: String) throws {
    let client = try TestClient()
    sendAway(client, #","maxBackoffMs":\#(maximum)"#)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(attempts(client) == 2)
    for count in 2..<6 {
      sendAway(client, #","maxBackoffMs":\#(maximum)"#)
      client.scheduler.advance(by: .milliseconds(999))
      #expect(attempts(client) == count)
      client.scheduler.advance(by: .milliseconds(1))
      #expect(attempts(client) == count + 1)
    }
    client.connect()
    for _ in 0..<3 {
      client.scheduler.advance(by: .seconds(4))
      client.receive(#"["pokeStart",{"pokeID":"x","baseCookie":null}]"#)
      client.receive(#"["pokeEnd",{"pokeID":"x","cookie":"","cancel":true}]"#)
    }
    sendAway(client, #","maxBackoffMs":\#(maximum)"#)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(attempts(client) == 7)
  }

  @Test("a server cannot keep a client away for more than five minutes at a time")
  func endlessPause() throws {
    for members in [#","minBackoffMs":1e300"#, #","minBackoffMs":86400000,"maxBackoffMs":1e308"#] {
      let client = try TestClient()
      sendAway(client, members)
      client.scheduler.advance(by: .seconds(299))
      #expect(attempts(client) == 1)
      client.scheduler.advance(by: .seconds(1))
      #expect(attempts(client) == 2)
      client.connect()
      #expect(client.zero.connection.state == .connected)
    }
  }

  /// The next attempt comes 5 seconds after the one before it has failed.
  private func expectUsualPause(_ client: TestClient, after count: Int) {
    client.scheduler.advance(by: .milliseconds(4999))
    #expect(attempts(client) == count)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(attempts(client) == count + 1)
  }

  @Test("a network that comes back during an attempt makes its failure lead to another at once")
  func networkDuringAttempt() throws {
    let client = try TestClient()
    client.zero.connection.networkBecameAvailable()
    #expect(attempts(client) == 1)
    fail(client)
    client.scheduler.advance(by: .zero)
    #expect(attempts(client) == 2)
    // Without another signal the next failure waits as usual.
    fail(client)
    expectUsualPause(client, after: 2)
  }

  @Test("an attempt that succeeds uses up the signal")
  func signalBeforeSuccess() throws {
    let client = try TestClient()
    client.zero.connection.networkBecameAvailable()
    client.connect()
    // No answer to the ping.
    client.scheduler.advance(by: .seconds(10))
    #expect(attempts(client) == 1)
    expectUsualPause(client, after: 1)
  }

  @Test("a network that comes back while a ping is not answered is tried at once")
  func networkDuringPing() throws {
    let client = try TestClient()
    client.connect()
    client.scheduler.advance(by: .seconds(6))
    client.zero.connection.networkBecameAvailable()
    client.scheduler.advance(by: .seconds(4))
    #expect(attempts(client) == 2)
  }

  @Test("a network that comes back during an attempt that succeeds says nothing about later ones")
  func networkDuringSuccess() throws {
    let client = try TestClient()
    client.zero.connection.networkBecameAvailable()
    client.connect()
    fail(client)
    client.scheduler.advance(by: .zero)
    #expect(attempts(client) == 2)
    fail(client)
    expectUsualPause(client, after: 2)
  }

  @Test("asking to connect from a listener that hears of the error is enough")
  func connectInListener() throws {
    let client = try TestClient()
    client.connect()
    var isDone: Deferred<Void>?
    client.zero.connection.addListener { state in
      if state.name == .error { isDone = client.zero.connection.connect() }
    }
    client.receive(#"["error",{"kind":"Internal","message":"m","origin":"zeroCache"}]"#)
    #expect(isDone?.result != nil)
    #expect(attempts(client) == 2)
    client.connect()
    #expect(client.zero.connection.state == .connected)
  }

  @Test("an attempt on a network that is gone is given up for another at once")
  func networkChangesDuringAttempt() throws {
    let client = try TestClient()
    let first = client.socket
    client.zero.connection.networkChanged()
    #expect(first.closeCall != nil)
    client.scheduler.advance(by: .zero)
    #expect(attempts(client) == 2)
    client.connect()
    #expect(client.zero.connection.state == .connected)
    fail(client)
    client.scheduler.advance(by: .zero)
    fail(client)
    let count = attempts(client)
    client.zero.connection.networkChanged()
    client.scheduler.advance(by: .zero)
    #expect(attempts(client) == count + 1)
  }

  @Test("an attempt that ended while storage was being opened opens no socket")
  func endedBeforeStorage() throws {
    let executor = HeldStorageExecutor()
    let client = try TestClient(executor: executor)
    client.scheduler.advance(by: .seconds(16))
    #expect(attempts(client) == 0)
    executor.runAll()
    #expect(attempts(client) == 1)
    client.connect()
    #expect(client.zero.connection.state == .connected)
  }

  @Test("an attempt that is given up when the server confirms it makes nothing ready")
  func givenUpWhenConfirmed() throws {
    let client = try TestClient()
    var isFirst = true
    client.zero.connection.addListener { state in
      guard state == .connected, isFirst else { return }
      isFirst = false
      client.zero.connection.networkChanged()
    }
    client.connect()
    client.scheduler.advance(by: .zero)
    #expect(attempts(client) == 2)
    client.socket.accept()
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    #expect(client.pushed().isEmpty)
    client.connect()
    #expect(client.pushed().map(\.id) == [1])
  }

  @Test("in another network an idle connection is tried at once")
  func networkChangesWhenIdle() throws {
    let client = try TestClient()
    client.connect()
    _ = client.socket.takeSent()
    client.zero.connection.networkChanged()
    #expect(client.socket.sentTexts == [#"["ping",{}]"#])
    client.scheduler.advance(by: .seconds(5))
    #expect(client.zero.connection.state.name == .connecting)
    client.scheduler.advance(by: .seconds(5))
    #expect(attempts(client) == 2)
  }

  @Test("what a server wants in the connect URL holds until it wants something else, or nothing")
  func reconnectParameters() throws {
    let client = try TestClient()
    let hasShard = { client.socket.request.url.contains("shard=7") }
    sendAway(client, #","maxBackoffMs":1000,"reconnectParams":{"shard":"7"}"#)
    for _ in 0..<2 {
      client.scheduler.advance(by: .seconds(5))
      #expect(hasShard())
      fail(client)
    }
    client.scheduler.advance(by: .seconds(5))
    client.socket.accept()
    client.receive(
      #"["error",{"kind":"Rehome","message":"m","origin":"zeroCache","maxBackoffMs":1000}]"#)
    client.scheduler.advance(by: .seconds(5))
    #expect(!hasShard())
  }

  @Test("a server that asks for a pause gets it, whatever the network did")
  func serverPauseStays() throws {
    let client = try TestClient()
    client.socket.accept()
    client.zero.connection.networkBecameAvailable()
    client.receive(
      #"["error",{"kind":"ServerOverloaded","message":"m","origin":"zeroCache","#
        + #""minBackoffMs":8000}]"#)
    client.scheduler.advance(by: .milliseconds(7999))
    #expect(attempts(client) == 1)
    client.scheduler.advance(by: .milliseconds(1))
    #expect(attempts(client) == 2)
  }
}
