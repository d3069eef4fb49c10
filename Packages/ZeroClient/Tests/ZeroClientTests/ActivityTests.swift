import Observation
import Synchronization
import Testing
import ZeroClient
import ZeroContracts
import ZeroProtocol

/// What is said to become of mutations that wait.
@MainActor @Suite("Activity of pending mutations") struct ActivityTests {
  private func clientWithMutation(
    options: (inout ZeroOptions) -> Void = { _ in }
  ) throws -> TestClient {
    let client = try TestClient(options: options)
    client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    return client
  }

  @Test("it tells since when the oldest waits, and of the next one when that is confirmed")
  func oldest() throws {
    let client = try clientWithMutation()
    client.connect()
    client.scheduler.advance(by: .seconds(3))
    client.zero.mutate(Mutators.create(Rename(id: "2", title: "two")))
    client.scheduler.advance(by: .seconds(1))
    #expect(client.zero.pending.oldestAge == 4000)
    #expect(client.zero.pending.oldestTimestamp == client.scheduler.wallTime - 4000)
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":1}"#)
    #expect(client.zero.pending.oldestAge == 1000)
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":2}"#)
    #expect(client.zero.pending.oldestAge == nil)
  }

  @Test("it follows the connection, and says when the next attempt begins")
  func followsConnection() throws {
    let client = try clientWithMutation()
    guard case .waiting = client.zero.pending.activity else {
      Issue.record("\(client.zero.pending.activity)")
      return
    }
    client.connect()
    #expect(client.zero.pending.activity == .sending)
    client.socket.fail(SocketError(.connectionLost, message: "broken"))
    guard case .waiting(_, nil) = client.zero.pending.activity else {
      Issue.record("an attempt is made at once: \(client.zero.pending.activity)")
      return
    }
    client.socket.fail(SocketError(.connectionLost, message: "broken"))
    let now = client.scheduler.wallTime
    guard case .waiting(let reason, let until) = client.zero.pending.activity else {
      Issue.record("\(client.zero.pending.activity)")
      return
    }
    #expect(reason.contains("closed abruptly"))
    #expect(until == now + 5000)
    client.scheduler.advance(by: .seconds(5))
    guard case .waiting(_, nil) = client.zero.pending.activity else {
      Issue.record("an attempt is being made: \(client.zero.pending.activity)")
      return
    }
    client.connect()
    #expect(client.zero.pending.activity == .sending)
  }

  @Test("a change of the connection alone is observed, and so are no changes at all not")
  func observed() throws {
    let client = try clientWithMutation()
    let changes = Mutex(0)
    let track = {
      withObservationTracking {
        _ = client.zero.pending.activity
      } onChange: {
        changes.withLock { $0 += 1 }
      }
    }
    track()
    client.connect()
    #expect(changes.withLock { $0 } == 1)
    track()
    client.poke(#""rowsPatch":[\#(TestClient.put("9", "nine"))]"#)
    #expect(changes.withLock { $0 } == 1)
  }

  @Test("without a token that counts, mutations are blocked, with the server's reason")
  func needsAuth() throws {
    let client = try clientWithMutation()
    client.connect()
    client.receive(
      #"["error",{"kind":"Unauthorized","message":"token expired","origin":"zeroCache"}]"#)
    guard case .blocked(let reason) = client.zero.pending.activity else {
      Issue.record("\(client.zero.pending.activity)")
      return
    }
    #expect(reason.contains("token expired"))
    _ = client.zero.connection.connect(auth: "new")
    client.connect()
    #expect(client.zero.pending.activity == .sending)
  }

  @Test("without a server nothing is ever sent")
  func noServer() throws {
    let client = try clientWithMutation { $0.cacheURL = nil }
    guard case .blocked = client.zero.pending.activity else {
      Issue.record("\(client.zero.pending.activity)")
      return
    }
  }

  @Test("with nothing to send there is nothing to do, and a flush is done")
  func idle() throws {
    let client = try TestClient()
    client.connect()
    #expect(client.zero.pending.activity == .idle)
    #expect(client.zero.flush(until: .confirmed).result != nil)
    #expect(client.zero.flush(until: .stored).result != nil)
  }

  @Test("a flush waits for the server's word")
  func flush() throws {
    let client = try clientWithMutation()
    client.connect()
    let flushed = client.zero.flush(until: .confirmed)
    #expect(client.zero.pendingMutationCount == 1)
    #expect(flushed.result == nil)
    client.poke(#""lastMutationIDChanges":{"\#(client.zero.clientID)":1}"#)
    #expect(flushed.result != nil)
    #expect(client.zero.pendingMutationCount == 0)
    #expect(client.zero.pending.activity == .idle)
  }
}
