import Synchronization
public import ZeroProtocol

/// Makes a store fail on demand: wraps any provider and throws the errors a test has planned.
///
///     let faults = StoreFaults()
///     let provider = FaultyStoreProvider(MemoryStoreProvider(), faults: faults)
///     faults.plan(.commit, .full, after: 2)   // the third commit fails, once
public struct FaultyStoreProvider: StoreProvider {
  private let wrapped: any StoreProvider
  private let faults: StoreFaults

  public init(_ wrapped: any StoreProvider, faults: StoreFaults) {
    self.wrapped = wrapped
    self.faults = faults
  }

  public func open(_ name: String, tables: [String]) throws(StoreError) -> any Store {
    try faults.strike(.open, name)
    return FaultyStore(
      wrapped: try wrapped.open(name, tables: tables), name: name, faults: faults)
  }

  public func list() throws(StoreError) -> [String] {
    try faults.strike(.list, "")
    return try wrapped.list()
  }

  public func drop(_ name: String) throws(StoreError) {
    try faults.strike(.drop, name)
    try wrapped.drop(name)
  }
}

/// The failures a test has planned, shared by all stores of a ``FaultyStoreProvider``.
public final class StoreFaults: Sendable {
  /// Where a failure strikes.
  public enum Operation: Hashable, Sendable {
    case open, list, drop, read, write, get, scan, put, delete, sync
    /// After the closure of a write has returned and before anything is committed.
    case commit
  }

  private struct Plan {
    var error: StoreError
    var skip: Int
    var times: Int
  }

  private struct State {
    var plans: [Operation: [Plan]] = [:]
    var counts: [Operation: Int] = [:]
  }

  private let state = Mutex(State())

  public init() {}

  /// Plans a failure.
  /// - Parameters:
  ///   - code: the kind of error thrown.
  ///   - skip: how many calls still succeed before it.
  ///   - times: how many calls fail then; nil for all.
  public func plan(
    _ operation: Operation, _ code: StoreError.Code, after skip: Int = 0, times: Int? = 1
  ) {
    plan(
      operation, StoreError(code, message: "a planned failure of \(operation)"), after: skip,
      times: times)
  }

  /// Plans a failure with a whole error, for instance a `corrupt` with a path.
  public func plan(
    _ operation: Operation, _ error: StoreError, after skip: Int = 0, times: Int? = 1
  ) {
    state.withLock {
      $0.plans[operation, default: []].append(
        Plan(error: error, skip: skip, times: times ?? .max))
    }
  }

  /// Forgets every plan.
  public func clear() { state.withLock { $0.plans = [:] } }

  /// How often `operation` was tried, failed tries included.
  public func count(_ operation: Operation) -> Int {
    state.withLock { $0.counts[operation, default: 0] }
  }

  /// Counts a call and throws if it is planned to fail. Plans of one operation are used up in order.
  func strike(_ operation: Operation, _ database: String) throws(StoreError) {
    let error = state.withLock { state -> StoreError? in
      state.counts[operation, default: 0] += 1
      guard var plan = state.plans[operation]?.first else { return nil }
      if plan.skip > 0 {
        plan.skip -= 1
        state.plans[operation]?[0] = plan
        return nil
      }
      plan.times -= 1
      if plan.times > 0 {
        state.plans[operation]?[0] = plan
      } else {
        state.plans[operation]?.removeFirst()
      }
      return plan.error
    }
    guard let error else { return }
    throw StoreError(
      error.code, database: error.database.isEmpty ? database : error.database,
      message: error.message, underlyingCode: error.underlyingCode,
      setAsidePath: error.setAsidePath, record: error.record)
  }
}

private final class FaultyStore: Store {
  private let wrapped: any Store
  private let name: String
  private let faults: StoreFaults

  init(wrapped: any Store, name: String, faults: StoreFaults) {
    self.wrapped = wrapped
    self.name = name
    self.faults = faults
  }

  var durability: StoreDurability { wrapped.durability }
  var maxKeyBytes: Int { wrapped.maxKeyBytes }

  func read<Result>(_ body: (any StoreSnapshot) throws -> Result) throws -> Result {
    try faults.strike(.read, name)
    return try wrapped.read { try body(FaultySnapshot($0, nil, name, faults)) }
  }

  func write<Result>(_ body: (any StoreTransaction) throws -> Result) throws -> Result {
    try faults.strike(.write, name)
    return try wrapped.write { transaction in
      let result = try body(FaultySnapshot(transaction, transaction, name, faults))
      try faults.strike(.commit, name)
      return result
    }
  }

  func sync() throws(StoreError) {
    try faults.strike(.sync, name)
    try wrapped.sync()
  }

  func close() { wrapped.close() }
}

/// A snapshot, or a transaction if `transaction` is there.
private final class FaultySnapshot: StoreTransaction {
  private let snapshot: any StoreSnapshot
  private let transaction: (any StoreTransaction)?
  private let name: String
  private let faults: StoreFaults

  init(
    _ snapshot: any StoreSnapshot, _ transaction: (any StoreTransaction)?, _ name: String,
    _ faults: StoreFaults
  ) {
    self.snapshot = snapshot
    self.transaction = transaction
    self.name = name
    self.faults = faults
  }

  func get<Result>(
    _ table: StoreTable, _ key: RawSpan, _ body: (RawSpan?) throws -> Result
  ) throws -> Result {
    try faults.strike(.get, name)
    return try snapshot.get(table, key, body)
  }

  func scan(
    _ table: StoreTable, prefix: RawSpan, after: RawSpan?,
    _ body: (_ key: RawSpan, _ value: RawSpan) throws -> Bool
  ) throws {
    try faults.strike(.scan, name)
    try snapshot.scan(table, prefix: prefix, after: after, body)
  }

  func put(_ table: StoreTable, _ key: RawSpan, _ value: RawSpan) throws(StoreError) {
    try faults.strike(.put, name)
    try writable().put(table, key, value)
  }

  func delete(_ table: StoreTable, _ key: RawSpan) throws(StoreError) {
    try faults.strike(.delete, name)
    try writable().delete(table, key)
  }

  func deletePrefix(_ table: StoreTable, _ prefix: RawSpan) throws(StoreError) {
    try faults.strike(.delete, name)
    try writable().deletePrefix(table, prefix)
  }

  private func writable() throws(StoreError) -> any StoreTransaction {
    if let transaction { return transaction }
    throw StoreError(.misuse, database: name, message: "a change was made in a read; use a write")
  }
}
