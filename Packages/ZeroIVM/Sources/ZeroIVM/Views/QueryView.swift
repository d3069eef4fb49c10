import ZeroProtocol

/// How far a query's result can be trusted.
public enum ResultType: String, Sendable {
  /// Rows that are there locally; the server has not confirmed that they are all.
  case unknown
  /// The server has confirmed the rows. Never goes back.
  case complete
  /// The server refused the query.
  case error
}

/// A query's result, kept up to date while its branch changes.
///
/// `data` follows every change at once; listeners hear of it at the branch's commit. A view lasts
/// until `destroy()` or its release.
public final class QueryView {
  /// Called with the data, how far it can be trusted, and the error of a refused query.
  public typealias Listener = (ViewData, ResultType, (any Error)?) throws -> Void

  /// The result now.
  public private(set) var data: ViewData
  /// What the entries of ``data`` look like.
  public let shape: ResultShape
  /// How far ``data`` can be trusted.
  public private(set) var resultType = ResultType.unknown
  /// Why the server refused the query.
  public private(set) var error: (any Error)?
  /// How many changes reached the view, whether they showed or not. A view whose rows nobody
  /// touches stays at its number.
  public private(set) var changeCount = 0

  private let branch: Branch
  private let pipeline: PipelineLevel
  private let level: ViewLevel
  private let sink: Sink
  /// Place in the order of opening.
  private let number: Int
  private var isDirty = false
  private var isDestroyed = false
  private var listeners: [(id: Int, body: Listener)] = []
  private var nextListener = 0
  /// Rows of the root whose entries have to be made anew when the push is over.
  private var rowsToRepair: [Row] = []

  init(
    _ branch: Branch, _ pipeline: PipelineLevel, _ format: Format, number: Int
  ) throws(EngineError) {
    self.number = number
    self.branch = branch
    self.pipeline = pipeline
    level = ViewLevel(pipeline, format)
    shape = level.shape
    sink = Sink(order: pipeline.end.order)
    pipeline.end.feed(sink)
    data = ViewBuilder(faults: branch.faults).hydrate(level, pipeline.end)
    sink.view = self
    do {
      try branch.faults.check()
    } catch {
      destroy()
      throw error
    }
  }

  deinit { destroy() }

  /// Ends the updates. The data stays readable. Doing it again has no effect.
  public func destroy() {
    guard !isDestroyed else { return }
    isDestroyed = true
    listeners = []
    pipeline.end.destroy()
    branch.forget(number)
  }

  /// Adds a listener and calls it at once. The result removes it.
  /// - Throws: what the listener throws at that call; it is added all the same.
  @discardableResult
  public func addListener(_ body: @escaping Listener) throws -> () -> Void {
    let id = nextListener
    nextListener += 1
    listeners.append((id, body))
    try body(data, resultType, error)
    return { [weak self] in self?.listeners.removeAll { $0.id == id } }
  }

  /// Records that the server confirmed the result, and tells the listeners. Only the first of this
  /// and `fail` has an effect.
  /// - Returns: what a listener threw, after which the others were not called.
  @discardableResult
  public func complete() -> (any Error)? { settle(.complete, nil) }

  /// Records that the server refused the query, and tells the listeners.
  @discardableResult
  public func fail(_ error: any Error) -> (any Error)? { settle(.error, error) }

  // MARK: -

  private func settle(_ type: ResultType, _ error: (any Error)?) -> (any Error)? {
    guard resultType == .unknown, !isDestroyed else { return nil }
    resultType = type
    self.error = error
    return notify()
  }

  /// Tells the listeners if any change reached the view since the last time.
  func flush() -> (any Error)? {
    guard isDirty else { return nil }
    isDirty = false
    return notify()
  }

  private func notify() -> (any Error)? {
    // By place, since a listener may add others, which are called too, and remove some.
    var called = -1
    while let next = listeners.first(where: { $0.id > called }) {
      called = next.id
      do {
        try next.body(data, resultType, error)
      } catch {
        return error
      }
    }
    return nil
  }

  fileprivate func apply(_ change: Change) {
    if !isDirty {
      isDirty = true
      branch.markDirty(number)
    }
    changeCount += 1
    var changer = ViewChanger(branch.faults)
    changer.needsRepair = !rowsToRepair.isEmpty
    changer.apply(change, level, &data)
    if changer.needsRepair {
      if rowsToRepair.isEmpty { branch.repair(self) }
      rowsToRepair.append(change.row)
    }
  }

  /// Makes entries anew that changes could not bring up to date.
  func repair() {
    let builder = ViewBuilder(faults: branch.faults)
    for row in rowsToRepair {
      switch data {
      case .one(let entry?) where level.order.isSame(entry.row, row):
        data = .one(builder.entry(entry.row, nil, level))
      case .one: break
      case .many(var list):
        data = .one(nil)
        let order = level.order
        list.update { entries in
          let (place, isFound) = entries.place(of: row, order)
          if isFound { entries.update(at: place) { $0 = builder.entry($0.row, nil, level) } }
        }
        data = .many(list)
      }
    }
    rowsToRepair = []
  }

  func brokenInvariant() -> String? { pipeline.end.brokenInvariant() }

  /// The end of the pipeline.
  private final class Sink: Operator {
    unowned(unsafe) var view: QueryView?

    override func push(_ change: Change, port: Int) { view?.apply(change) }
  }
}
