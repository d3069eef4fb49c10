@_spi(Engine) import ZeroProtocol

extension ClientEngine {
  /// Opens the database in the background; everything that needs it waits.
  func openStorage() {
    let request = DatabaseRequest(
      name: databaseName, baseName: baseName, schemaVersion: schemaVersion, clientID: clientID,
      newProfileID: environment.ids.profileID(), newGroupID: environment.ids.clientID(),
      mutatorNames: mutators.keys.map(\.string).sorted { TextOrder.utf8($0, $1) < 0 },
      now: scheduler.wallTime, tables: options.schema.tables)
    let provider = environment.storage
    let (executor, loop) = (environment.executor, loop)
    loop.closing.whenClosed(databaseName) { [weak self] in
      guard let client = self else { return }
      if let closing = client.closing { return client.closed(closing) }
      client.isStorageAskedFor = true
      loop.closing.beginOpening(request.name)
      executor.run {
        OpenedStorage.open(provider, request)
      } completion: { [weak self] storage in
        loop.closing.endOpening(request.name)
        guard let self else { return storage.store.close() }
        loop.dispatch { self.storageOpened(storage) }
      }
    }
  }

  /// The longest key of the store.
  var maxKeyBytes: Int { storage?.maxKeyBytes ?? 511 }

  /// Queues a change for the store. `completion` gets nil when it is committed.
  /// - Parameter isOfRefused: whether it concerns only the list of refused mutations. Once the database
  ///   was reset, nothing else is written: what this client holds does not begin from nothing.
  func write(
    ofRefused isOfRefused: Bool = false, _ job: @escaping StorageWriter.Job,
    completion: (@MainActor (StoreError?) -> Void)? = nil
  ) {
    if let writer, isOfRefused || !isDatabaseReset {
      writer.write(job, completion: completion)
    } else if let completion {
      let error = StorageWriter.closedError(databaseName)
      loop.microtask { completion(error) }
    }
  }

  /// The group of this client is not to be used any more, by anyone.
  func disableGroup(_ completion: @escaping @MainActor () -> Void) {
    isGroupDisabled = true
    refusePendingOfUnknownGroup()
    guard let writer, var group = lifecycle?.ownGroup else { return loop.microtask(completion) }
    group.isDisabled = true
    lifecycle?.ownGroup = group
    let (record, groupID) = (group, groupID)
    writer.write { transaction in
      try transaction.put(DatabaseTable.groups.table, StorageKey.text(groupID), record.stored)
    } completion: { _ in
      completion()
    }
  }

  /// Nothing of this group is sent any more: the app decides about what is pending.
  func refusePendingOfUnknownGroup() {
    if isDatabaseReset {
      refusePending(.storageReset, "the server refuses the state that the mutation was made on")
    } else {
      refusePending(.clientNotFound, "the server does not know the client group any more")
    }
  }

  /// Empties the database: what the server says contradicts what it holds.
  ///
  /// What was pending moves to the list of refused mutations in the same transaction, and the store
  /// stays open for what is still refused until a new client takes over: at no moment is a mutation in
  /// memory only that was in the store.
  func resetDatabase(_ completion: @escaping @MainActor () -> Void) {
    isGroupDisabled = true
    isDatabaseReset = true
    lifecycle?.stop()
    refusePendingOfUnknownGroup()
    guard let writer else { return loop.microtask(completion) }
    let records = refused.records
    writer.write { transaction in
      try Self.reset(transaction, keeping: records)
    } completion: { [weak self] error in
      guard let self, error != nil else { return completion() }
      resetAnew(completion)
    }
  }

  /// Empties a database whose writer has failed.
  ///
  /// If that fails too and mutations were refused, everything stays as it was: the next client finds
  /// them pending, and the server refuses them again.
  private func resetAnew(_ completion: @escaping @MainActor () -> Void) {
    guard let writer else { return loop.microtask(completion) }
    self.writer = nil
    // The next client waits, also if this one is closed before.
    loop.closing.begin(databaseName)
    let (provider, name, records, log) = (
      environment.storage, databaseName, refused.records, log
    )
    writer.close { [environment, loop] in
      environment.executor.run {
        Result {
          guard !records.isEmpty else { return try Catalog(provider: provider).drop(name) }
          let store = try provider.open(name, tables: DatabaseTable.names)
          defer { store.close() }
          try store.write { try Self.reset($0, keeping: records) }
        }
      } completion: { result in
        loop.dispatch {
          if case .failure(let error) = result {
            log.error("the database cannot be emptied: \(error)")
          }
          loop.closing.end(name)
          completion()
        }
      }
    }
  }

