public import ZeroIVM
public import ZeroProtocol

/// A live view of a query, without types.
@_spi(Engine) @MainActor public final class EngineView {
  /// What listeners get.
  public typealias Listener = @MainActor (ViewData, ResultType, QueryError?) -> Void

  public private(set) var data: ViewData
  public private(set) var resultType = ResultType.unknown
  /// Why the server refuses the query.
  public private(set) var error: QueryError?
  /// Why the view does not follow the rows; its data is then what it showed last.
  public private(set) var failure: (any Error)?

  let query: AST
  let format: Format
  private weak var engine: ClientEngine?
  private let loop: EventLoop
  private var view: QueryView?
  private var registration: QueryManager.Registration?
  private var listeners = ListenerList<Void>()
  /// The first word of the server, which counts.
  private var isSettled = false
  /// Whether the call that registered the query is over.
  private var isRegistered = false
  private var onSettled: [@MainActor (QueryError?) -> Void] = []
  /// Place in the order of materialization.
  private var number = 0

  /// - Throws: `EngineError` for a query that cannot be run; then nothing is left of it.
  init(
    _ engine: ClientEngine, _ query: AST, _ format: Format, name: QueryName?, ttl: Double
  ) throws {
    self.engine = engine
    self.query = query
    self.format = format
    loop = engine.loop
    data = format.singular ? .one(nil) : .many(EntryList())
    if let name {
      registration = engine.queries.add(name, ttl: ttl) { [weak self] in
        self?.serverSaid($0, $1)
      }
      isRegistered = true
    }
    do {
      try engine.batch { try open(engine.rows.branch) }
    } catch {
      registration?.end()
      registration = nil
      throw error
    }
    number = engine.views.add(self)
  }

  isolated deinit { destroy() }

  /// Adds a listener and calls it at once.
  /// - Returns: removes it.
  @discardableResult
  public func addListener(_ listener: @escaping Listener) -> @MainActor () -> Void {
    let remove = addLaterListener(listener)
    listener(data, resultType, error)
    return remove
  }

  /// Adds a listener without calling it at once.
  func addLaterListener(_ listener: @escaping Listener) -> @MainActor () -> Void {
    let call: @MainActor (()) -> Void = { [weak self] _ in
      guard let self else { return }
      listener(data, resultType, error)
    }
    let id = listeners.add(call)
    return { [weak self] in self?.listeners.remove(id) }
  }

  /// Asks for a longer time to live; a shorter one has no effect.
  public func raiseTTL(to ttl: TTL) {
    guard let engine else { return }
    loop.dispatch { registration?.raiseTTL(to: engine.clamped(ttl)) }
  }

  /// Ends the view. Its data stays. Doing it again has no effect.
  public func destroy() {
    view?.destroy()
    view = nil
    let registration = self.registration
    self.registration = nil
    guard let engine else { return registration?.end() ?? () }
    self.engine = nil
    engine.views.remove(number)
    loop.dispatch { registration?.end() }
  }

  /// Calls `body` in a microtask when the server has confirmed or refused the query.
  func whenSettled(_ body: @escaping @MainActor (QueryError?) -> Void) {
    switch resultType {
    case .unknown: onSettled.append(body)
    case .complete: loop.microtask { body(nil) }
    case .error:
      let error = error
      loop.microtask { body(error) }
    }
  }

  /// Whether the view does not follow the sources and should.
  var isDetached: Bool { view == nil && engine != nil }

  /// Stops following the sources until ``reopen(_:)``.
  func detach() {
    view?.destroy()
    view = nil
  }

  /// Builds the view anew over the sources as they are now.
  /// Where that fails the view stays detached and says so in ``failure``.
  /// - Returns: whether there is something to tell the listeners.
  func reopen(_ branch: Branch) -> Bool {
    detach()
    guard engine != nil else { return false }
    let before = data
    let hadFailed = failure != nil
    do {
      try open(branch)
      failure = nil
      return hadFailed || !data.isEqual(to: before)
    } catch {
      failure = error
      return !hadFailed
    }
  }

  /// Tells the listeners that the data is new.
  func notify() { ListenerList.call(()) { listeners } }

  // MARK: -

  private func open(_ branch: Branch) throws {
    let view = try branch.materialize(query, format)
    data = view.data
    var isFirst = true
    try view.addListener { [weak self] data, _, _ in
      if isFirst { return }
      MainActor.assumeIsolated {
        self?.data = data
        self?.notify()
      }
    }
    isFirst = false
    self.view = view
  }

  private func serverSaid(_ isGot: Bool, _ error: QueryError?) {
    guard !isSettled, isGot || error != nil else { return }
    isSettled = true
    if isRegistered {
      loop.microtask { [weak self] in self?.settle(error) }
    } else {
      resultType = .complete
    }
  }

  private func settle(_ error: QueryError?) {
    resultType = error == nil ? .complete : .error
    self.error = error
    let waiting = onSettled
    onSettled = []
    for body in waiting { loop.microtask { body(error) } }
    if view != nil || engine != nil { notify() }
  }
}
