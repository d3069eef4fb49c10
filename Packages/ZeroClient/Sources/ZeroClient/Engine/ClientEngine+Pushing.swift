@_spi(Engine) import ZeroProtocol

extension ClientEngine {
  /// Sends what is pending at the end of the turn, or as soon as there is a connection.
  func requestPush() {
    guard !isPushRequested else { return }
    isPushRequested = true
    loop.atEndOfTurn { [weak self] in
      guard let self else { return }
      isPushRequested = false
      push()
    }
  }

  /// Sends what is pending after a pause, if nothing else leads to that before.
  func pushLater() {
    guard laterPush == nil else { return }
    laterPush = scheduler.after(.clamping(milliseconds: RunLoop.retryDelay)) { [weak self] in
      guard let self else { return }
      loop.dispatch {
        self.laterPush = nil
        self.requestPush()
      }
    }
  }

  // MARK: -

  private func push() {
    guard isReady, !isGroupDisabled, firstUnsent < pending.count, session != nil else { return }
    let requestID = environment.ids.requestID(clientID: clientID)
    let (wallTime, monotonicTime) = (scheduler.wallTime, scheduler.monotonicTime)
    for mutation in pending[firstUnsent...] {
      let client = UTF8Key(mutation.clientID)
      guard mutation.id > sentMutationIDs[client] ?? 0 else { continue }
      sentMutationIDs[client] = mutation.id
      let timestamp =
        mutation.monotonicTime.map { wallTime - (monotonicTime - $0).rounded() }
        ?? mutation.timestamp
      send(
        .push(
          Push(
            timestamp: wallTime, clientGroupID: groupID,
            mutations: [
              MutationMessage(
                id: MutationID(id: Double(mutation.id), clientID: mutation.clientID),
                timestamp: timestamp,
                content: .custom(name: mutation.name, args: [mutation.args]))
            ],
            requestID: requestID, traceparent: options.traceparent?())))
    }
    firstUnsent = pending.count
    notifyPendingListeners()
  }
}
