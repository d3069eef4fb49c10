@_spi(Engine) import ZeroProtocol

extension ClientEngine {
  /// A message of the server on the current socket.
  func receive(_ message: SocketMessage) {
    guard !manager.isClosed else { return }
    switch message {
    case .text(let text): receive(text: text)
    case .binary(let frame): receive(binary: frame)
    }
  }

  /// The current socket is gone, and not because this side closed it.
  func socketClosed(_ close: SocketClose) {
    let text = "the socket closed with code \(close.code) \(close.reason)"
    if close.code <= 1001 || close.code == 1006 { log.info(text) } else { log.error(text) }
    if close.code == 1009 {
      let message =
        "A WebSocket message exceeded the server message size limit. This is usually caused by a "
        + "mutation's args containing a large value such as a base64-encoded image. Consider "
        + "uploading large files to object storage and storing only the URL in Zero."
      disconnect(.client(ClientError(.invalidMessage, message + sentMessages.report)))
      disableGroup { [weak self] in self?.clientStateNotFound() }
      return
    }
    let cause = close.error
    disconnect(
      .client(
        close.wasClean
          ? ClientError(.cleanClose, "WebSocket connection closed cleanly", cause: cause)
          : ClientError(.abruptClose, "WebSocket connection closed abruptly", cause: cause)))
  }

  // MARK: -

  private func receive(text: [UInt8]) {
    do {
      if Self.isPokePart(text) { return try receive(partInMessage: text) }
      let message = try DownstreamMessage(text: text)
      if case .pokePart = message { return try receive(partInMessage: text) }
      try receive(message)
    } catch let error as JSONError {
      refuseMessage(error)
    } catch {
      disconnect(ZeroError(error))
    }
  }

  private func receive(partInMessage text: [UInt8]) throws {
    runLoop.messageReceived()
    try receive(part: text)
  }

  /// Ends a connection on which a message came that is none.
  func refuseMessage(_ error: JSONError) {
    refuse("Invalid message received from server: \(error)", error)
  }

  /// Whether the message is a part of a poke, written as the server writes it.
  private static func isPokePart(_ text: [UInt8]) -> Bool {
    text.starts(with: "[\"pokePart\"".utf8)
  }

  private func receive(binary frame: [UInt8]) {
    guard frame.first == SyncProtocol.pokeChunkTag else {
      return refuse(
        "Unknown binary message type: \(frame.first.map { "\($0)" } ?? "undefined")", nil)
    }
    runLoop.messageReceived()
    receive(chunk: frame)
  }

  private func refuse(_ message: String, _ cause: (any Error)?) {
    log.error(message)
    disconnect(.client(ClientError(.invalidMessage, message, cause: cause)))
  }

  private func receive(_ message: DownstreamMessage) throws {
    switch message {
    case .connected: receiveConnected()
    case .pong: runLoop.pongReceived()
    case .pokeStart(let start):
      runLoop.messageReceived()
      receive(start)
    case .pokePart: break
    case .pokeEnd(let end):
      runLoop.messageReceived()
      receive(end)
    case .pull: runLoop.messageReceived()
    case .deleteClients(let deleted): lifecycle?.serverDeleted(deleted)
    case .pushResponse(let response): try receive(response)
    case .transformError(let errors): for error in errors { queries.fail(error) }
    case .inspect: break
    case .error(let error): receive(error)
    }
  }

  private func receive(_ response: PushResponse) throws {
    switch response {
    case .results(let responses): for response in responses { try settle(response) }
    case .failed(let failure):
      let (reason, message): (EndpointFailure, String) =
        switch failure.kind {
        case .unsupportedPushVersion: (EndpointFailure(.internal), "Unsupported push version")
        case .unsupportedSchemaVersion: (EndpointFailure(.internal), "Unsupported schema version")
        case .http(let status, let details):
          (
            EndpointFailure(.http, status: status),
            "Fetch from API server returned non-OK status \(status.javaScriptText): \(details)"
          )
        case .zeroPusher(let details):
          (EndpointFailure(.internal), "ZeroPusher error: \(details)")
        }
      log.error("a push failed: \(message)")
      disconnect(
        .server(
          ServerError(
            .pushFailed, message: message, origin: .zeroCache,
            payload: .push(reason, mutationIDs: failure.mutationIDs ?? []))))
    }
  }

  private func receive(_ error: ServerError) {
    if error.kind == .mutationRateLimited {
      log.error("the server limits the rate of mutations: \(error.message)")
      sentMutationIDs = [:]
      pushLater()
      return
    }
    if error.needsAuth { log.warn("\(error)") } else { log.error("\(error)") }
    disconnect(ZeroError(error))
    switch error.kind {
    case .versionNotSupported: updateNeeded(.protocolNotSupported, error.message)
    case .schemaVersionNotSupported:
      disableGroup { [weak self] in self?.updateNeeded(.schemaNotSupported, error.message) }
    case .clientNotFound: disableGroup { [weak self] in self?.clientStateNotFound() }
    case .invalidConnectionRequestBaseCookie, .invalidConnectionRequestLastMutationID:
      resetDatabase { [weak self] in self?.clientStateNotFound() }
    default: break
    }
  }

  private func updateNeeded(_ reason: UpdateNeeded.Reason, _ message: String) {
    let reason = UpdateNeeded(reason: reason, message: message)
    lastUpdateNeeded = reason
    options.onUpdateNeeded(reason)
  }

  func clientStateNotFound() {
    log.error("the server, or the store, does not know this client any more")
    options.onClientStateNotFound()
  }
}
