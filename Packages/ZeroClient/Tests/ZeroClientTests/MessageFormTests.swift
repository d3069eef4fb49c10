import Testing
import ZeroClient
import ZeroContracts
import ZeroProtocol

/// Messages in a form that the server does not use, but may.
@MainActor @Suite("Forms of messages") struct MessageFormTests {
  @Test(
    "a part of a poke counts however its text is written",
    arguments: [
      #" [ "pokePart" , {"pokeID":"p","rowsPatch":[ROW]} ] "#,
      "[\n\t\"pokePart\",\n\t{\"pokeID\":\"p\",\"rowsPatch\":[ROW]}\n]",
      #"["\u0070okePart",{"rowsPatch":[ROW],"pokeID":"p"}]"#,
      #"["pokePart",{"more":[{}],"rowsPatch":[ROW],"pokeID":"p"}]"#,
    ])
  func spacedPart(_ text: String) throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let row = TestClient.put("1", "one")
    client.receive(#"[ "pokeStart", {"pokeID":"p","baseCookie":null}]"#)
    client.receive(text.replacing("ROW", with: row))
    client.receive(#"[ "pokeEnd", {"pokeID":"p","cookie":"c"}]"#)
    client.scheduler.advance(by: .zero)
    #expect(view.data.map(\.title) == ["one"])
  }

  @Test("a result in a poke that has a member too many is an error after the poke's rows show")
  func strictResult() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let call = client.zero.mutate(Mutators.create(Rename(id: "1", title: "one")))
    let id = client.zero.clientID
    client.poke(
      #""lastMutationIDChanges":{"\#(id)":1},"rowsPatch":[\#(TestClient.put("2", "two"))],"#
        + #""mutationsPatch":[{"op":"put","mutation":{"id":{"id":1,"clientID":"\#(id)"},"#
        + #""result":{"error":"app","message":"no","more":1}}}]"#)
    #expect(view.data.map(\.title) == ["two"])
    guard case .error(let reason) = client.zero.connection.state else {
      Issue.record("expected an error, got \(client.zero.connection.state)")
      return
    }
    #expect(reason.hasPrefix("Poke processing error: "))
    guard case .zeroError? = call.server.outcome else {
      Issue.record(
        "expected the connection's error, got \(String(describing: call.server.outcome))")
      return
    }
  }

  @Test("a result of another client may have any form")
  func foreignResult() throws {
    let client = try TestClient()
    client.connect()
    client.poke(
      #""mutationsPatch":[{"op":"put","mutation":{"id":{"id":1,"clientID":"other"},"#
        + #""result":{"error":"app","more":1}}}]"#)
    #expect(client.zero.connection.state == .connected)
  }
}
