import ZeroProtocol

/// Which named queries this client wants, what the server was told, and what it has delivered.
@MainActor final class QueryManager {
  /// Hears that the server has the rows of the query (true), no longer has them (false), or refuses
  /// it (false with an error).
  typealias GotCallback = @MainActor (_ isGot: Bool, _ error: QueryError?) -> Void

  /// What the manager needs of its client.
  struct Environment {
    /// Hashes that the server has confirmed as desired by this client, in key order.
    var confirmedHashes: @MainActor () -> [String]
    /// Arms the batch timer.
    var after: @MainActor (Duration, @escaping @MainActor () -> Void) -> any SchedulerTimer
    /// Sends a batch if connected; otherwise it is dropped.
    var send: @MainActor ([DesiredQueryOp]) -> Void
    /// Whether removals have to wait for mutations.
    var hasOutstandingMutations: @MainActor () -> Bool
  }

  /// Time between the first change and the message that carries it.
  let throttle: Duration

  private let environment: Environment
  /// How many queries that nobody uses any more stay desired.
  private let keptCount: Int
  /// Those queries, the one that was used last at the end.
  private var kept: [UTF8Key] = []
  private var entries: [UTF8Key: Entry] = [:]
  private var nextSequence = 0
  private var got: Set<UTF8Key> = []
  /// Whether the got set can be believed: from the first poke of a connection until its end.
  private var isAuthoritative = false
  private var pendingOps: [DesiredQueryOp] = []
  private var batchTimer: (any SchedulerTimer)?
  private var isStopped = false
  private var deferredRemovals: [@MainActor () -> Void] = []

  private final class Entry {
    let query: QueryName
    let sequence: Int
    var ttl: Double
    var callbacks: [(id: Int, call: GotCallback)] = []
    /// Users: every registration counts, also one whose callback is spent.
    var count = 1

    init(_ query: QueryName, sequence: Int, ttl: Double) {
      self.query = query
      self.sequence = sequence
      self.ttl = ttl
    }

    var desired: DesiredQuery {
      DesiredQuery(hash: query.hash, name: query.name, args: query.args, ttl: ttl)
    }
    var put: DesiredQueryOp { .put(desired) }
  }

  init(throttle: Duration, keptCount: Int, environment: Environment) {
    self.throttle = throttle
    self.keptCount = keptCount
    self.environment = environment
  }

  /// One use of a query. Ending it twice does nothing.
  @MainActor final class Registration {
    fileprivate weak var manager: QueryManager?
    fileprivate let hash: UTF8Key
    fileprivate let id: Int
    private var isEnded = false

    fileprivate init(_ manager: QueryManager, hash: UTF8Key, id: Int) {
      self.manager = manager
      self.hash = hash
      self.id = id
    }

    /// Raises the query's TTL, in milliseconds as clamped; a lower one has no effect.
    func raiseTTL(to ttl: Double) {
      guard let entry = manager?.entries[hash] else { return }
      manager?.raiseTTL(of: entry, to: ttl)
    }

    /// Ends this use, at once or when the outstanding mutations are applied: a pending mutation may
    /// read the query's rows when it is replayed.
    func end() {
      guard !isEnded, let manager else { return }
      isEnded = true
      if manager.environment.hasOutstandingMutations() {
        manager.deferredRemovals.append { [weak manager] in manager?.remove(self) }
      } else {
        manager.remove(self)
      }
    }
  }

  /// Adds a use of `query`. `callback` is called once during the call, then whenever the server's
  /// state of the query changes.
  /// - Parameter ttl: milliseconds, clamped already.
  func add(_ query: QueryName, ttl: Double, callback: @escaping GotCallback) -> Registration {
    let key = UTF8Key(query.hash)
    nextSequence += 1
    let id = nextSequence
    if let entry = entries[key] {
      if entry.count == 0 { kept.removeAll { $0 == key } }
      entry.count += 1
      raiseTTL(of: entry, to: ttl)
      entry.callbacks.append((id, callback))
    } else {
      let entry = Entry(query, sequence: id, ttl: ttl)
      entry.callbacks.append((id, callback))
      entries[key] = entry
      enqueue(entry.put)
    }
    callback(isAuthoritative && got.contains(key), nil)
    return Registration(self, hash: key, id: id)
  }

