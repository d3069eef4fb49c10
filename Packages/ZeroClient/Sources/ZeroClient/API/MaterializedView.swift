public import ZeroIVM
public import ZeroProtocol

/// A live result of a query. It follows every change until it is destroyed or its last reference goes.
@MainActor public final class MaterializedView<Output: QueryOutput> {
  /// How far ``data`` can be trusted.
  public var resultType: ResultType { view.resultType }
  /// Why the server refuses the query (`QueryError`), or why rows cannot be read or followed
  /// (`ZeroError`). In the latter case ``data`` is the last that could; it goes on by itself when the
  /// rows are such that it can.
  public var error: (any Error)? {
    if let error = view.error { return error }
    if let failure = view.failure ?? moveError { return ZeroError.reported(failure) }
    // Rows are read when somebody asks for them.
    _ = data
    return rows.error.map { ZeroError.decoding($0) }
  }

  private var view: EngineView
  private var rows = DecodedRows<Output>()
  private var listeners = ListenerList<Void>()
  private(set) var isDestroyed = false
  /// Why the view could not move to the client that took over.
  private var moveError: (any Error)?
  private let signals = OpenStreams<Void>()
  private let request: EngineQuery
  private let loop: EventLoop

  init(_ host: ClientHost, _ request: EngineQuery) throws {
    self.request = request
    loop = host.engine.loop
    view = try request.materialize(host.engine)
    host.add(self)
    follow()
  }

  isolated deinit { destroy() }

  /// The result now. Rows that did not change are not decoded again.
  public var data: Output { rows.output(of: view.data) }

  /// How long the server keeps the rows after the last use: the longest time asked for through this view.
  /// Setting a shorter one has no effect.
  public var ttl: TTL {
    get { request.ttl }
    set {
      guard TTL.compare(newValue, request.ttl) == 1 else { return }
      request.ttl = newValue
      view.raiseTTL(to: newValue)
    }
  }

  /// Calls `listener` at once, then after every change of the data, once for all changes of a poke or a
  /// mutation, and when the server confirms or refuses the query.
  @discardableResult
  public func addListener(
    _ listener: @escaping @MainActor (ViewSnapshot<Output>) -> Void
  ) -> Subscription {
    var last: EntryList?
    let call: @MainActor (()) -> Void = { [weak self] _ in
      guard let self else { return }
      let snapshot = snapshot(after: last)
      last = view.data.entries
      listener(snapshot)
    }
    let id = listeners.add(call)
    // What the listener calls takes effect after it has returned, as in later calls.
    loop.dispatch { call(()) }
    return Subscription { [weak self] in self?.listeners.remove(id) }
  }

  /// The states of the view from now on, the present one first. A reader that is slow gets the latest
  /// one only, with the changes since the one it read before. Ends with the view.
  public var snapshots: ViewSnapshots<Output> {
    let signals = signals.open([()], .bufferingNewest(1))
    if isDestroyed { self.signals.finish() }
    return ViewSnapshots(view: self, signals: signals)
  }

  /// Ends the view. Its data stays as it is. Doing it again has no effect.
  public func destroy() {
    isDestroyed = true
    listeners.removeAll()
    view.destroy()
    signals.finish()
  }

  // MARK: -

  /// Calls `body` after every change, without decoding rows for it.
  func follow(_ body: @escaping @MainActor () -> Void) { _ = listeners.add { _ in body() } }

  /// The rows shown now.
  var entries: EntryList { view.data.entries }

  /// The present state, with the changes since `last`.
  func snapshot(after last: EntryList?) -> ViewSnapshot<Output> {
    let data = data
    return ViewSnapshot(
      data: data, resultType: resultType, error: error,
      changes: last.map { entries.changes(from: $0) }, entries: last.map { ($0, entries) })
  }

  private func notify() {
    ListenerList.call(()) { listeners }
    signals.yield(())
  }

  private func follow() {
    _ = view.addLaterListener { [weak self] _, _, _ in self?.notify() }
  }
}

extension MaterializedView: EngineDependent {
  func move(to engine: ClientEngine) {
    guard !isDestroyed else { return }
    view.destroy()
    do {
      view = try request.materialize(engine)
      moveError = nil
      follow()
    } catch {
      engine.log.error("a view cannot be opened on the new client: \(error)")
      moveError = error
    }
    notify()
  }
}
