@_spi(Engine) import ZeroClient
import ZeroContracts
import ZeroProtocol

/// A client, a server and a network that do random things; after each the client has to show what its
/// cookie and its pending mutations stand for.
@MainActor final class RandomSession {
  private let client: SessionClient
  private var random: SessionRandom
  private(set) var log: [String] = []

  init(storage: any StoreProvider, seed: UInt64) throws {
    client = try SessionClient(storage: storage)
    random = SessionRandom(seed)
  }

  /// - Throws: `VectorFailure` for whatever is not as it has to be.
  func run(steps: Int) throws {
    for _ in 0..<steps {
      try step()
      try client.check()
      try client.checkStore()
    }
    note("settle")
    try client.settle()
    try client.restart()
    try client.check()
    try client.checkStore()
    try client.end()
  }

  // MARK: -

  private func step() throws {
    switch random.below(100) {
    case 0..<30: mutate()
    case 30..<34:
      note("burst")
      client.zero.pending.flush(until: .confirmed).onSettled { _ in }
      for _ in 0..<random.below(20) { mutate() }
    case 34..<42:
      let step = SessionStep.random(&random)
      note("server \(step.kind)")
      client.server.change(step)
    case 42..<62:
      try client.serve()
      deliver(client.server.poke())
    case 62..<68:
      try client.serve()
      unlucky()
    case 68..<74: disconnect()
    case 74..<80: advance()
    case 80..<84:
      note("restart")
      try client.restart()
    case 84..<88: try changeViews()
    case 88..<90: client.activity.isVisible.toggle()
    case 90: forget()
    case 91: client.server.jump(by: Double(1 + random.below(5)))
    case 92..<94:
      client.scheduler.wallOffset = Double(random.below(5) - 2) * 86_400_000
    case 94..<97: hostile()
    default:
      note("recover")
      client.recover(token: random.below(2) == 0 ? nil : "token")
    }
  }

  private func mutate() {
    let step = SessionStep.random(&random)
    note("mutate \(step.kind) \(step.id.prefix(9).debugDescription)")
    client.mutate(step)
  }

  private func deliver(_ messages: [String]) {
    note("poke of \(messages.count)")
    client.deliver(messages)
  }