  /// Sends what waits now instead of when the batch timer fires.
  func flush() {
    batchTimer?.cancel()
    batchTimer = nil
    let ops = pendingOps
    pendingOps = []
    if !ops.isEmpty { environment.send(ops) }
  }

  /// Runs the removals that waited for mutations.
  func runDeferredRemovals() {
    let removals = deferredRemovals
    deferredRemovals = []
    for remove in removals { remove() }
  }

  /// The ops of a handshake: what the server does not know yet.
  /// - Parameter sent: the ops that went into the header of this attempt, if any did.
  func patch(after sent: [DesiredQueryOp]? = nil) -> [DesiredQueryOp] {
    QueriesPatch(
      wanted: entriesInOrder.map(\.desired), confirmed: environment.confirmedHashes(), sent: sent
    ).ops
  }

  /// The got set as it was stored. Nobody hears of it before a poke confirms it.
  func restoreGot(_ hashes: some Sequence<String>) {
    for hash in hashes { got.insert(UTF8Key(hash)) }
  }

  /// What was restored does not hold.
  func forgetGot() { got = [] }

  /// A poke changed whether the server has `hash`.
  func gotChanged(_ hash: String, isGot: Bool) {
    let key = UTF8Key(hash)
    if isGot { got.insert(key) } else { got.remove(key) }
    guard let entry = entries[key], isAuthoritative || !isGot else { return }
    for callback in entry.callbacks { callback.call(isGot, nil) }
  }

  /// A poke was applied: from now on the got set is to be believed.
  func becomeAuthoritative() {
    guard !isAuthoritative else { return }
    isAuthoritative = true
    for entry in entriesInOrder where got.contains(UTF8Key(entry.query.hash)) {
      for callback in entry.callbacks { callback.call(true, nil) }
    }
  }

  /// The connection is gone.
  func connectionLost() { isAuthoritative = false }

  /// The server refuses a query.
  func fail(_ error: QueryError) {
    guard let entry = entries[UTF8Key(error.id)] else { return }
    for callback in entry.callbacks { callback.call(false, error) }
  }

  /// Fails every query, when the client closes.
  func failAll(_ error: (QueryName) -> QueryError) {
    for entry in entriesInOrder {
      let error = error(entry.query)
      for callback in entry.callbacks { callback.call(false, error) }
    }
  }

  /// Stops the batch timer for good: nothing is sent any more.
  func stop() {
    isStopped = true
    batchTimer?.cancel()
    batchTimer = nil
  }

  /// The desired queries with their state, in order of registration.
  var status: [(query: QueryName, ttl: Double, users: Int, isGot: Bool)] {
    entriesInOrder.map {
      ($0.query, $0.ttl, $0.count, isAuthoritative && got.contains(UTF8Key($0.query.hash)))
    }
  }

  // MARK: -

  private var entriesInOrder: [Entry] { entries.values.sorted { $0.sequence < $1.sequence } }

  private func raiseTTL(of entry: Entry, to ttl: Double) {
    guard ttl > entry.ttl else { return }
    entry.ttl = ttl
    enqueue(entry.put)
  }

  private func remove(_ registration: Registration) {
    guard let entry = entries[registration.hash] else { return }
    entry.callbacks.removeAll { $0.id == registration.id }
    entry.count -= 1
    guard entry.count == 0 else { return }
    kept.append(registration.hash)
    while kept.count > keptCount {
      let hash = kept.removeFirst()
      entries[hash] = nil
      enqueue(.del(hash: hash.string))
    }
  }

  private func enqueue(_ op: DesiredQueryOp) {
    guard !isStopped else { return }
    pendingOps.append(op)
    guard batchTimer == nil else { return }
    batchTimer = environment.after(throttle) { [weak self] in self?.flush() }
  }
}
