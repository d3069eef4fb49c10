public import ZeroIVM
public import ZeroProtocol

/// What takes the changes of a live result one by one, such as a data structure of the app's own.
///
/// Called on the main actor by ``Zero/materialize(_:ttl:into:)-(QueryRequest<Output,Context>,_,_)``, never inside another call of itself:
/// the changes of one poke or mutation, then one `commit`. What it calls on the client takes effect
/// after the commit.
@MainActor public protocol ViewSink<Row> {
  associatedtype Row: ZeroTable

  /// Takes one change. Removals come first, in ascending order of the old places, then the others in
  /// ascending order of the new ones.
  func apply(_ change: RowChange<Row>)

  /// All changes of one poke or mutation have been given; the rows are consistent.
  ///
  /// Also called when only the result type has changed, and once for the first rows.
  /// - Parameter error: why the server refuses the query, or which row cannot be read. In the latter
  ///   case no change was given; all come together when the rows can be read again.
  func commit(_ resultType: ResultType, error: (any Error)?)
}

/// A live result that is fed into a ``ViewSink`` until it is destroyed or its last reference goes.
@MainActor public final class SinkView<Output: QueryOutput> {
  /// How far the rows can be trusted.
  public var resultType: ResultType { view.resultType }
  /// Why the server refuses the query, or which row cannot be read.
  public var error: (any Error)? { view.error ?? unreadable }

  private let view: MaterializedView<Output>
  private let apply: @MainActor (RowChange<Output.Element>) -> Void
  private let commit: @MainActor (ResultType, (any Error)?) -> Void
  /// What the sink has.
  private var delivered = EntryList()
  private var unreadable: ZeroError?
  private var isDestroyed = false

  init(_ view: MaterializedView<Output>, _ sink: some ViewSink<Output.Element>) {
    self.view = view
    apply = { sink.apply($0) }
    commit = { sink.commit($0, error: $1) }
    view.follow { [weak self] in self?.deliver() }
    deliver()
  }

  /// How long the server keeps the rows after the last use. Only a longer time has an effect.
  public var ttl: TTL {
    get { view.ttl }
    set { view.ttl = newValue }
  }

  /// Ends it: the sink hears nothing more. Doing it again has no effect.
  public func destroy() {
    isDestroyed = true
    view.destroy()
  }

  // MARK: -

  private func deliver() {
    let entries = view.entries
    do {
      let changes = try entries.rowChanges(from: delivered, as: Output.Element.self)
      delivered = entries
      unreadable = nil
      for change in changes where !isDestroyed { apply(change) }
    } catch {
      unreadable = .decoding(error)
    }
    if !isDestroyed { commit(resultType, error) }
  }
}

extension Zero {
  /// Opens a live view of a named query that gives its changes to `sink`: first all rows that are here,
  /// before this returns, then every change.
  /// - Parameter ttl: how long the server keeps the rows after the last use; ten minutes at most.
  /// - Returns: keeps the sink fed; release or destroy it to end that.
  /// - Throws: as ``materialize(_:ttl:)-(QueryRequest<Output,Context>,_)``.
  public func materialize<Output: QueryOutput>(
    _ request: QueryRequest<Output, Context>, ttl: TTL = .standard,
    into sink: some ViewSink<Output.Element>
  ) throws -> SinkView<Output> {
    try turn { SinkView(try materialize(request, ttl: ttl), sink) }
  }

  /// Feeds `sink` with a query that the server is not asked for: it gets what is here.
  public func materialize<Output: QueryOutput>(
    _ query: Query<Output.Element, Output>, ttl: TTL = .standard,
    into sink: some ViewSink<Output.Element>
  ) throws -> SinkView<Output> {
    try turn { SinkView(try materialize(query, ttl: ttl), sink) }
  }
}
