import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroClient

/// When a connection on which nothing comes is tried with a ping.
@MainActor @Suite("Idle connections") struct IdleTests {
  /// Whether a ping goes out in the 7 seconds in which `message` comes after 4.
  private func pings(_ message: SocketMessage, inPoke isInPoke: Bool = false) throws -> Bool {
    let client = try TestClient()
    client.connect()
    if isInPoke { client.receive(#"["pokeStart",{"pokeID":"x","baseCookie":null}]"#) }
    _ = client.socket.takeSent()
    client.scheduler.advance(by: .seconds(4))
    client.socket.receive([message])
    #expect(client.zero.connection.state == .connected)
    client.scheduler.advance(by: .seconds(3))
    let sent = client.socket.sentTexts
    client.scheduler.advance(by: .seconds(2))
    #expect(client.socket.sentTexts.contains { $0.contains("ping") })
    return sent.contains { $0.contains("ping") }
  }

  @Test(
    "pokes and pulls show that a connection works",
    arguments: [
      (#"["pokeStart",{"pokeID":"y","baseCookie":null}]"#, false),
      (#"["pokePart",{"pokeID":"x"}]"#, true), (#" ["pokePart",{"pokeID":"x"}]"#, true),
      (#"["pokeEnd",{"pokeID":"x","cookie":"","cancel":true}]"#, true),
      (#"["pull",{"cookie":"1","requestID":"r","lastMutationIDChanges":{}}]"#, false),
    ])
  func rearms(_ text: String, _ isInPoke: Bool) throws {
    #expect(try !pings(.text(Array(text.utf8)), inPoke: isInPoke))
  }

  @Test("a chunk of a poke shows that a connection works")
  func chunk() throws {
    #expect(try !pings(.binary([0] + Array("[]".utf8)), inPoke: true))
  }

  @Test(
    "no other message does",
    arguments: [
      #"["pong",{}]"#, #"["deleteClients",{"clientIDs":["x"]}]"#,
      #"["pushResponse",{"mutations":[]}]"#, #"["transformError",[]]"#,
      #"["inspect",{"op":"version","id":"1","value":"v"}]"#,
      #"["error",{"kind":"MutationRateLimited","message":"m","origin":"zeroCache"}]"#,
    ])
  func others(_ text: String) throws { #expect(try pings(.text(Array(text.utf8)))) }
}
