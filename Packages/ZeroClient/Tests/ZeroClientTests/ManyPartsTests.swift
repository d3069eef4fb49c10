import Testing
import ZeroContracts
import ZeroProtocol

@_spi(Engine) @testable import ZeroClient

/// A hostile server that sends a poke in very many parts. A million messages take some fifteen seconds in
/// a debug build, so only the form that comes in chunks has a million parts, and that in messages a
/// tenth of it.
@MainActor @Suite("Pokes of very many parts") struct ManyPartsTests {
  @Test("a million tiny parts in chunks are one poke")
  func chunks() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    let count = 1_000_000
    var payload = Array("[".utf8)
    let part = Array(#"{"pokeID":"p"},"#.utf8)
    payload.reserveCapacity(count * part.count)
    for _ in 1..<count { payload += part }
    payload += Array(#"{"pokeID":"p","rowsPatch":[\#(TestClient.put("1", "one"))]}]"#.utf8)
    client.receive(#"["pokeStart",{"pokeID":"p","baseCookie":null}]"#)
    for start in stride(from: 0, to: payload.count, by: 1 << 20) {
      client.socket.receive(binary: [0] + payload[start..<min(start + (1 << 20), payload.count)])
    }
    client.receive(#"["pokeEnd",{"pokeID":"p","cookie":"c"}]"#)
    client.scheduler.advance(by: .zero)
    #expect(client.zero.diagnostics().cookie == "c")
    #expect(view.data.map(\.id) == ["1"])
  }

  @Test("a hundred thousand tiny messages are one poke")
  func messages() throws {
    let client = try TestClient()
    client.connect()
    let view = try client.zero.materialize(Queries.all())
    client.receive(#"["pokeStart",{"pokeID":"p","baseCookie":null}]"#)
    let part = #"["pokePart",{"pokeID":"p","rowsPatch":[]}]"#
    for _ in 1..<100_000 { client.receive(part) }
    client.receive(#"["pokePart",{"pokeID":"p","rowsPatch":[\#(TestClient.put("1", "one"))]}]"#)
    client.receive(#"["pokeEnd",{"pokeID":"p","cookie":"c"}]"#)
    client.scheduler.advance(by: .zero)
    #expect(client.zero.diagnostics().cookie == "c")
    #expect(view.data.map(\.id) == ["1"])
  }
}
