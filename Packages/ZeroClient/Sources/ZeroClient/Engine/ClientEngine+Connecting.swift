@_spi(Engine) import ZeroProtocol

extension ClientEngine: RunLoopHost {
  var isVisible: Bool { visibility.isVisible }

  func attempt(_ finish: @escaping @MainActor (ZeroError?) -> Void) {
    let attempt = Attempt(id: environment.ids.attemptID()) { [loop] failure in
      loop.microtask { finish(failure) }
    }
    self.attempt = attempt
    attempt.note("starting")
    attempt.timer = scheduler.after(Attempt.timeout) { [weak self, weak attempt] in
      guard let self, let attempt else { return }
      loop.dispatch { self.attemptTimedOut(attempt) }
    }
    manager.connecting()
    attempt.note("waiting for storage")
    afterOpen { [weak self, weak attempt] in
      guard let self, let attempt, self.attempt === attempt, !attempt.isFinished else { return }
      openSocket(attempt)
    }
  }

  func retryTimeChanged() { notifyPendingListeners() }

  func sendPing() { session?.send(UpstreamMessage.ping.text) }

  func setReconnectParameters(_ parameters: NamedValues<String>?) {
    reconnectParameters = parameters
  }

  /// Gives up the connection or the attempt and moves to the state that the reason leads to.
  func disconnect(_ reason: ZeroError) { disconnect(reason, code: nil) }

  func disconnect(_ reason: ZeroError, code: UInt16?) {
    if manager.isClosed, case .client(let error) = reason, error.kind != .clientClosed { return }
    log.info("disconnecting: \(reason.message)")
    // The next connection is ready when its attempt has succeeded, and not before.
    isReady = false
    if let attempt {
      self.attempt = nil
      attempt.finish(reason)
    }
    let session = self.session
    self.session = nil
    session?.close(code: code)
    sentMessages = SentMessages()
    sentMutationIDs = [:]
    receiver.reset()
    queries.connectionLost()
    guard !manager.isClosed else { return }
    manager.apply(reason)
  }

  /// Calls `body` in a microtask once storage is open.
  func afterOpen(_ body: @escaping @MainActor () -> Void) {
    if isOpen { loop.microtask(body) } else { whenOpen.append(body) }
  }

  // MARK: -

  private func attemptTimedOut(_ attempt: Attempt) {
    guard self.attempt === attempt else { return }
    let events = attempt.notes.joined(separator: ", ")
    disconnect(
      .client(
        ClientError(
          .connectTimeout,
          "Connection attempt timed out after 10 seconds. Connect events: \(events)")))
  }

  private func openSocket(_ attempt: Attempt) {
    guard let serverURL else { return }
    attempt.cookie = server.cookie
    attempt.note("creating the socket")
    let patch = queries.patch()
    let url = ConnectURL(
      origin: serverURL.webSocketOrigin,
      .init(
        clientID: clientID, clientGroupID: groupID, userID: options.userID,
        baseCookie: attempt.cookie, timestamp: scheduler.monotonicTime,
        lastMutationID: Double(receivedLastMutationID), wsid: attempt.id, profileID: profileID,
        isDebugging: options.asksForPerformanceData, extra: reconnectParameters ?? [:]))
    for name in url.skippedParameters {
      log.warn("the server asks for the reserved connect parameter \(name); left out")
    }
    let request = ConnectRequest(
      url: url,
      initConnection: initConnection(
        patch, cookie: attempt.cookie, activeClients: [clientID], traceparent: nil),
      auth: auth, maxHeaderLength: options.maxHeaderLength)
    if request.carriesInitConnection { attempt.sentPatch = patch }
    if request.isTooLong {
      log.warn(
        "the token alone makes a header longer than \(options.maxHeaderLength) characters; servers "
          + "may refuse it")
    }
    log.info("connecting to \(serverURL.string)")
    session = SocketSession(
      self, environment.sockets,
      SocketRequest(url: url.string, subprotocols: [request.subprotocol]))
    attempt.note("waiting for the acknowledgement")
  }

  /// The first message of a connection.
  func initConnection(
    _ patch: [DesiredQueryOp], cookie: String?, activeClients: [String]?, traceparent: String?
  ) -> InitConnection {
    let deleted = lifecycle?.deleted.clients(of: groupID) ?? []
    return InitConnection(
      desiredQueriesPatch: patch,
      deleted: deleted.isEmpty ? nil : DeleteClients(clientIDs: deleted),
      clientSchema: cookie == nil ? clientSchema : nil, userPushURL: options.mutateURL,
      userPushHeaders: options.mutateHeaders, userQueryURL: options.queryURL,
      userQueryHeaders: options.queryHeaders, activeClients: activeClients,
      traceparent: traceparent)
  }

  /// The server confirmed the connection.
  func receiveConnected() {
    guard let attempt, !attempt.isFinished else {
      return log.error("a connected message without an attempt to connect")
    }
    attempt.note("processing the acknowledgement")
    sentMessages = SentMessages()
    sentMutationIDs = [:]
    if let sent = attempt.sentPatch {
      sendNow(queries: queries.patch(after: sent))
    } else {
      let patch = queries.patch()
      let (first, rest) = MessageSize.split(patch)
      send(
        .initConnection(
          initConnection(
            first, cookie: attempt.cookie, activeClients: nil,
            traceparent: options.traceparent?())))
      sendNow(queries: rest)
    }
    manager.connected()
    loop.microtask { [weak self] in self?.attemptSucceeded(attempt) }
  }

  private func attemptSucceeded(_ attempt: Attempt) {
    guard self.attempt === attempt, !attempt.isFinished else { return }
    self.attempt = nil
    _ = tracker.advance(to: receivedLastMutationID)
    isReady = true
    requestPush()
    reconnectParameters = nil
    attempt.finish(nil)
  }

  /// Sends query changes now, in as many messages as the server's limit asks for.
  private func sendNow(queries patch: [DesiredQueryOp]) {
    var rest = patch
    while !rest.isEmpty {
      let (first, others) = MessageSize.split(rest)
      send(
        .changeDesiredQueries(
          ChangeDesiredQueries(
            desiredQueriesPatch: first, traceparent: options.traceparent?())))
      rest = others
    }
  }

  /// Sends query changes if connected.
  func sendQueries(_ patch: [DesiredQueryOp]) {
    if manager.isConnected { sendNow(queries: patch) }
  }

  /// Sends a message if connected; otherwise it is dropped.
  func sendIfConnected(_ message: UpstreamMessage) {
    if manager.isConnected { send(message) }
  }

  func send(_ message: UpstreamMessage) {
    let text = message.text
    sentMessages.note(message, length: text.count)
    session?.send(text)
  }
}
