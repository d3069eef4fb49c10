@_spi(Engine) public import ZeroProtocol

extension ClientEngine {
  /// Calls a mutator. It runs in a later microtask, after those called before.
  /// - Parameter args: nil for a mutator without arguments.
  /// - Throws: ``UnregisteredMutatorError``.
  public func mutate(_ name: String, _ args: JSONValue?) throws -> EngineMutation {
    guard let definition = mutators[UTF8Key(name)] else {
      throw UnregisteredMutatorError(name: name)
    }
    return loop.dispatch {
      let call = EngineMutation(loop)
      if let refusal = refusal(of: name, args) {
        log.warn("mutation \(name) is refused: \(refusal.message)")
        call.settle(.zeroError(refusal))
        return call
      }
      // Of outcomes that settle together, errors are heard of after successes.
      let ephemeralID = tracker.track { [weak self] outcome in
        self?.afterMicrotasks(outcome.isSuccess ? 1 : 2) { call.server.succeed(outcome) }
      }
      queuedMutations.append(
        QueuedMutation(
          definition: definition, args: args, wallTime: scheduler.wallTime,
          monotonicTime: scheduler.monotonicTime, ephemeralID: ephemeralID, call: call))
      runQueuedMutations()
      return call
    }
  }

  /// Calls `body` when every mutation that was called before has run, or will not because the client
  /// was closed. The client may be gone then, too.
  func afterMutations(_ body: @escaping @MainActor (ClientEngine?) -> Void) {
    afterOpen { [weak self, loop] in
      // Each mutation queues the next, so that none is left at the end of the turn.
      loop.atEndOfTurn { body(self) }
    }
  }

  /// Runs what waits, one mutation after the other, if storage is open.
  func runQueuedMutations() {
    guard isOpen, !isRunningMutations, !queuedMutations.isEmpty else { return }
    isRunningMutations = true
    loop.microtask { [weak self] in self?.runNextMutation() }
  }

  // MARK: -

  private func refusal(of name: String, _ args: JSONValue?) -> ZeroError? {
    if let gate { return gate }
    if case .queue(let limit) = options.offlineWrites, !manager.isConnected,
      pending.count + queuedMutations.count >= limit
    {
      return .client(
        ClientError(
          .offline,
          "\(limit) mutations wait for the connection already; \(name) is not accepted before some "
            + "of them are sent"))
    }
    if let args, args.jsonText.count > MessageSize.limit {
      return .client(
        ClientError(
          .invalidMessage,
          "the arguments of \(name) exceed the server's limit of \(MessageSize.limit) bytes for a "
            + "message; store large data elsewhere and pass a reference"))
    }
    if let args, args.hasMoreLevels(than: MessageSize.argumentLevels) {
      return .client(
        ClientError(
          .invalidMessage,
          "the arguments of \(name) have more than \(MessageSize.argumentLevels) levels of arrays and "
            + "objects inside each other, which cannot be read again; pass them in a flatter form"))
    }
    return nil
  }

  private func runNextMutation() {
    guard let mutation = queuedMutations.popFirst() else {
      isRunningMutations = false
      return
    }
    let hasRun = run(mutation)
    // The next one runs after both outcomes of a failed one were heard of.
    afterMicrotasks(hasRun ? 1 : 5) { [weak self] in self?.runNextMutation() }
  }

  /// - Returns: false if it failed.
  private func run(_ mutation: QueuedMutation) -> Bool {
    let name = mutation.definition.name
    let id = nextMutationID
    tracker.assign(mutation.ephemeralID, mutationID: id)
    let writes = rows.writesOnShown()
    do {
      try mutation.definition.run(
        mutation.args, on: writes, schema: options.schema, clientID: clientID, mutationID: id,
        reason: .optimistic, token: token)
    } catch {
      let outcome = MutationOutcome.applicationError(ApplicationError(wrapping: error))
      log.error("mutation \(name) failed: \(error)")
      tracker.settle(mutation.ephemeralID, outcome)
      // The server's outcome is heard of first.
      afterMicrotasks(3) { mutation.call.client.succeed(outcome) }
      mutation.call.persisted.fail(error)
      return false
    }
    let record = PendingMutation(
      sequence: nextSequence, clientID: clientID, id: id, name: name, args: mutation.args ?? .null,
      timestamp: mutation.wallTime, monotonicTime: mutation.monotonicTime)
    nextSequence += 1
    pending.append(record)
    do {
      try showChange { try rows.show(writes) }
    } catch {
      log.error("mutation \(name) could not be shown: \(error)")
    }
    if isDatabaseReset {
      refusePendingOfUnknownGroup()
      write(ofRefused: true, { _ in }) { Self.settle(mutation.call.persisted, $0) }
    } else {
      store(record, mutation.call.persisted)
      if isGroupDisabled { refusePendingOfUnknownGroup() }
    }
    requestPush()
    notifyPendingListeners()
    mutation.call.client.succeed(.success)
    return true
  }

  /// The auth token that mutators see.
  private var token: String? { auth.isEmpty ? nil : auth }

  private var nextMutationID: Int {
    let own = pending.last { $0.clientID.utf8.elementsEqual(clientID.utf8) }?.id
    return 1 + (own ?? server.lastMutationID(of: clientID))
  }

  private func store(_ record: PendingMutation, _ persisted: Deferred<Void>) {
    let key = StorageKey.sequence(groupID, record.sequence)
    lifecycle?.stored()
    write({ transaction in
      try transaction.put(DatabaseTable.pending.table, key, record.stored)
    }) { Self.settle(persisted, $0) }
  }

  private static func settle(_ persisted: Deferred<Void>, _ error: StoreError?) {
    if let error { persisted.fail(error) } else { persisted.succeed() }
  }

  /// Replays pending mutations on the server's rows, each seeing what the earlier ones wrote.
  ///
  /// One that throws leaves nothing behind and stays pending.
  func replay(_ mutations: [PendingMutation], _ writes: WriteSet, _ server: ServerState) throws {
    failedPredictions = [:]
    var lastIDs: [UTF8Key: Int] = [:]
    for mutation in mutations {
      let client = UTF8Key(mutation.clientID)
      let expected = 1 + (lastIDs[client] ?? server.lastMutationIDs[client] ?? 0)
      guard mutation.id == expected else {
        throw PokeError.unexpected(
          "pending mutation \(mutation.id) of client \(mutation.clientID) does not follow "
            + "\(expected - 1)")
      }
      lastIDs[client] = mutation.id
      guard let definition = mutators[UTF8Key(mutation.name)] else {
        log.error("pending mutation \(mutation.name) has no mutator here; it is sent as it is")
        continue
      }
      writes.mark()
      do {
        try definition.run(
          mutation.args, on: writes, schema: options.schema, clientID: mutation.clientID,
          mutationID: mutation.id, reason: .rebase, token: token)
      } catch {
        try writes.rollBack()
        failedPredictions[mutation.sequence] = "\(error)"
        log.error("pending mutation \(mutation.name) failed when it was replayed: \(error)")
      }
    }
  }
}
