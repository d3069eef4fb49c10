import Testing
import ZeroClient
import ZeroProtocol

/// Pokes that no correct server sends.
@MainActor @Suite("Refused pokes") struct PokeRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let part: String
    /// What the reason of the error state mentions; nil if the poke is applied.
    let mentions: String?
    var testDescription: String { name }
  }

  nonisolated private static func rows(_ name: String, _ operation: String, _ mentions: String?)
    -> Case
  {
    Case(name: name, part: #""rowsPatch":[\#(operation)]"#, mentions: mentions)
  }

  nonisolated static let cases = [
    rows(
      "a put without its key", #"{"op":"put","tableName":"issues","value":{"title":"t"}}"#, "issue"),
    rows(
      "a put with a null key", #"{"op":"put","tableName":"issues","value":{"id":null}}"#, "issue"),
    rows(
      "a put without a part of its key",
      #"{"op":"put","tableName":"comment","value":{"issue_id":"1","body":"b"}}"#, "comment"),
    rows("a deletion without a key", #"{"op":"del","tableName":"issues","id":{}}"#, "issue"),
    rows(
      "an update without a key",
      #"{"op":"update","tableName":"issues","id":{},"merge":{"title":"t"}}"#, "issue"),
    rows("a put into an unknown table", #"{"op":"put","tableName":"no","value":{"id":1}}"#, nil),
    rows("a deletion from an unknown table", #"{"op":"del","tableName":"no","id":{}}"#, nil),
    rows(
      "a put of the largest number",
      #"{"op":"put","tableName":"issues","value":{"id":"1","title":"t","votes":1.7e308}}"#, nil),
    rows(
      "a deletion of a row that is not here", #"{"op":"del","tableName":"issues","id":{"id":"9"}}"#,
      nil),
    rows(
      "a column that the schema lacks",
      #"{"op":"put","tableName":"issues","value":{"id":"1","title":"t","votes":1,"odd":{}}}"#, nil),
    Case(
      name: "a mutation ID beyond integers", part: #""lastMutationIDChanges":{"c":1e300}"#,
      mentions: "mutation ID"),
    Case(
      name: "a mutation ID that is no integer", part: #""lastMutationIDChanges":{"c":1.5}"#,
      mentions: "mutation ID"),
  ]

  @Test("is an error with a reason, or is ignored, and the rest goes on", arguments: cases)
  func refused(_ test: Case) throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.poke(#""rowsPatch":[\#(TestClient.put("a", "kept"))]"#)
    client.poke(test.part)
    if let mention = test.mentions {
      guard case .error(let reason) = client.zero.connection.state else {
        Issue.record("\(test.name): \(client.zero.connection.state)")
        return
      }
      #expect(reason.contains(mention), "\(test.name): \(reason)")
      #expect(view.data.map(\.id) == ["a"], "\(test.name)")
      #expect(client.zero.diagnostics().cookie == "c0001", "\(test.name)")
      _ = client.zero.connection.connect()
      client.connect()
    }
    #expect(client.zero.connection.state == .connected, "\(test.name)")
    client.zero.mutate(Mutators.create(Rename(id: "b", title: "later")))
    #expect(view.data.contains { $0.id == "b" }, "\(test.name)")
  }
}
