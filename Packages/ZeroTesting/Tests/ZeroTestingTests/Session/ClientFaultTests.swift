import Foundation
import Testing
import ZeroClient
import ZeroContracts
import ZeroProtocol
import ZeroVectors

/// Failures of server, network and store, one at each possible moment, on every store.
///
/// The ordinary tests try every seventh moment, from one that the seed chooses; with `ZERO_FAULTS=all` every one.
@MainActor @Suite("Faults on every store") struct ClientFaultTests {
  private static let isThorough =
    ProcessInfo.processInfo.environment["ZERO_FAULTS"] == "all"
  private static var stride: Int { isThorough ? 1 : 7 }
  private static func firstPlace() -> Int { Int(TestSeed.value % UInt64(stride)) }

  /// Steps that read and write both tables, one of which the server refuses.
  private static let steps: [SessionStep] = [
    SessionStep(kind: .insert, id: "a", other: "one", number: 1, text: "a"),
    SessionStep(kind: .note, id: "a", other: "", number: 0, text: "first"),
    SessionStep(kind: .refused, id: "b", other: "two", number: 2, text: nil),
    SessionStep(kind: .rank, id: "a", other: "", number: 3, text: nil),
    SessionStep(kind: .move, id: "a", other: "b", number: 0, text: nil),
  ]

  /// A session that passes everything, on a network that may fail.
  /// - Parameter deliver: gives the server's messages to the client.
  private func session(
    _ client: SessionClient, deliver: (SessionClient, [String]) -> Void
  ) throws {
    for step in Self.steps {
      client.mutate(step)
      try client.check()
      try client.serve()
      deliver(client, client.server.poke())
      try client.check()
      client.server.change(
        SessionStep(kind: .upsert, id: step.kind.rawValue, other: "theirs", number: 4, text: "a"))
      deliver(client, client.server.poke())
      try client.check()
    }
  }

  private func onStore(
    _ store: SessionStore, _ body: (TemporaryFolder) throws -> Bool
  ) throws {
    var goesOn = true
    while goesOn {
      let folder = try TemporaryFolder()
      defer { folder.remove() }
      goesOn = try body(folder)
    }
  }

  @Test(
    "a server that is gone after any of its messages, or of the client's, costs nothing",
    arguments: SessionStore.allCases)
  func cutAnywhere(_ store: SessionStore) throws {
    for isUpstream in [false, true] {
      var cut = Self.firstPlace()
      try onStore(store) { folder in
        let client = try SessionClient(storage: store.provider(in: folder))
        var left = cut
        if isUpstream { client.server.messagesUntilCut = cut }
        do {
          try session(client) { client, messages in
            for message in messages {
              if !isUpstream, left == 0 {
                client.socket?.finish(SocketClose(code: 1006, wasClean: false))
              }
              left -= 1
              client.deliver([message])
            }
          }
          try client.settle()
          try client.restart()
          try client.check()
          try client.checkStore()
          #expect(client.zero.refusedMutations.mutations.count == 1)
          try client.end()
        } catch {
          Issue.record("after \(cut) messages, upstream \(isUpstream): \(error)")
          return false
        }
        cut += Self.stride
        return isUpstream ? client.server.messagesUntilCut == nil : left < 0
      }
      #expect(cut > (isUpstream ? 5 : 30))
    }
  }

  @Test(
    "a store that fails at any operation leaves a client that works, and a state of its past",
    arguments: SessionStore.allCases, [StoreFaults.Operation.commit, .put, .delete, .write])
  func storeFails(_ store: SessionStore, _ operation: StoreFaults.Operation) throws {
    var place = Self.firstPlace()
    try onStore(store) { folder in
      let faults = StoreFaults()
      faults.plan(operation, .full, after: place, times: nil)
      do {
        let provider = FaultyStoreProvider(store.provider(in: folder), faults: faults)
        let client = try SessionClient(storage: provider)
        try session(client) { client, messages in client.deliver(messages) }
        let hasFailed = !client.storageFailures.isEmpty
        #expect(client.storageFailures.count <= 2, "\(operation) \(place)")
        faults.clear()
        try client.restart()
        try client.check()
        try client.checkStore()
        try client.settle()
        try client.end()
        place += Self.stride
        return hasFailed
      } catch {
        Issue.record("\(operation) \(place): \(error)")
        return false
      }
    }
    #expect(place > 3)
  }

  @Test(
    "a store that cannot be read at some moment of opening is left as it is",
    arguments: SessionStore.allCases, [StoreFaults.Operation.open, .read, .get, .scan])
  func storeCannotBeRead(_ store: SessionStore, _ operation: StoreFaults.Operation) throws {
    var place = Self.firstPlace()
    try onStore(store) { folder in
      let faults = StoreFaults()
      do {
        let provider = FaultyStoreProvider(store.provider(in: folder), faults: faults)
        let client = try SessionClient(storage: provider)
        for step in Self.steps { client.mutate(step) }
        faults.plan(operation, .io, after: place, times: nil)
        try client.restart()
        let hasFailed = !client.storageFailures.isEmpty
        #expect(client.zero.pending.count == (hasFailed ? 0 : Self.steps.count) || place < 2)
        faults.clear()
        try client.restart()
        #expect(client.zero.pending.count == Self.steps.count, "\(operation) \(place)")
        try client.check()
        try client.settle()
        try client.end()
        place += Self.stride
        return hasFailed
      } catch {
        Issue.record("\(operation) \(place): \(error)")
        return false
      }
    }
    #expect(place > 0)
  }

  @Test(
    "many thousand pending mutations are pushed once and in order after a restart",
    arguments: SessionStore.allCases)
  func manyPending(_ store: SessionStore) throws {
    let count = Self.isThorough ? 10_000 : 1_000
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let client = try SessionClient(storage: store.provider(in: folder))
    let step = SessionStep(kind: .title, id: "a", other: "title", number: 0, text: nil)
    for _ in 0..<count { client.zero.mutate(SessionMutators.request(step)) }
    try client.restart()
    #expect(client.zero.pending.count == count)
    try client.checkStore()
    #expect(try client.connectAndReadPushes() == (1...count).map { Double($0) })
    client.scheduler.advance(by: .seconds(1))
    #expect(try client.readPushes().isEmpty)
  }
}
