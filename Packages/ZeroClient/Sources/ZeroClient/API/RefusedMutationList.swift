public import Observation
public import ZeroProtocol

/// A mutation that will never take effect.
public struct RefusedMutation: Sendable, Identifiable {
  /// Why it never will.
  public enum Reason: String, Sendable {
    /// The mutator on the server failed.
    case applicationError = "app"
    /// It waited in a client group that the server does not know any more.
    case clientNotFound
    /// It was made on rows that the server says cannot be.
    case storageReset
    /// Its record in the store is unreadable, or one that had to be sent before it is. The server may
    /// have taken it before. Where nothing can be read, ``RefusedMutation/name`` is empty and the
    /// details of the error hold what was stored, in base 64, under `record`.
    case storageDamaged
  }

  /// Names it in ``RefusedMutationList/acknowledge(_:)``.
  public let id: UInt64
  /// The mutator's name.
  public let name: String
  /// The arguments as they were sent; null if there were none.
  public let args: JSONValue
  /// Why it will never take effect.
  public let reason: Reason
  /// The server's error, or what became of the client.
  public let error: ApplicationError
  /// Wall time of the call in milliseconds since 1970.
  public let timestamp: Double
}

/// The mutations that were refused and that the app has not acknowledged: kept in the store until then,
/// over restarts.
@MainActor @Observable public final class RefusedMutationList {
  /// In the order in which they were refused.
  public private(set) var mutations: [RefusedMutation] = []

  @ObservationIgnored private let host: ClientHost
  @ObservationIgnored private var seen: Set<RefusedKey> = []
  @ObservationIgnored private let streams = OpenStreams<RefusedMutation>()

  init(_ host: ClientHost) {
    self.host = host
    host.onPendingChange { [weak self] engine in self?.update(engine) }
  }

  /// Each mutation that is refused from now on, once; first those that wait. Ends with the client.
  public var stream: AsyncStream<RefusedMutation> {
    let stream = streams.open(mutations)
    if host.hasEnded { streams.finish() }
    return stream
  }

  /// Takes a mutation off the list for good.
  public func acknowledge(_ id: UInt64) { host.engine.acknowledgeRefused([id]) }

  /// Takes all mutations off the list, in one change.
  public func acknowledgeAll() { host.engine.acknowledgeRefused(Set(mutations.map(\.id))) }

  // MARK: -

  private func update(_ engine: ClientEngine) {
    // A client that takes over has yet to read what is on the list.
    if engine.isOpen { take(engine.refused.records) }
    if host.hasEnded { streams.finish() }
  }

  private func take(_ records: [RefusedRecord]) {
    guard records.count != mutations.count || records.last?.sequence != mutations.last?.id else {
      return
    }
    mutations = records.map {
      RefusedMutation(
        id: $0.sequence, name: $0.name, args: $0.args,
        reason: RefusedMutation.Reason(rawValue: $0.kind) ?? .applicationError,
        error: ApplicationError($0.message, details: $0.details), timestamp: $0.timestamp)
    }
    for (record, mutation) in zip(records, mutations)
    where seen.insert(RefusedKey(record)).inserted {
      streams.yield(mutation)
    }
  }
}

extension ClientEngine {
  /// Takes refused mutations off the list, in the store too.
  func acknowledgeRefused(_ sequences: Set<UInt64>) {
    loop.dispatch {
      let removed = refused.remove(sequences)
      guard !removed.isEmpty else { return }
      write(ofRefused: true) { transaction in
        for sequence in removed {
          try transaction.delete(DatabaseTable.refused.table, StorageKey.integer(sequence))
        }
      }
      notifyPendingListeners()
    }
  }
}
