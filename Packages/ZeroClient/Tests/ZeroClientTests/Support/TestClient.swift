import ZeroContracts
import ZeroIVM
import ZeroProtocol
import ZeroStoreMemory

@_spi(Engine) @testable import ZeroClient

/// A client on a manual clock with a socket that the test plays, and storage that outlives clients.
@MainActor final class TestClient {
  let scheduler = ManualScheduler(wallStart: 1_700_000_000_000)
  let sockets = InMemorySocketFactory()
  let storage: any StoreProvider
  private let executor: HeldStorageExecutor?
  private var opened: Zero<Session>?
  private(set) var storageFailures: [StoreError] = []
  private var cookie: String?
  private var pokes = 0

  /// - Parameter executor: where storage works and large pokes are decoded; nil does it at once.
  init(
    storage: any StoreProvider = MemoryStoreProvider(), executor: HeldStorageExecutor? = nil,
    mutators: [any AnyMutator<Session>] = Mutators.all,
    options: (inout ZeroOptions) -> Void = { _ in }
  ) throws {
    self.storage = storage
    self.executor = executor
    try open(mutators: mutators, options: options)
  }

  /// Makes another client on the same storage.
  func open(
    mutators: [any AnyMutator<Session>] = Mutators.all,
    options change: (inout ZeroOptions) -> Void = { _ in }
  ) throws {
    var options = ZeroOptions(
      cacheURL: "https://zero.example", storage: storage, transport: sockets)
    options.logSink = nil
    options.onStorageFailure = { [weak self] in self?.storageFailures.append($0) }
    change(&options)
    var environment = EngineEnvironment(
      storage: storage, sockets: sockets, scheduler: scheduler,
      activity: options.activity ?? AppActivity(), inline: true)
    if let executor { environment.executor = executor }
    opened = try Zero(
      schema: .tracker, userID: "ann", context: Session(user: "ann"), mutators: mutators,
      options: options, environment: environment)
  }

  /// The client opened last.
  var zero: Zero<Session> {
    guard let opened else { preconditionFailure("no client could be opened") }
    return opened
  }

  /// The socket opened last.
  var socket: InMemorySocket {
    guard let latest = sockets.latest else { preconditionFailure("no socket was opened") }
    return latest
  }

  /// Completes the handshake of the latest socket.
  func connect() {
    socket.accept()
    receive(#"["connected",{"wsid":"w"}]"#)
  }

  func receive(_ text: String) { socket.receive(text: text) }

  /// Sends a poke and lets it be applied. The base cookie is that of the poke before.
  func poke(_ part: String) {
    pokes += 1
    let id = "p\(pokes)"
    let next = "c\(String(repeating: "0", count: 4 - "\(pokes)".count))\(pokes)"
    let base = cookie.map { "\"\($0)\"" } ?? "null"
    receive(#"["pokeStart",{"pokeID":"\#(id)","baseCookie":\#(base)}]"#)
    receive(#"["pokePart",{"pokeID":"\#(id)",\#(part)}]"#)
    receive(#"["pokeEnd",{"pokeID":"\#(id)","cookie":"\#(next)"}]"#)
    cookie = next
    scheduler.advance(by: .zero)
  }

  /// A put of an issue, for the rows of a poke.
  static func put(_ id: String, _ title: String, votes: Int = 0) -> String {
    #"{"op":"put","tableName":"issues","value":"#
      + #"{"id":"\#(id)","title":"\#(title)","votes":\#(votes),"owner_id":null}}"#
  }

  /// IDs and names of the mutations in all push messages since the last call.
  func pushed() -> [(id: Double, name: String)] {
    socket.takeSent().compactMap { message in
      guard case .text(let text) = message,
        case .push(let push)? = try? UpstreamMessage(text: text),
        let mutation = push.mutations.first,
        case .custom(let name, _) = mutation.content
      else { return nil }
      return (mutation.id.id, name)
    }
  }
}

extension Deferred where Value == MutationOutcome {
  /// The outcome, if it is there.
  var outcome: MutationOutcome? {
    if case .success(let outcome)? = result { outcome } else { nil }
  }
}
