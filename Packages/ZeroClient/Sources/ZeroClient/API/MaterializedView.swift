public import ZeroIVM
public import ZeroProtocol

/// Ends a registration, such as of a listener. Releasing it does not.
@MainActor public final class Subscription {
  private var end: (@MainActor () -> Void)?

  init(_ end: @escaping @MainActor () -> Void) { self.end = end }

  /// Ends it. Doing it again has no effect.
  public func cancel() {
    end?()
    end = nil
  }
}

/// The state of a view at one moment.
public struct ViewSnapshot<Output: QueryOutput>: Sendable {
  /// The result.
  public let data: Output
  /// How far `data` can be trusted.
  public let resultType: ResultType
  /// Why the server refuses the query, or why rows cannot be read or followed; then `data` is the last
  /// that could.
  public let error: (any Error)?
  /// What is new since the snapshot before it, by places in the lists of rows. Nil for the first.
  public let changes: EntryChanges?
  let entries: (old: EntryList, new: EntryList)?

  /// What is new since the snapshot before it, row by row, with the rows; nil for the first.
  /// - Throws: `ZeroError` with the first row that cannot be read.
  public func rowChanges() throws -> [RowChange<Output.Element>]? {
    try ZeroError.reporting { try entries.map { try $0.new.rowChanges(from: $0.old) } }
  }
}

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

/// A query as the engine takes it, with the time to live asked for.
@MainActor final class EngineQuery {
  let ast: AST
  let format: Format
  let id: CustomQueryID?
  var ttl: TTL

  init<Output: QueryOutput>(_ query: Query<Output.Element, Output>, ttl: TTL) throws {
    let query = try query.checked()
    ast = query.ast
    format = query.format
    id = query.customQueryID
    self.ttl = ttl
  }

  /// - Throws: `ZeroError` for a query that the server is not asked for, so that it confirms nothing.
  func checkCompletes() throws {
    guard id == nil else { return }
    throw ZeroError.client(
      ClientError(
        .internal,
        "a query on table \"\(ast.table)\" without a name is not asked of the server, so that it never "
          + "becomes complete; take what is here, or define the query by name"))
  }

  func materialize(_ engine: ClientEngine) throws -> EngineView {
    try engine.materialize(ast, format, id, ttl: ttl)
  }
}

/// The structs of a view's rows, decoded once per change.
@MainActor struct DecodedRows<Output: QueryOutput> {
  /// Why the rows cannot be read.
  private(set) var error: RowDecodingError?
  private var source: EntryList?
  private var rows: [Output.Element] = []
  private var output = Output.make(from: [])

  /// The result for `data`; where a row cannot be read, the last result that could.
  mutating func output(of data: ViewData) -> Output {
    let list = data.entries
    if let source, source.isIdentical(to: list) {
      error = nil
      return output
    }
    do {
      rows = try decoded(list)
      source = list
      output = Output.make(from: rows)
      error = nil
    } catch {
      self.error = error
    }
    return output
  }

  // MARK: -

  private func decoded(_ list: EntryList) throws(RowDecodingError) -> [Output.Element] {
    guard let source else { return try list.map(Self.decode) }
    var isGone = Set<Int>()
    var isNew = Set<Int>()
    for change in list.changes(from: source).changes {
      switch change {
      case .removed(let old): isGone.insert(old)
      case .inserted(let new): isNew.insert(new)
      case .changed(let old, let new):
        isGone.insert(old)
        isNew.insert(new)
      }
    }
    var result: [Output.Element] = []
    result.reserveCapacity(list.count)
    var kept = rows.indices.lazy.filter { !isGone.contains($0) }.makeIterator()
    for place in 0..<list.count {
      if !isNew.contains(place), let old = kept.next() {
        result.append(rows[old])
      } else {
        result.append(try Self.decode(list[place]))
      }
    }
    return result
  }

  private static func decode(_ entry: Entry) throws(RowDecodingError) -> Output.Element {
    try Output.Element(RowReader(entry, Output.Element.table))
  }
}
