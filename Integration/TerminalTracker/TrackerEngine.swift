import IssueTracker
import IssueTrackerClient
import ZeroClient
import ZeroIVM
import ZeroProtocol

/// What the screens of the terminal's issue tracker ask for and do. Knows the client, and nothing of
/// screens.
@MainActor final class TrackerEngine {
  private let zero: Zero<TrackerSession>
  private var list: MaterializedView<[Issue]>?
  private var detail: MaterializedView<Issue?>?
  /// Called after anything that a screen shows may have changed.
  var onChange: @MainActor () -> Void = {}

  /// What is known of a query.
  struct Answer<Value> {
    var value: Value
    var isComplete: Bool
    var error: String?
  }

  init(_ zero: Zero<TrackerSession>) {
    self.zero = zero
    zero.connection.addListener { [weak self] _ in self?.onChange() }
  }

  var connection: String {
    switch zero.connection.state {
    case .connecting(let reason): reason.map { "connecting (\($0))" } ?? "connecting"
    case .connected: "connected"
    case .disconnected: "offline"
    case .needsAuth: "needs another token"
    case .error(let reason): "stopped: \(reason)"
    case .closed: "closed"
    }
  }

  var pendingCount: Int { zero.pending.count }

  /// The newest refusal that was not acknowledged.
  var refusal: String? {
    zero.refusedMutations.mutations.last.map { "\($0.name) was refused: \($0.error.message)" }
  }

  func acknowledgeRefusals() { zero.refusedMutations.acknowledgeAll() }

  /// Lists the issues of a project.
  func openList(project: String) throws {
    list?.destroy()
    let view = try zero.materialize(
      TrackerQueries.issuesByProject(.init(projectId: project, limit: 500)))
    list = view
    view.addListener { [weak self] _ in self?.onChange() }
  }

  var issues: Answer<[Issue]> { answer(list, empty: []) }

  func openDetail(_ id: String) throws {
    detail?.destroy()
    let view = try zero.materialize(TrackerQueries.issueDetail(.init(id: id)))
    detail = view
    view.addListener { [weak self] _ in self?.onChange() }
  }

  func closeDetail() {
    detail?.destroy()
    detail = nil
  }

  var issue: Answer<Issue?> { answer(detail, empty: nil) }

  func rename(_ id: String, to title: String) {
    zero.mutate(TrackerMutators.rename(.init(id: id, title: title)))
    onChange()
  }

  func setStatus(_ id: String, _ status: IssueStatus) {
    zero.mutate(TrackerMutators.setStatus(.init(id: id, status: status)))
    onChange()
  }

  func reconnect() {
    zero.connection.connect()
    zero.connection.networkBecameAvailable()
  }

  func close() async { try? await zero.close().value }

  // MARK: -

  private func answer<Output: QueryOutput>(
    _ view: MaterializedView<Output>?, empty: Output
  ) -> Answer<Output> {
    guard let view else { return Answer(value: empty, isComplete: false, error: nil) }
    return Answer(
      value: view.data, isComplete: view.resultType == .complete,
      error: view.error.map { "\($0)" })
  }
}
