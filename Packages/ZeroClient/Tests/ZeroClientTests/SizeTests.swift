import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol

@testable import ZeroClient

/// Things that are larger than a message or a key may be.
@MainActor @Suite("Sizes") struct SizeTests {
  /// What zero-cache takes by default.
  private static let limit = 10 << 20

  private func hashes(_ messages: [SocketMessage]) throws -> [[String]] {
    try messages.map { message in
      guard case .text(let text) = message else { return [] }
      #expect(text.count <= Self.limit)
      guard case .changeDesiredQueries(let body) = try UpstreamMessage(text: text) else {
        return []
      }
      return body.desiredQueriesPatch.map { operation in
        switch operation {
        case .put(let query): query.hash
        case .del(let hash): hash
        case .clear: "clear"
        }
      }
    }
  }

  @Test("queries that are too much for one message go out in several, in order")
  func manyQueries() throws {
    let client = try TestClient()
    client.connect()
    _ = client.socket.takeSent()
    let titles = (0..<3).map { String(repeating: "\($0)", count: 4 << 20) }
    let views = try titles.map { try client.zero.materialize(Queries.titled($0)) }
    client.scheduler.advance(by: .milliseconds(10))
    let sent = try hashes(client.socket.takeSent())
    let wanted = client.zero.diagnostics().queries.map(\.hash)
    #expect(sent.map(\.count) == [2, 1])
    #expect(sent.flatMap(\.self) == wanted)
    // The header holds none of them: they follow it in the same way.
    client.socket.finish(SocketClose(code: 1006, wasClean: false))
    client.connect()
    let messages = client.socket.takeSent()
    guard case .text(let first)? = messages.first,
      case .initConnection(let body) = try UpstreamMessage(text: first)
    else {
      Issue.record("expected the first message")
      return
    }
    #expect(first.count <= Self.limit)
    #expect(body.desiredQueriesPatch.count == 2)
    #expect(try hashes(messages).map(\.count) == [0, 1])
    #expect(views.count == 3)
  }

  @Test(
    "arguments as deep as the store can read are kept over a restart, deeper ones are refused",
    arguments: [(511, true), (512, false), (5000, false)])
  func deepArguments(_ levels: Int, _ isTaken: Bool) throws {
    let keep: ServerMutator<JSONValue, Session> = defineMutator.serverOnly(
      "keep", args: JSONValue.self)
    let client = try TestClient(mutators: [keep])
    var args = JSONValue.null
    for level in 0..<levels {
      args = level % 2 == 0 ? .array([.number(1), args]) : .object(["a": args])
    }
    let mutation = client.zero.mutate(keep(args))
    #expect(mutation.client.outcome?.isSuccess == isTaken)
    #expect((mutation.server.outcome?.error as? ZeroError)?.message.contains("511") != isTaken)
    client.zero.close()
    try client.open(mutators: [keep])
    #expect(client.zero.pending.count == (isTaken ? 1 : 0))
    #expect(client.zero.refusedMutations.mutations.isEmpty)
    #expect(client.storageFailures.isEmpty)
  }

  @Test("rows whose keys are longer than a store's keys are kept apart, and deleted one by one")
  func longKeys() throws {
    let client = try TestClient()
    client.connect()
    let start = String(repeating: "k", count: 9_000)
    let ids = ["\(start)1", "\(start)2", "\(start)"]
    client.poke(
      #""rowsPatch":[\#(ids.map { TestClient.put($0, "t") }.joined(separator: ","))]"#)
    client.poke(
      #""rowsPatch":[{"op":"del","tableName":"issues","id":{"id":"\#(ids[1])"}},"#
        + TestClient.put(ids[0], "u") + "]")
    client.zero.close()
    try client.open()
    let view = try client.zero.materialize(Queries.all())
    #expect(view.data.map(\.id) == [ids[2], ids[0]])
    #expect(view.data.map(\.title) == ["t", "u"])
  }
}
