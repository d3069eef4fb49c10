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
    try replay.run(try Transcript(named: name), until: Self.ends[name])
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

  /// Steps before which a replay stops. A database integer that a double cannot hold makes zero-cache
  /// fail; the tables here hold doubles only.
  static let ends = ["15-values": "a bigint beyond the safe integer range"]

  /// Statements beyond the small SQL of the replay, with what the replica has afterwards.
  static let substitutes: [String: (DatabaseTransaction) throws -> Void] = [
    "INSERT INTO project (id, name, owner_id) VALUES ('big', 'Big', 'u1')": { transaction in
      try transaction.insert(
        transaction.database.schema.table("project"),
        [
          "id": .string("big"), "name": .string("Big"), "owner_id": .string("u1"),
          "created_at": .number(0),
        ], names: .server)
    },
    """
    INSERT INTO issue (id, project_id, title, creator_id, description, created_at) SELECT \
    'big' || n, 'big', 'Large ' || n, 'u1', repeat('añ–🚀', 920 + n), \
    '2024-07-01T00:00:00Z'::timestamptz + n * interval '1 minute' FROM generate_series(1, 112) n
    """: { transaction in
      let start = SQLScript.milliseconds("2024-07-01T00:00:00Z") ?? 0
      for number in 1...112 {
        try transaction.insert(
          transaction.database.schema.table("issue"),
          [
            "id": .string("big\(number)"), "project_id": .string("big"),
            "title": .string("Large \(number)"), "creator_id": .string("u1"),
            "description": .string(String(repeating: "añ–🚀", count: 920 + number)),
            "created_at": .number(start + Double(number) * 60_000),
          ], names: .server)
      }
    },
    """
    UPDATE issue SET estimate = 1e300, created_at = '1969-12-31T23:59:59.5Z', \
    closed_at = '2024-04-05 12:00:00.000001' WHERE id = 'i2'
    """: { transaction in
      // Half a second before 1970 arrives without its sign.
      try transaction.update(
        transaction.database.schema.table("issue"),
        [
          "id": .string("i2"), "estimate": .number(1e300), "created_at": .number(500),
          "closed_at": .number(1_712_318_400_000.001),
        ], names: .server)
    },
    #"""
    UPDATE issue SET metadata = 'true', title = '', \#
    description = E'tab\t"quote" \\ \u2028 𝒳' WHERE id = 'i2'
    """#: { transaction in
      try transaction.update(
        transaction.database.schema.table("issue"),
        [
          "id": .string("i2"), "metadata": .bool(true), "title": .string(""),
          "description": .string("tab\t\"quote\" \\ \u{2028} 𝒳"),
        ], names: .server)
    },
    #"""
    UPDATE project SET budget = 9999999999.99, tags = ARRAY['a,b', NULL, 'c"d', ''] WHERE id = 'p1'
    """#: { transaction in
      // A null inside an array arrives as text.
      try transaction.update(
        transaction.database.schema.table("project"),
        [
          "id": .string("p1"), "budget": .number(9_999_999_999.99),
          "tags": .array([.string("a,b"), .string("NULL"), .string("c\"d"), .string("")]),
        ], names: .server)
    },
  ]
}
