public import Observation
import ZeroProtocol

/// The mutations that the server has not confirmed, observable.
@MainActor @Observable public final class PendingMutations {
  /// What is being done about them.
  public enum Activity: Sendable, Equatable {
    /// There are none.
    case idle
    /// They are sent and wait for the server's word.
    case sending
    /// They wait for a connection. `until` is when the next attempt begins, in milliseconds of wall time,
    /// if that is known.
    case waiting(reason: String, until: Double?)
    /// Nothing is sent before something changes: a token, an update, or the app calls `connect`.
    case blocked(reason: String)
  }

  /// How far ``flush(until:)`` waits.
  public enum Goal: Sendable {
    /// On stable storage.
    case stored
    /// Confirmed by the server.
    case confirmed
  }

  /// How many there are, with those that wait from earlier processes.
  public private(set) var count = 0
  /// Wall time of the call of the oldest, in milliseconds since 1970.
  public private(set) var oldestTimestamp: Double?
  /// What is being done about them. Follows the connection, too.
  public private(set) var activity = Activity.idle

  @ObservationIgnored private let host: ClientHost
  @ObservationIgnored private var waiting: [(mutations: Set<PendingID>, result: Deferred<Void>)] =
    []
  /// Those that wait for mutations to run.
  @ObservationIgnored private var unready: [ObjectIdentifier: Deferred<Void>] = [:]

  private struct PendingID: Hashable {
    let client: UTF8Key
    let id: Int
  }

  init(_ host: ClientHost) {
    self.host = host
    host.onPendingChange { [weak self] engine in self?.update(engine) }
  }

  isolated deinit {
    for entry in waiting { entry.result.fail(ClientEngine.closedError) }
    for result in unready.values { result.fail(ClientEngine.closedError) }
  }

  /// Milliseconds since the oldest was called, at this moment.
  public var oldestAge: Double? { oldestTimestamp.map { host.engine.scheduler.wallTime - $0 } }

  /// Waits until everything that is pending now has got there.
  /// - Returns: fails if the store cannot be written; for `confirmed`, if the client closes before, or
  ///   the server does not know it any more.
  public func flush(until goal: Goal) -> Deferred<Void> {
    let engine = host.engine
    switch goal {
    case .stored: return engine.flush()
    case .confirmed:
      let result = Deferred<Void>(engine.loop)
      engine.turn {
        unready[ObjectIdentifier(result)] = result
        // What was called before and has yet to run is pending then.
        engine.afterMutations { [weak self] engine in
          guard let self, unready.removeValue(forKey: ObjectIdentifier(result)) != nil else {
            return
          }
          guard let engine, engine.isOpen else { return result.fail(ClientEngine.closedError) }
          waiting.append((ids(engine), result))
          settle(engine)
        }
      }
      return result
    }
  }

  // MARK: -

  private func ids(_ engine: ClientEngine) -> Set<PendingID> {
    Set(engine.pending.map { PendingID(client: UTF8Key($0.clientID), id: $0.id) })
  }

  private func update(_ engine: ClientEngine) {
    // Observers hear of every assignment, also of an equal value.
    let (count, oldest) = (engine.pending.count, engine.pending.first?.timestamp)
    if count != self.count { self.count = count }
    if oldest != oldestTimestamp { oldestTimestamp = oldest }
    let activity = Self.activity(engine)
    if activity != self.activity { self.activity = activity }
    settle(engine)
  }

  private func settle(_ engine: ClientEngine) {
    guard !waiting.isEmpty, engine.isOpen else { return }
    let present = ids(engine)
    let unsent = Set(
      engine.refused.records.lazy.filter {
        $0.kind != RefusedMutation.Reason.applicationError.rawValue
      }
      .map { PendingID(client: UTF8Key($0.clientID), id: $0.id) })
    let isEnd = engine.isClosed && !engine.leavesQueriesOpen
    waiting.removeAll { mutations, result in
      if !mutations.isDisjoint(with: unsent) {
        result.fail(
          ZeroError.client(
            ClientError(
              .offline, "the server does not know the client any more; see the refused mutations")))
      } else if mutations.isDisjoint(with: present) {
        result.succeed()
      } else if isEnd {
        result.fail(ClientEngine.closedError)
      } else {
        return false
      }
      return true
    }
  }

  private static func activity(_ engine: ClientEngine) -> Activity {
    guard !engine.pending.isEmpty else { return .idle }
    if engine.isGroupDisabled {
      return .blocked(reason: "the server does not know the client group any more")
    }
    switch engine.connectionState {
    case .connected: return .sending
    case .connecting(let reason):
      return .waiting(reason: reason ?? "connecting", until: nextAttempt(engine))
    case .disconnected(let reason):
      guard engine.serverURL != nil else { return .blocked(reason: reason) }
      return .waiting(reason: reason, until: nextAttempt(engine))
    case .needsAuth:
      return .blocked(reason: engine.manager.state.reason?.message ?? "the token is refused")
    case .error(let reason), .closed(let reason): return .blocked(reason: reason)
    }
  }

  private static func nextAttempt(_ engine: ClientEngine) -> Double? {
    engine.runLoop.retryAt.map {
      engine.scheduler.wallTime + max(0, $0 - engine.scheduler.monotonicTime)
    }
  }
}
