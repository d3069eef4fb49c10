import Foundation
import Testing
import ZeroContracts
import ZeroVectors

/// A whole client on file stores, killed at random moments of its work and started again.
@Suite("Killed clients") struct ClientKillTests {
  enum Backend: String, CaseIterable, Sendable { case sqlite, lmdb }

  /// Kills per backend: 10, or what `ZERO_KILLS` says.
  private static var kills: Int {
    ProcessInfo.processInfo.environment["ZERO_KILLS"].flatMap { Int($0) } ?? 10
  }

  @Test(
    "after kill -9 no mutation that was stored is lost, none is applied twice, and sync goes on",
    arguments: Backend.allCases)
  func kill(_ backend: Backend) throws {
    let seed = TestSeed.value
    var random = Seeded(state: seed)
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var server = LineServer()
    func start(_ name: String, _ more: String...) throws -> WorkerProcess {
      try WorkerProcess(
        worker: "client-kill-worker", arguments: [backend.rawValue, folder.path, name] + more)
    }
    do {
      for kill in 0..<Self.kills {
        let client = try start("\(kill)")
        for _ in 0..<UInt64.random(in: 1...60, using: &random) {
          try Self.exchange(client, &server)
        }
        client.killNow()
        // What it said before its end counts; nobody hears an answer.
        while let line = client.readLine() { _ = try server.hear(line) }
      }
      let last = try start("last", "idle")
      let connections = server.connections
      while server.connections == connections { try Self.exchange(last, &server) }
      while !Set(server.stored).isSubset(of: server.rows) { try Self.exchange(last, &server) }
      last.send("settle \(server.rows.count)")
      var answer: String?
      while answer == nil {
        let line = try #require(last.readLine(), "the last client has ended")
        if line.hasPrefix("rows") {
          answer = line
        } else {
          for reply in try server.hear(line) { last.send(reply) }
          // More may have been pending than was acknowledged.
          if line.hasPrefix("send ") { last.send("settle \(server.rows.count)") }
        }
      }
      let shown = answer?.split(separator: " ").dropFirst().map(String.init) ?? []
      #expect(shown.sorted() == server.rows.sorted(), "seed \(seed)")
      #expect(!server.stored.isEmpty && Set(server.stored).count == server.stored.count)
      last.killNow()
    } catch {
      Issue.record("\(backend.rawValue), seed \(seed): \(error)")
    }
  }

  // MARK: -

  private static func exchange(_ client: WorkerProcess, _ server: inout LineServer) throws {
    guard let line = client.readLine() else { throw VectorFailure("the client has ended") }
    for reply in try server.hear(line) { client.send(reply) }
  }
}

/// Random numbers that a seed determines.
private struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
