import Testing
import ZeroProtocol

@testable import ZeroDevServer

/// The development server against the recordings of zero-cache: the client's side is played, the
/// server's side compared, apart from IDs, cookies, times and where a change is split over pokes.
@MainActor @Suite("parity with the recorded transcripts") struct TranscriptParityTests {
  @Test(
    "says what zero-cache said",
    arguments: [
      "01-connect-and-hydrate", "02-mutate-success", "03-two-clients", "04-sql-changes",
      "05-mutation-errors", "06-reconnect-base-cookie", "07-desired-queries-and-ttl", "08-auth",
      "09-query-errors", "10-same-client-group", "11-protocol-errors", "12-large-poke",
      "13-protocol-51-and-late-init", "14-server-restart", "15-values",
    ])
  func parity(name: String) throws {
    let replay = try TranscriptReplay(substitutes: Self.substitutes)
    try replay.run(try Transcript(named: name))
    #expect(!replay.recorded.isEmpty)
    for (conn, recorded) in replay.recorded.sorted(by: { $0.key < $1.key }) {
      let actual = try #require(replay.actual[conn])
      #expect(recorded.messages == actual.messages, "\(name), connection \(conn)")
      let difference = PokeAlignment.difference(recorded: recorded.pokes, actual: actual.pokes)
      #expect(difference == nil, "\(name), connection \(conn)")
      for (earlier, later) in zip(actual.cookies, actual.cookies.dropFirst()) {
        #expect(later.base == earlier.cookie, "\(name), connection \(conn): the cookie chain")
      }
    }
  }

  /// Statements beyond the small SQL of the replay.
  static let substitutes: [String: (DatabaseTransaction) throws -> Void] = [:]
}