  /// Stops writing: from now on memory is ahead of the store for good.
  func storageFailed(_ error: StoreError) {
    log.error("\(error)")
    guard !isStorageFailed else { return }
    isStorageFailed = true
    options.onStorageFailure(error)
  }

  /// Tells the app of records that could not be read. Everything else is written as before.
  private func report(_ repair: StoreError) {
    log.error("\(repair)")
    options.onStorageFailure(repair)
  }

  // MARK: -

  private func storageOpened(_ storage: OpenedStorage) {
    let contents = storage.contents
    self.storage = storage.store
    isStorageFallback = storage.isFallback
    profileID = contents.profileID
    groupID = contents.groupID
    let writer = StorageWriter(
      store: storage.store, executor: environment.executor, loop: loop
    ) { [weak self] in self?.storageFailed($0) }
    self.writer = writer
    if let closing {
      clientGroupID.succeed(groupID)
      return finishClosing(writer, closing)
    }
    for failure in storage.failures { storageFailed(failure) }
    // The app may have closed the client when it heard of a failure.
    if closing != nil { return clientGroupID.succeed(groupID) }
    if !storage.failures.isEmpty && !storage.isFallback { isStorageFailed = false }
    for repair in contents.repairs { report(repair) }
    clientGroupID.succeed(groupID)
    let failure = restore(contents)
    lifecycle = ClientLifecycle(self, contents)
    if let failure { dropStoredRows(failure) }
    isOpen = true
    let waiting = whenOpen
    whenOpen = []
    for body in waiting { loop.microtask(body) }
    runQueuedMutations()
    notifyPendingListeners()
    findUnsentMutations(storage)
  }

  /// Shows what was stored: the server's rows with what pending mutations predict over them.
  /// - Returns: why the stored rows are none that can be loaded; then there are none, and no cookie.
  private func restore(_ contents: DatabaseContents) -> (any Error)? {
    server.cookie = contents.group.cookie
    server.lastMutationIDs = Dictionary(
      uniqueKeysWithValues: contents.lastMutationIDs.map { (UTF8Key($0), $1) })
    server.got = Set(contents.got.map { UTF8Key($0) })
    queries.restoreGot(contents.got)
    refused.restore(contents.refused)
    pending = contents.pending
    nextSequence = 1 + (pending.map(\.sequence).max() ?? 0)
    var failure: (any Error)?
    do {
      // Views that were opened before show everything at once, in one round of notifications.
      try showChange(detaching: true) {
        do {
          try rows.load(contents.rows)
        } catch {
          failure = error
          rows.reset()
          server.cookie = nil
          server.got = []
          queries.forgetGot()
        }
        if !pending.isEmpty {
          let writes = rows.writesOnShown()
          try replay(pending, writes, server)
          try rows.show(writes)
        }
      }
    } catch {
      log.error("the stored rows cannot be shown: \(error)")
    }
    return failure
  }

  /// Has the server send all rows again.
  private func dropStoredRows(_ cause: any Error) {
    guard var group = lifecycle?.ownGroup else { return }
    group.cookie = nil
    lifecycle?.ownGroup = group
    let (record, groupID) = (group, groupID)
    write { transaction in
      try DatabaseMending.deleteRows(of: groupID, transaction)
      try transaction.put(DatabaseTable.groups.table, StorageKey.text(groupID), record.stored)
    }
    log.error("the stored rows are not a set of rows: \(cause)")
    report(
      StoreError(
        .corrupt, database: databaseName,
        message: "two stored rows have one key; \(StorageDamage.Remedy.resync.rawValue)"))
  }

  /// Deletes what the database holds, but not the mutations that were refused.
  nonisolated private static func reset(
    _ transaction: any StoreTransaction, keeping refused: [RefusedRecord]
  ) throws {
    for table in [DatabaseTable.clients, .groups, .lmids, .deleted, .rows, .got, .pending] {
      try transaction.deletePrefix(table.table, [])
    }
    for record in refused {
      try transaction.put(
        DatabaseTable.refused.table, StorageKey.integer(record.sequence), record.stored)
    }
  }

  /// What is pending will not be sent by this group: the app decides.
  private func refusePending(_ reason: RefusedMutation.Reason, _ message: String) {
    let known = Set(refused.records.map(RefusedKey.init))
    let new = pending.filter { !known.contains(RefusedKey($0)) }
    guard !new.isEmpty else { return }
    let records = new.map {
      refused.record($0, reason, message: message, details: nil)
    }
    refused.add(records)
    write(ofRefused: true) { transaction in
      for record in records {
        try transaction.put(
          DatabaseTable.refused.table, StorageKey.integer(record.sequence), record.stored)
      }
    }
    notifyPendingListeners()
  }
}