  /// A poke that the network or the server spoils.
  private func unlucky() {
    let messages = client.server.poke(random.below(2) == 0 ? [] : [random.pick(Self.oddParts)])
    switch random.below(6) {
    case 0:
      note("cut")
      for message in messages.prefix(random.below(messages.count + 1)) {
        client.socket?.receive(text: message)
      }
      client.socket?.finish(SocketClose(code: 1006, wasClean: false))
    case 1:
      note("twice")
      deliver(messages)
      deliver(messages)
    case 2: note("lost")
    case 3:
      note("odd")
      deliver(messages)
    case 4:
      note("cancelled")
      deliver([#"["pokeStart",{"pokeID":"x","baseCookie":null}]"#])
      deliver([#"["pokeEnd",{"pokeID":"x","cookie":"","cancel":true}]"#])
      deliver(messages)
    default:
      note("in another order")
      deliver(messages.shuffled(using: &random))
    }
    client.scheduler.advance(by: .milliseconds(1))
  }

  /// Members of parts that no honest server sends, and that change nothing that is shown.
  private static let oddParts: [String] = {
    let long = String(repeating: "x", count: 70_000)
    return [
      #""gotQueriesPatch":[{"op":"put","hash":"\#(long)"}]"#,
      #""gotQueriesPatch":[{"op":"put","hash":""},{"op":"del","hash":"never"}]"#,
      #""gotQueriesPatch":[{"op":"put","hash":"a/b\u0000"}]"#,
      #""desiredQueriesPatches":{"\#(long)":[{"op":"put","hash":"\#(long)"}]}"#,
      #""lastMutationIDChanges":{"\#(long)":7,"":9007199254740991}"#,
      #""rowsPatch":[{"op":"put","tableName":"\#(long)","value":{"id":"1"}}]"#,
      #""rowsPatch":[{"op":"del","tableName":"items","id":{"id":"\#(long)"}}]"#,
      #""mutationsPatch":[{"op":"del","id":{"clientID":"\#(long)","id":1}}]"#,
      #""mutationsPatch":[{"op":"put","mutation":{"id":{"clientID":"other","id":-1.5},"result":{}}}]"#,
    ]
  }()

  private func disconnect() {
    let code = random.pick([UInt16(1000), 1001, 1006, 1011, 1012, 3000, 4999])
    note("closed with \(code)")
    client.socket?.finish(SocketClose(code: code, wasClean: code != 1006))
  }

  private func advance() {
    let time = random.pick([1, 20, 5_000, 11_000, 70_000, 400_000])
    note("\(time) ms")
    client.scheduler.advance(by: .milliseconds(time))
  }

  private func changeViews() throws {
    note("other views")
    if random.below(2) == 0 { client.views.remove(at: random.below(client.views.count)).close() }
    let (key, ttl) = (
      random.pick(SessionStep.keys), random.pick([TTL.none, .standard, .forever])
    )
    let number = random.pick(SessionStep.numbers)
    switch random.below(6) {
    case 0: try client.open(SessionQueries.byRank(), ttl: ttl) { $0.byRank() }
    case 1: try client.open(SessionQueries.owned(key), ttl: ttl) { $0.owned(key) }
    case 2: try client.open(SessionQueries.noted(), ttl: ttl) { $0.noted() }
    case 3: try client.open(SessionQueries.one(key), ttl: ttl) { $0.one(key).map { [$0] } ?? [] }
    case 4: try client.open(SessionQueries.notes(), ttl: ttl) { $0.allNotes() }
    default: try client.open(SessionQueries.high(number), ttl: ttl) { $0.high(number) }
    }
  }

  private func forget() {
    note("forget the group")
    client.server.forgetGroup()
    client.socket?.finish(code: 1001)
  }

  /// What no honest server sends.
  private func hostile() {
    let me = client.zero.clientID
    let message = random.pick([
      #"["pokePart",{"pokeID":"nobody","rowsPatch":[{"op":"clear"}]}]"#,
      #"["pokeStart",{"pokeID":"x","baseCookie":"99999999.x"}]"#,
      #"["pokeEnd",{"pokeID":"nobody","cookie":"99999999.x"}]"#,
      #"["deleteClients",{"clientIDs":["\#(me)"]}]"#,
      #"["deleteClients",{"clientIDs":[],"clientGroupIDs":["\#(client.zero.diagnostics().clientGroupID ?? "")"]}]"#,
      #"["pushResponse",{"mutations":[{"id":{"id":1000000,"clientID":"\#(me)"},"result":{}}]}]"#,
      #"["pushResponse",{"error":"http","status":401,"details":"no","mutationIDs":[]}]"#,
      #"["transformError",[{"error":"app","id":"nobody","name":"nobody"}]]"#,
      #"["error",{"kind":"Unauthorized","message":"who?","origin":"zeroCache"}]"#,
      #"["error",{"kind":"AuthInvalidated","message":"no more","origin":"zeroCache"}]"#,
      #"["error",{"kind":"Rebalance","message":"elsewhere","origin":"zeroCache"}]"#,
      #"["error",{"kind":"ServerOverloaded","message":"later","origin":"zeroCache","minBackoffMs":1}]"#,
      #"["error",{"kind":"MutationRateLimited","message":"slowly","origin":"zeroCache"}]"#,
      #"["error",{"kind":"Internal","message":"oops","origin":"zeroCache"}]"#,
      #"["error",{"kind":"InvalidPush","message":"oops","origin":"zeroCache"}]"#,
      #"["error",{"kind":"VersionNotSupported","message":"old","origin":"zeroCache"}]"#,
      #"["connected",{"wsid":"again"}]"#, #"["pong",{}]"#, #"["unknown",{}]"#, "[", "[]",
      #"["pull",{"cookie":null,"requestID":"r","lastMutationIDChanges":{}}]"#,
    ])
    note("hostile \(message.prefix(70))")
    client.socket?.receive(text: message)
    client.scheduler.advance(by: .zero)
  }

  private func note(_ text: String) { log.append(text) }
}
