public import ZeroProtocol

/// The rows of all tables at one state of the store, and the views over them.
///
/// A branch and everything made from it belong to the isolation that made it. All calls are
/// synchronous. After an error that `requiresRebuild` the branch refuses changes and new views with
/// that error; views keep the data they had.
public final class Branch {
  /// The tables of the branch.
  public let schema: ZeroSchema
  /// Names the state of the store that the branch reflects; nil before anything was loaded.
  public private(set) var head: String?
  /// Whether queries may ask that a subquery has no rows. A client cannot know, so it refuses.
  public let allowsNotExists: Bool
  /// The error after which the branch has to be made anew.
  public private(set) var failure: EngineError?

  let faults = Faults()
  private var sources: [UTF8Key: MemorySource] = [:]
  /// The source that was used last, as changes often come table by table.
  private var lastSource: MemorySource?
  /// Open views by number, that is in the order of opening.
  private var views: [Int: WeakView] = [:]
  private var nextView = 0
  /// Numbers of the views that a change has reached since the last commit.
  private var dirtyViews: Set<Int> = []
  private var viewsToRepair: [QueryView] = []

  private struct WeakView { weak var view: QueryView? }

  /// A branch without rows.
  /// - Parameters:
  ///   - head: see ``head``.
  ///   - allowsNotExists: see ``allowsNotExists``.
  public init(schema: ZeroSchema, head: String? = nil, allowsNotExists: Bool = false) {
    self.schema = schema
    self.head = head
    self.allowsNotExists = allowsNotExists
  }

  /// A branch with the same rows and head and no views. Later changes of either do not reach the
  /// other. Rows, and the nodes of all sorted orders, are shared until one side changes them.
  /// - Throws: the error after which this branch has to be made anew.
  /// - Complexity: O(number of tables and orders)
  public func fork() throws(EngineError) -> Branch {
    try checkUsable()
    let fork = Branch(schema: schema, head: head, allowsNotExists: allowsNotExists)
    for (name, source) in sources {
      fork.sources[name] = MemorySource(forking: source, fork.faults)
    }
    return fork
  }

  /// Opens a view.
  /// - Throws: an error of building or of the data; nothing of the view is left then.
  public func materialize(_ query: AST, _ format: Format) throws(EngineError) -> QueryView {
    try checkUsable()
    let pipeline = try build(query)
    let view = try QueryView(self, pipeline, format, number: nextView)
    views[nextView] = WeakView(view: view)
    nextView += 1
    return view
  }

  /// The result of a query now.
  public func run(_ query: AST, _ format: Format) throws(EngineError) -> ViewData {
    try checkUsable()
    let pipeline = try build(query)
    let view = try QueryView(self, pipeline, format, number: -1)
    defer { view.destroy() }
    return view.data
  }

  /// Gives a table all its rows at once, before anything reads it.
  ///
  /// - Parameter rows: best in the order of the primary key; others are sorted first.
  /// - Throws: `rowExists` for a repeated key, `wrongLayout`.
  /// - Complexity: O(n) for rows in order
  public func load(_ table: String, _ rows: ContiguousArray<Row>) throws(EngineError) {
    try load(table, batches: [rows])
  }

  /// Gives a table all its rows at once, before anything reads it.
  ///
  /// - Parameter batches: rows, best in the order of the primary key over all batches.
  /// - Throws: `rowExists` for a repeated key, `wrongLayout`.
  /// - Complexity: O(n) for rows in order
  public func load(
    _ table: String, batches: [ContiguousArray<Row>]
  ) throws(EngineError) {
    try checkUsable()
    try source(table).load(batches)
  }

  /// Applies a change of a row to its table and to all views. Listeners hear of it at `commit`.
  /// - Throws: `rowExists`, `rowMissing`, `unknownTable` or `wrongLayout` before anything changed; or
  ///   an error that `requiresRebuild`.
  public func push(_ change: SourceChange) throws(EngineError) {
    try checkUsable()
    let source = try source(of: change.row)
    do {
      try source.push(change)
      try repairViews()
    } catch {
      if error.requiresRebuild { failure = error }
      throw error
    }
  }

