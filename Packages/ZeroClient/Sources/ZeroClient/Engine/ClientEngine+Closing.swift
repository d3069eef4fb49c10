@_spi(Engine) public import ZeroProtocol

/// Which databases were deleted, and what stood in the way.
public struct DeletionReport: Sendable {
  /// Names of the databases that are gone.
  public var deleted: [String] = []
  /// Failures by database; one does not stop the others.
  public var errors: [(database: String, error: StoreError)] = []
}

extension ClientEngine {
  /// The message of the state `closed`.
  static let closedMessage = "Zero was explicitly closed by calling zero.close()"

  /// Why what waits for a client that is closed fails.
  static var closedError: ZeroError { .client(ClientError(.clientClosed, closedMessage)) }

  /// Stops everything and closes the store after all that was queued for it.
  ///
  /// Closing twice is one closing.
  public func close() -> Deferred<Void> {
    loop.dispatch {
      if let closing { return closing }
      let closing = Deferred<Void>(loop)
      self.closing = closing
      if isStorageAskedFor { loop.closing.begin(databaseName) }
      if !manager.isDisconnected {
        disconnect(
          .client(ClientError(.clientClosed, Self.closedMessage)), code: 1000)
      } else {
        // Attempts go on in this state.
        attempt?.finish(Self.closedError)
        attempt = nil
        session?.close(code: 1000)
        session = nil
      }
      laterPush?.cancel()
      runLoop.stop()
      visibility.stop()
      lifecycle?.stop()
      queries.stop()
      if !isOpen { dropQueuedMutations() }
      if let writer {
        finishClosing(writer, closing)
      } else if isOpen {
        closed(closing)
      } else {
        // Whoever waits for the end is told when storage is there, also if this client is released.
        closing.onSettled { [self] _ in withExtendedLifetime(self) {} }
      }
      return closing
    }
  }

  /// Closes, then deletes all databases of this user and storage key, whatever their schema.
  public func delete() -> Deferred<DeletionReport> {
    loop.dispatch {
      let report = Deferred<DeletionReport>(loop)
      let (provider, baseName) = (environment.storage, baseName)
      // A client that is made now waits until the databases are gone, if it is for one like this.
      let isOpening = isStorageAskedFor
      if isOpening { loop.closing.begin(databaseName) }
      close().onSettled { [environment, loop, databaseName] _ in
        environment.executor.run {
          Self.drop(baseName, provider)
        } completion: { result in
          loop.dispatch {
            if isOpening { loop.closing.end(databaseName) }
            report.succeed(result)
          }
        }
      }
      return report
    }
  }

  /// Completes when everything queued for the store before is on stable storage, with the mutations
  /// that were called before.
  public func flush() -> Deferred<Void> {
    loop.dispatch {
      let result = Deferred<Void>(loop)
      afterMutations { engine in
        guard let writer = engine?.writer else { return result.succeed() }
        writer.sync { error in
          if let error { result.fail(error) } else { result.succeed() }
        }
      }
      return result
    }
  }

  // MARK: -

  func finishClosing(_ writer: StorageWriter, _ closing: Deferred<Void>) {
    // Mutations called before in this turn are still to be run and stored.
    if isRunningMutations {
      return loop.microtask { [self] in finishClosing(writer, closing) }
    }
    // Also if this client is released meanwhile: much may wait for its end.
    writer.close { [self] in closed(closing) }
  }

  func closed(_ closing: Deferred<Void>) {
    if isStorageAskedFor { loop.closing.end(databaseName) }
    manager.closed()
    closing.succeed()
    clientGroupID.fail(Self.closedError)
    let waiting = whenOpen
    whenOpen = []
    for body in waiting { body() }
  }

  /// Settles mutations that waited for storage and will not run.
  private func dropQueuedMutations() {
    while let mutation = queuedMutations.popFirst() {
      mutation.call.settle(.zeroError(Self.closedError))
    }
  }

  nonisolated private static func drop(
    _ baseName: String, _ provider: any StoreProvider
  ) -> DeletionReport {
    var report = DeletionReport()
    let catalog = Catalog(provider: provider)
    do {
      for entry in try catalog.entries() where entry.baseName.utf8.elementsEqual(baseName.utf8) {
        do {
          try catalog.drop(entry.name)
          report.deleted.append(entry.name)
        } catch {
          report.errors.append((entry.name, StoreError(wrapping: error, database: entry.name)))
        }
      }
    } catch {
      report.errors.append((Catalog.name, StoreError(wrapping: error, database: Catalog.name)))
    }
    return report
  }
}

extension StoreError {
  /// A store's error as it is; anything else as a failure of the database.
  init(wrapping error: any Error, database: String) {
    switch error {
    case let error as StoreError: self = error
    case ZeroError.storage(let error): self = error
    default: self.init(.io, database: database, message: "the database failed: \(error)")
    }
  }
}
