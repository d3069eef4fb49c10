@_spi(Engine) import ZeroProtocol

extension ClientEngine {
  func receive(_ start: PokeStart) {
    do throws(PokeError) { try receiver.receive(start) } catch { pokeFailed(error) }
  }

  /// A text message with a part of a poke.
  /// - Throws: `JSONError` if it is none.
  func receive(part text: [UInt8]) throws(JSONError) {
    do throws(PokeError) {
      try receiver.admit(text.count)
      switch try receiver.takeLarge(part: text) {
      case .isNot: break
      case .waits: return
      case .decode(let parts): return decode(parts)
      }
    } catch {
      return pokeFailed(error)
    }
    guard let part = try receiver.part(inMessage: text) else { return }
    do throws(PokeError) {
      if let own = try receiver.receive(part) { receivedLastMutationID = own }
    } catch {
      pokeFailed(error)
    }
  }

  func receive(chunk frame: [UInt8]) {
    do throws(PokeError) {
      try receiver.admit(frame.count)
      try receiver.receive(chunk: frame)
    } catch {
      pokeFailed(error)
    }
  }

  func receive(_ end: PokeEnd) {
    do throws(PokeError) {
      if let large = try receiver.takeLarge(end) { return decode(large) }
      pokeCompleted(try receiver.receive(end))
    } catch {
      pokeFailed(error)
    }
  }

  // MARK: -

  /// Decodes a large poke in the background. Messages that come meanwhile are handled as they come;
  /// pokes behind it wait in the receiver.
  private func decode(_ large: PokeDecoding) {
    environment.executor.run {
      large.run()
    } completion: { [weak self, loop] result in
      loop.dispatch {
        guard let self, !self.manager.isClosed else { return }
        do throws(PokeError) {
          self.pokeCompleted(try self.receiver.receive(large.ticket, result))
        } catch {
          self.pokeFailed(error)
        }
      }
    }
  }

  /// Decodes parts of a large poke in the background; what follows them in the poke waits.
  private func decode(_ parts: PokePartsDecoding) {
    environment.executor.run {
      parts.run()
    } completion: { [weak self, loop] result in
      loop.dispatch { self?.partsDecoded(parts.ticket, result) }
    }
  }

  private func partsDecoded(
    _ ticket: Int, _ result: Result<PokeContents, PokePartsDecoding.Failure>
  ) {
    guard !manager.isClosed else { return }
    switch result {
    case .success(let parts):
      // Counts also if the poke was cancelled or lost meanwhile.
      if let own = parts.lastMutationIDs[UTF8Key(clientID)] {
        receivedLastMutationID = max(receivedLastMutationID, own)
      }
      let (completed, next) = receiver.receiveParts(ticket, parts)
      if let next { decode(next) }
      pokeCompleted(completed)
    case .failure(let failure):
      guard receiver.awaitsParts(ticket) else { return }
      switch failure {
      case .message(let error): refuseMessage(error)
      case .poke(let error): pokeFailed(error)
      }
    }
  }

  private func pokeCompleted(_ completed: PokeReceiver.Completed?) {
    guard let completed else { return }
    if let own = completed.ownLastMutationID {
      receivedLastMutationID = max(receivedLastMutationID, own)
    }
    startPlayingPokes()
  }

  /// Applies complete pokes from a timer, so that those that arrive together become one change.
  private func startPlayingPokes() {
    guard !isPlayingPokes else { return }
    isPlayingPokes = true
    armPlayback()
  }

  private func armPlayback() {
    _ = scheduler.after(.zero) { [weak self] in
      guard let self else { return }
      loop.dispatch { self.playPokes() }
    }
  }

  private func playPokes() {
    guard receiver.hasCompleted else {
      isPlayingPokes = false
      return
    }
    armPlayback()
    do {
      if let poke = try receiver.takeCompleted() { try apply(poke) }
    } catch {
      pokeFailed(error)
    }
  }

  private func pokeFailed(_ error: any Error) {
    receiver.reset()
    if manager.isDisconnected { return }
    if case .client(let error) = error as? ZeroError, error.kind == .unexpectedBaseCookie {
      log.info("a poke does not start from the client's cookie; connecting anew")
      return disconnect(.client(error))
    }
    log.error("a poke cannot be applied: \(error)")
    if case PokeError.tooMuch(let what) = error, !hasExceededLimits {
      // Once it may be a server that lost its way; the next connection then does better.
      hasExceededLimits = true
      return disconnect(
        .client(ClientError(.abruptClose, "Poke too large: \(what)", cause: error)))
    }
    disconnect(.client(ClientError(.internal, "Poke processing error: \(error)", cause: error)))
  }
}