  /// Tells the listeners of every view that a change reached, view by view in the order they were
  /// opened.
  /// - Returns: errors that listeners threw. Other views' listeners were called all the same.
  @discardableResult
  public func commit() -> [any Error] {
    guard !dirtyViews.isEmpty else { return [] }
    var errors: [any Error] = []
    var last = -1
    // One by one, because a listener may destroy other views.
    while let number = dirtyViews.lazy.filter({ $0 > last }).min() {
      last = number
      dirtyViews.remove(number)
      if let error = views[number]?.view?.flush() { errors.append(error) }
    }
    return errors
  }

  /// Applies the difference between two heads, in the given order, and moves to the new head.
  /// Listeners hear of it at `commit`.
  /// - Throws: `wrongHead` before anything changed; any other error leaves the branch unusable.
  public func advance(
    from expected: String?, to new: String, _ changes: some Sequence<SourceChange>
  ) throws(EngineError) {
    try checkUsable()
    guard head == expected else {
      throw EngineError(
        .wrongHead,
        "the branch is at \(head ?? "no head") and the changes lead from \(expected ?? "no head"); "
          + "make them for the branch's head")
    }
    for change in changes {
      do {
        try push(change)
      } catch {
        var error = error
        error.requiresRebuild = true
        failure = error
        throw error
      }
    }
    head = new
  }

  /// The row of a table with the key of `row`.
  /// - Complexity: O(log n)
  public func row(withKeyOf row: Row) throws(EngineError) -> Row? {
    let source = try source(of: row)
    guard row.layout === source.layout else { throw .wrongLayout(row, source.table.name) }
    let found = source.primary.stored(row)
    try faults.check()
    return found
  }

  /// Calls `body` with the rows of a table in the order of its primary key, until it returns false.
  public func forEachRow(
    of table: String, _ body: (Row) -> Bool
  ) throws(EngineError) {
    _ = try source(table).primary.rows.ascend(body)
  }

  /// Whether a table has no rows.
  /// - Complexity: O(1)
  public func isEmpty(_ table: String) throws(EngineError) -> Bool {
    try source(table).primary.rows.isEmpty
  }

  /// All rows of a table in the order of its primary key.
  public func rows(of table: String) throws(EngineError) -> ContiguousArray<Row> {
    var rows: ContiguousArray<Row> = []
    try forEachRow(of: table) { row in
      rows.append(row)
      return true
    }
    return rows
  }

  // MARK: -

  /// The source of a row's table.
  private func source(of row: Row) throws(EngineError) -> MemorySource {
    if let lastSource, lastSource.layout === row.layout { return lastSource }
    let source = try source(row.layout.table)
    lastSource = source
    return source
  }

  func source(_ name: String) throws(EngineError) -> MemorySource {
    let key = UTF8Key(name)
    if let source = sources[key] { return source }
    guard let table = schema.table(name) else { throw .unknownTable(name) }
    let source = MemorySource(table, faults)
    sources[key] = source
    return source
  }

  func forget(_ number: Int) {
    views[number] = nil
    dirtyViews.remove(number)
  }

  /// Notes that a view has something to tell at the next commit.
  func markDirty(_ number: Int) { dirtyViews.insert(number) }

  /// Asks that the view be repaired when the push under way is over.
  func repair(_ view: QueryView) { viewsToRepair.append(view) }

  /// What is wrong with the engine's structures, for tests; nil if nothing is.
  @_spi(Engine) public func brokenInvariant() -> String? {
    for source in sources.values { if let broken = source.brokenInvariant() { return broken } }
    for view in views.values { if let broken = view.view?.brokenInvariant() { return broken } }
    return nil
  }

  func build(_ query: AST) throws(EngineError) -> PipelineLevel {
    var builder = PipelineBuilder(branch: self)
    do {
      return try builder.build(query)
    } catch {
      builder.abandon()
      throw error
    }
  }

  private func checkUsable() throws(EngineError) {
    if let failure { throw failure }
  }

  private func repairViews() throws(EngineError) {
    guard !viewsToRepair.isEmpty else { return }
    let views = viewsToRepair
    viewsToRepair = []
    for view in views { view.repair() }
    if faults.isRaised { try faults.check() }
  }
}
