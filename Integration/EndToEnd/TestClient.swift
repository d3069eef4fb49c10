import IssueTracker
public import IssueTrackerClient
public import ZeroClient
public import ZeroProtocol
import ZeroStoreLMDB
import ZeroStoreMemory
import ZeroStoreSQLite
import ZeroTransportCurl

/// Where a client keeps its rows.
public enum ClientStorage: String, Sendable, CaseIterable {
  case memory, sqlite, lmdb

  /// - Parameter directory: not used by `memory`.
  public func provider(_ directory: String) -> any StoreProvider {
    switch self {
    case .memory: MemoryStoreProvider()
    case .sqlite: SQLiteStoreProvider(directory: directory)
    case .lmdb: LMDBStoreProvider(directory: directory)
    }
  }
}

/// A client of the issue tracker with a network that can be switched off.
@MainActor public final class TestClient {
  public let zero: Zero<TrackerSession>
  public let network = NetworkSwitch()

  /// - Parameters:
  ///   - url: of zero-cache or the development server.
  ///   - isOnline: whether the network is there from the start.
  /// - Throws: what is wrong with the options.
  public init(
    url: String, userID: String?, token: String?, storage: ClientStorage = .memory,
    directory: String = "", storageKey: String = "", isOnline: Bool = true
  ) throws {
    network.isOn = isOnline
    var options = ZeroOptions(
      cacheURL: url, storage: storage.provider(directory),
      transport: SwitchedSocketFactory(CurlSocketFactory(), network))
    options.storageKey = storageKey
    options.logSink = nil
    options.offlineWrites = .queue(limit: 100_000)
    zero = try Zero(
      schema: .issueTracker, userID: userID, auth: token, context: TrackerSession(userID: userID),
      mutators: TrackerMutators.all, options: options)
  }

  /// Waits until a view holds what is expected.
  /// - Throws: ``CheckFailure`` when that takes too long.
  public func wait<Output>(
    _ view: MaterializedView<Output>, _ what: String, until isMet: (Output) -> Bool
  ) async throws {
    try await eventually(what) { isMet(view.data) }
  }

  /// Waits until the connection is in a state.
  public func wait(for state: ConnectionState.Name) async throws {
    try await eventually("the connection is \(state.rawValue)") {
      zero.connection.state.name == state
    }
  }

  /// Closes and waits until everything is in the store.
  public func close() async throws { try await zero.close().value }
}

/// Something that was to be true is not.
public struct CheckFailure: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}

/// Waits until a condition is met, looking every few milliseconds. The time limit is not what is
/// checked: it is so long that only what hangs reaches it, also on a machine that is busy.
/// - Throws: ``CheckFailure`` when that takes longer than `seconds`.
@MainActor
public func eventually(
  _ what: String, within seconds: Double = 120, _ isMet: () throws -> Bool
) async throws {
  let clock = ContinuousClock()
  let end = clock.now + .seconds(seconds)
  while true {
    if try isMet() { return }
    guard clock.now < end else { throw CheckFailure("after \(seconds) s still not so: \(what)") }
    try await Task.sleep(for: .milliseconds(3))
  }
}

/// - Throws: ``CheckFailure`` unless the condition is met.
public func expect(_ isMet: Bool, _ what: String) throws {
  if !isMet { throw CheckFailure("not so: \(what)") }
}
