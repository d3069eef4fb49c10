public import ZeroProtocol

/// The databases that clients keep with a storage provider, for when there is no client: to clear up
/// after a user who left, for instance. ``Zero/delete()`` is for one that is there.
///
/// Work is done in the background. A database is not deleted while a client has it open, in this process
/// or another; close that client first. One that is just closing in this process is waited for.
@MainActor public struct ZeroStorage {
  private let provider: any StoreProvider
  private let loop: EventLoop
  private let executor: any StorageExecutor

  /// - Parameter provider: as in ``ZeroOptions/storage``, on the same folder.
  public init(_ provider: any StoreProvider) {
    self.init(provider, loop: .shared, executor: QueueStorageExecutor(label: "zero.storage.drop"))
  }

  init(_ provider: any StoreProvider, loop: EventLoop, executor: any StorageExecutor) {
    self.provider = provider
    self.loop = loop
    self.executor = executor
  }

  /// Names of the databases of clients, of all users and schemas, sorted; see ``Zero/databaseName``.
  /// - Returns: fails with `ZeroError.storage` if they cannot be listed.
  public func databaseNames() -> Deferred<[String]> {
    run { provider in
      try provider.list().filter { $0.utf8.starts(with: DatabaseName.prefix.utf8) }
    }
  }

  /// Deletes one database, with the mutations that wait in it. One that does not exist is fine.
  /// - Returns: done when it is gone; fails with `ZeroError.storage`, of code `lockedInProcess` or
  ///   `lockedByAnotherProcess` while a client has it open.
  public func drop(named name: String) -> Deferred<Void> {
    let result = Deferred<Void>(loop)
    drop(name) { result.settle($0) }
    return result
  }

  /// Deletes all databases of clients, one after the other. One that cannot be deleted does not stop the
  /// others; it is in the report.
  /// - Returns: fails with `ZeroError.storage` if the databases cannot be listed.
  public func dropAll() -> Deferred<DeletionReport> {
    let result = Deferred<DeletionReport>(loop)
    databaseNames().onSettled { names in
      switch names {
      case .success(let names): dropAll(names[...], DeletionReport(), result)
      case .failure(let error): result.fail(error)
      }
    }
    return result
  }

  // MARK: -

  private func dropAll(
    _ names: ArraySlice<String>, _ report: DeletionReport, _ result: Deferred<DeletionReport>
  ) {
    guard let name = names.first else { return result.succeed(report) }
    drop(name) { outcome in
      var report = report
      switch outcome {
      case .success: report.deleted.append(name)
      case .failure(let error):
        report.errors.append((name, StoreError(wrapping: error, database: name)))
      }
      dropAll(names.dropFirst(), report, result)
    }
  }

  private func drop(
    _ name: String, _ completion: @escaping @MainActor (Result<Void, any Error>) -> Void
  ) {
    loop.dispatch {
      loop.closing.whenClosed(name) {
        // Clients that open it meanwhile wait until it is gone.
        guard loop.closing.hold(name) else {
          return completion(
            .failure(
              StoreError(
                .lockedInProcess, database: name,
                message: "a client of this process is opening it; close the client first")))
        }
        run { provider in
          try Catalog(provider: provider).drop(name)
        }.onSettled { outcome in
          loop.closing.release(name)
          completion(outcome)
        }
      }
    }
  }

  private func run<Value: Sendable>(
    _ job: @escaping @Sendable (any StoreProvider) throws -> Value
  ) -> Deferred<Value> {
    let (provider, result) = (provider, Deferred<Value>(loop))
    loop.dispatch {
      executor.run {
        Result { try job(provider) }
      } completion: { outcome in
        loop.dispatch { result.settle(outcome) }
      }
    }
    return result
  }
}
