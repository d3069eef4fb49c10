import BenchKit
import Synchronization
import ZeroProtocol

/// A provider whose stores count the time that write transactions take.
final class TimedStoreProvider: StoreProvider {
  private let base: any StoreProvider
  private let total = Mutex(Duration.zero)

  init(_ base: any StoreProvider) { self.base = base }

  /// Milliseconds of all write transactions since the last call.
  func takeMilliseconds() -> Double {
    total.withLock { total in
      defer { total = .zero }
      return total.seconds * 1000
    }
  }

  func open(_ name: String, tables: [String]) throws(StoreError) -> any Store {
    TimedStore(base: try base.open(name, tables: tables), provider: self)
  }

  func list() throws(StoreError) -> [String] { try base.list() }

  func drop(_ name: String) throws(StoreError) { try base.drop(name) }

  private func add(_ time: Duration) { total.withLock { $0 += time } }

  private struct TimedStore: Store {
    let base: any Store
    let provider: TimedStoreProvider

    var durability: StoreDurability { base.durability }
    var maxKeyBytes: Int { base.maxKeyBytes }

    func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result {
      try base.read(body)
    }

    func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
      let start = ContinuousClock.now
      defer { provider.add(ContinuousClock.now - start) }
      return try base.write(body)
    }

    func sync() throws(StoreError) { try base.sync() }

    func close() { base.close() }
  }
}
