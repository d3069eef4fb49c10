import ZeroIVM
import ZeroProtocol

/// What live queries have in common if they share a view: what they ask for and how they read it.
struct LiveQueryKey: Hashable {
  private let ast: [UInt8]
  private let format: String
  /// Two names are two queries to the server, which may know more about them than their rows here tell.
  private let id: UTF8Key?
  private let output: ObjectIdentifier

  @MainActor init<Output: QueryOutput>(_ request: EngineQuery, _: Output.Type) {
    ast = ((try? request.ast.normalized()) ?? request.ast).jsonText
    format = Self.text(request.format).jsonString
    id = request.id.map { UTF8Key(QueryName($0).hash) }
    output = ObjectIdentifier(Output.self)
  }

  // MARK: -

  private static func text(_ format: Format) -> JSONValue {
    let relationships = format.relationships.sorted { TextOrder.utf8($0.name, $1.name) < 0 }
    return .array([
      .bool(format.singular),
      .object(JSONObject(relationships.map { ($0.name, text($0.format)) })),
    ])
  }
}

/// The live queries of a client: those in use, and the views of those that were just released.
@MainActor final class LiveQueries {
  /// How long a view waits for another user.
  static let patience: Duration = .milliseconds(10)

  private struct Weak { weak var value: AnyObject? }
  private struct Kept {
    let view: AnyObject
    let timer: any SchedulerTimer
  }

  private let scheduler: any Scheduler
  private let loop: EventLoop
  private var used: [LiveQueryKey: Weak] = [:]
  private var kept: [LiveQueryKey: Kept] = [:]
  private var isClosed = false

  init(scheduler: any Scheduler, loop: EventLoop) {
    self.scheduler = scheduler
    self.loop = loop
  }

  /// The live query of that key in use; otherwise a new one, on the view that was kept or on one that
  /// `open` makes.
  func query<Output: QueryOutput>(
    _ host: ClientHost, _ request: EngineQuery, open: () throws -> MaterializedView<Output>
  ) throws -> LiveQuery<Output> {
    let key = LiveQueryKey(request, Output.self)
    if let query = used[key]?.value as? LiveQuery<Output> {
      query.ttl = request.ttl
      return query
    }
    let kept = kept.removeValue(forKey: key)
    kept?.timer.cancel()
    let view: MaterializedView<Output>
    if let present = kept?.view as? MaterializedView<Output> {
      view = present
      view.ttl = request.ttl
    } else {
      view = try open()
    }
    let query = LiveQuery(host, request, key, view)
    used[key] = Weak(value: query)
    return query
  }

  /// Takes the view of a live query that nobody uses any more, for another one that may come.
  func keep<Output: QueryOutput>(_ view: MaterializedView<Output>, for key: LiveQueryKey) {
    // Another one may have come before the last user of this one was gone for good.
    if used[key]?.value == nil { used[key] = nil }
    guard !isClosed, !view.isDestroyed, used[key] == nil else { return view.destroy() }
    let timer = scheduler.after(Self.patience) { [weak self, loop] in
      loop.dispatch {
        guard let kept = self?.kept.removeValue(forKey: key) else { return }
        (kept.view as? MaterializedView<Output>)?.destroy()
      }
    }
    kept[key] = Kept(view: view, timer: timer)
  }

  /// Nothing is kept any more.
  func close() {
    isClosed = true
    for kept in kept.values { kept.timer.cancel() }
    kept = [:]
  }
}
