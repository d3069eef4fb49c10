import ZeroProtocol

/// The server's side of one client group: its version, its queries, its rows and its connections.
///
/// A machine without clock, sockets or backend: it is told what happened and answers with what is to
/// be done. Messages that change the query set are handled one at a time, also while the backend is
/// being asked; commits and pushes pass them by. Confined to the isolation of the server.
final class ClientGroup {
  /// Whether the group belongs to a user, and to whom.
  enum Owner: Equatable {
    case undecided
    /// Nil: a group of clients that are logged out.
    case user(String?)
  }

  let id: String
  let database: Database
  let engine: any QueryEngine

  var version = GroupVersion.initial
  /// The schema all its clients share, in normal form; nil before the first client.
  var clientSchema: ClientSchema?
  var owner = Owner.undecided
  var querySet = QuerySet()
  var ledger = RowLedger()
  var clock = TTLClock()
  /// Last mutation IDs that clients know of, with the version that told them.
  var lastMutationIDs: [String: (id: UInt64, version: GroupVersion)] = [:]
  /// Results that clients know of; nil for those that are forgotten.
  var results: [ResultKey: (result: JSONValue?, version: GroupVersion)] = [:]
  /// Whether the pipelines stand, so that commits are followed.
  var isHydrated = false
  /// Whether the group was forgotten; its clients never come in again.
  var isPurged = false

  var connections: [ConnectionID: GroupConnection] = [:]
  var effects: [GroupEffect] = []
  /// Milliseconds on the caller's clock, set by each entry.
  var now = 0.0

  private var inbox: [(from: ConnectionID?, work: Work)] = []
  /// The question to the backend that holds up the inbox.
  private var question: (number: Int, then: (TransformOutcome) -> Void)?
  var pushes = PushQueue()
  private var lastNumber = 0

  struct ResultKey: Hashable {
    let clientID: String
    let mutationID: UInt64
  }

  /// Work that takes its turn.
  enum Work {
    case request(GroupRequest)
    /// Drop the queries whose time is over.
    case expire
  }

  init(id: String, database: Database, engine: any QueryEngine) {
    self.id = id
    self.database = database
    self.engine = engine
  }

  /// When a query expires, in milliseconds of the caller's clock; nil if none is about to or the
  /// clock stands.
  func nextExpiry(at now: Double) -> Double? {
    guard !connections.isEmpty, let expiry = querySet.nextExpiry else { return nil }
    return now + max(0, expiry - clock.read(at: now))
  }

  // MARK: -

  /// Runs `body` at a time and gives back what is to be done.
  func entry(at now: Double, _ body: () -> Void) -> [GroupEffect] {
    self.now = now
    body()
    drain()
    defer { effects.removeAll() }
    return effects
  }

  func enqueue(_ work: Work, from connection: ConnectionID?) {
    inbox.append((connection, work))
  }

  /// Asks the backend and holds up the inbox until it answers.
  func ask(_ request: TransformCall, then: @escaping (TransformOutcome) -> Void) {
    let number = nextNumber()
    question = (number, then)
    effects.append(.transform(number, request))
  }

  func answer(_ number: Int, _ outcome: TransformOutcome) {
    guard let question, question.number == number else { return }
    self.question = nil
    question.then(outcome)
  }

  func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  /// Ends a connection with an error.
  func fail(_ id: ConnectionID, _ error: GroupError) {
    effects.append(.fail(id, error))
    forget(id)
  }

  /// A connection is gone, or about to be.
  func forget(_ id: ConnectionID) {
    guard connections.removeValue(forKey: id) != nil else { return }
    if connections.isEmpty { clock.stop(at: now) }
  }

  private func drain() {
    while question == nil, !inbox.isEmpty {
      let (connection, work) = inbox.removeFirst()
      switch work {
      case .expire: bringUpToDate(asking: [], for: nil)
      case .request(let request):
        guard let connection, connections[connection] != nil else { continue }
        do throws(GroupError) {
          try handle(request, from: connection)
        } catch {
          fail(connection, error)
        }
      }
    }
  }
}

// MARK: -

extension ClientGroup {
  /// A socket has come in.
  func connect(_ connection: GroupConnection, at now: Double) -> [GroupEffect] {
    entry(at: now) {
      if case .user(let user) = owner, user != connection.userID {
        var error = GroupError(
          kind: "Unauthorized",
          message: "Client group belongs to another user than that of the connection.")
        error.closeCode = 3000
        effects.append(.fail(connection.id, error))
        return
      }
      for old in connections.values where old.clientID == connection.clientID {
        effects.append(.close(old.id))
        forget(old.id)
      }
      connections[connection.id] = connection
      clock.start(at: now)
    }
  }

  func disconnected(_ id: ConnectionID, at now: Double) -> [GroupEffect] {
    entry(at: now) { forget(id) }
  }

  func receive(
    _ request: GroupRequest, from connection: ConnectionID, at now: Double
  ) -> [GroupEffect] {
    entry(at: now) { enqueue(.request(request), from: connection) }
  }

  func transformAnswered(
    _ number: Int, _ outcome: TransformOutcome, at now: Double
  ) -> [GroupEffect] {
    entry(at: now) { answer(number, outcome) }
  }

  /// Drops the queries whose time is over.
  func expire(at now: Double) -> [GroupEffect] {
    entry(at: now) { if !connections.isEmpty { enqueue(.expire, from: nil) } }
  }

  /// Forgets the group for good: its clients have to start over.
  func purge(at now: Double) -> [GroupEffect] {
    entry(at: now) {
      isPurged = true
      unload()
      for connection in connections.keys.sorted(by: { $0.number < $1.number }) {
        fail(connection, .clientNotFound)
      }
    }
  }

  /// Stops following commits until a client comes back.
  func unload() {
    for hash in querySet.order {
      querySet.queries[hash]?.pipeline?.destroy()
      querySet.queries[hash]?.pipeline = nil
      querySet.queries[hash]?.transformationHash = nil
    }
    isHydrated = false
  }
}

extension GroupError {
  static let clientNotFound = GroupError(kind: "ClientNotFound", message: "Client not found")
}
