import Testing
import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// Pokes that are decoded where storage work runs.
@MainActor @Suite("Decoding in the background") struct DecodingTests {
  private let executor = HeldStorageExecutor()
  private let scheduler = ManualScheduler(wallStart: 1_700_000_000_000)
  private let sockets = InMemorySocketFactory()

  private func makeZero() throws -> Zero<Session> {
    let storage = MemoryStoreProvider()
    var environment = EngineEnvironment(
      storage: storage, sockets: sockets, scheduler: scheduler, inline: true)
    environment.executor = executor
    var options = ZeroOptions(
      cacheURL: "https://zero.example", storage: storage, transport: sockets)
    options.logSink = nil
    let zero = try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), mutators: Mutators.all,
      options: options, environment: environment)
    executor.runAll()
    connect()
    return zero
  }

  private func connect() {
    sockets.latest?.accept()
    sockets.latest?.receive(text: #"["connected",{"wsid":"w"}]"#)
  }

  /// A poke whose payload is over the size from which decoding moves to the background.
  private func receiveLarge(isValid: Bool = true) {
    let socket = sockets.latest
    let title = String(repeating: "x", count: 200 << 10)
    let rows = TestClient.put("1", title) + "," + TestClient.put("2", "two")
    let payload = #"[{"pokeID":"p1","rowsPatch":[\#(rows)]}"# + (isValid ? "]" : "")
    socket?.receive(text: #"["pokeStart",{"pokeID":"p1","baseCookie":null}]"#)
    socket?.receive([.binary([0] + Array(payload.utf8))])
    socket?.receive(text: #"["pokeEnd",{"pokeID":"p1","cookie":"c1"}]"#)
    scheduler.advance(by: .zero)
  }

  @Test("pokes that come while a large one is decoded wait for it")
  func keepsOrder() throws {
    let zero = try makeZero()
    let view = try zero.materialize(Queries.all())
    receiveLarge()
    sockets.latest?.receive(text: #"["pokeStart",{"pokeID":"p2","baseCookie":"c1"}]"#)
    sockets.latest?.receive(
      text: #"["pokePart",{"pokeID":"p2","rowsPatch":[\#(TestClient.put("2", "zwei"))]}]"#)
    sockets.latest?.receive(text: #"["pokeEnd",{"pokeID":"p2","cookie":"c2"}]"#)
    scheduler.advance(by: .zero)
    #expect(view.data.isEmpty)
    executor.runAll()
    scheduler.advance(by: .zero)
    #expect(view.data.map(\.title.count).sorted() == [4, 200 << 10])
    #expect(zero.diagnostics().cookie == "c2")
    zero.close()
    executor.runAll()
  }

  @Test("a large poke whose connection ends while it is decoded is forgotten")
  func forgotten() throws {
    let zero = try makeZero()
    let view = try zero.materialize(Queries.all())
    receiveLarge()
    sockets.latest?.finish(SocketClose(code: 1006, wasClean: false))
    scheduler.advance(by: .seconds(10))
    executor.runAll()
    scheduler.advance(by: .zero)
    #expect(view.data.isEmpty)
    #expect(zero.diagnostics().cookie == nil)
    zero.close()
    executor.runAll()
  }

  @Test("a large poke that cannot be decoded ends the connection")
  func broken() throws {
    let zero = try makeZero()
    receiveLarge(isValid: false)
    #expect(zero.diagnostics().connectionState == "connected")
    executor.runAll()
    #expect(zero.diagnostics().connectionState != "connected")
    zero.close()
    executor.runAll()
  }
}
