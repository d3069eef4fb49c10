@_spi(Engine) public import ZeroProtocol

/// Collects the messages of pokes. Complete pokes wait in a buffer until they are taken, all at once.
@_spi(Engine) public struct PokeReceiver {
  private enum Body {
    case none
    case parts(PokeParts)
    case chunks(PokeAssembler)
  }

  /// A poke whose end has come.
  private struct Ended {
    enum State {
      case decoded(PokeContents)
      /// Decoded elsewhere under this ticket.
      case decoding(Int)
      /// Parts of it are still being decoded.
      case incomplete(PokeParts, pokeID: String)
    }

    var state: State
    let byteCount: Int

    /// Whether it can be applied when those before it are.
    var isDecoded: Bool {
      if case .decoded = state { true } else { false }
    }
  }

  /// What is known of a complete poke.
  public struct Completed: Equatable {
    /// The own last mutation ID that the poke brings.
    public var ownLastMutationID: Int?
    /// Whether there are row operations.
    public var hasRows: Bool
  }

  private let decoder: PokeDecoder
  private let places: TablePlaces
  private let tableCount: Int
  private let clientID: UTF8Key
  private let limits: PokeLimits
  private var start: PokeStart?
  private var body = Body.none
  /// Bytes and messages of the poke being received.
  private var (byteCount, messageCount) = (0, 0)
  private var buffer: [Ended] = []
  /// Bytes of the pokes in the buffer.
  private var bufferedByteCount = 0
  private var nextTicket = 0

  public init(schema: ZeroSchema, clientID: String, limits: PokeLimits = PokeLimits()) {
    self.limits = limits
    let standard = JSONLimits.standard
    decoder = PokeDecoder(
      schema,
      limits: JSONLimits(
        depth: standard.depth, byteCount: max(standard.byteCount, limits.byteCount)))
    places = TablePlaces(schema)
    tableCount = schema.tables.count
    self.clientID = UTF8Key(clientID)
  }

  /// Whether a complete poke waits.
  public var hasCompleted: Bool {
    buffer.first?.isDecoded ?? false
  }

  public mutating func receive(_ start: PokeStart) throws(PokeError) {
    if let open = self.start {
      throw .unexpected("pokeStart for \(start.pokeID) while receiving \(open.pokeID)")
    }
    self.start = start
    body = .none
    (byteCount, messageCount) = (0, 0)
  }

  /// Counts a message of the poke being received, before anything is made of it.
  /// - Throws: ``PokeError/tooMuch(_:)`` if the poke is larger than the limits allow.
  public mutating func admit(_ byteCount: Int) throws(PokeError) {
    guard let start else { return }
    self.byteCount += byteCount
    messageCount += 1
    guard self.byteCount > limits.byteCount || messageCount > limits.messageCount else { return }
    throw .tooMuch(
      "poke \(start.pokeID) has not ended after \(self.byteCount) bytes in \(messageCount) "
        + "messages; \(limits.byteCount) bytes and \(limits.messageCount) messages are allowed")
  }

  /// - Parameter part: what ``part(inMessage:)`` made of the message.
  /// - Returns: the own last mutation ID in the part, if there is one.
  public mutating func receive(_ part: PokePatches) throws(PokeError) -> Int? {
    guard let start, start.pokeID.utf8.elementsEqual(part.pokeID.utf8) else {
      throw .unexpected(
        "pokePart for \(part.pokeID) while receiving \(self.start?.pokeID ?? "none")")
    }
    var parts = try takeParts(start)
    try parts.append(part, places)
    body = .parts(parts)
    return part.lastMutationIDChanges.last { $0.clientID.utf8.elementsEqual(clientID.string.utf8) }
      .flatMap { Int(exactly: $0.lastMutationID) }
  }

  /// Decodes the text of a message if it is a part of a poke.
  public func part(inMessage text: [UInt8]) throws(JSONError) -> PokePatches? {
    try decoder.part(inMessage: text)
  }

  /// What becomes of a part in a text message.
  enum LargePart {
    /// The poke is small: the caller decodes it.
    case isNot
    /// It waits for others of its poke.
    case waits
    /// To be run and handed to ``receiveParts(_:_:)``.
    case decode(PokePartsDecoding)
  }

  /// Takes a part, not decoded, if the poke has become so large that decoding the rest of it would hold
  /// up the caller.
  mutating func takeLarge(part text: [UInt8]) throws(PokeError) -> LargePart {
    guard byteCount >= Self.largeByteCount, let start else { return .isNot }
    var parts = try takeParts(start)
    parts.queue(text)
    let decoding = decoding(&parts, start.pokeID)
    body = .parts(parts)
    return decoding.map { .decode($0) } ?? .waits
  }

  /// Takes in parts that were decoded elsewhere, at the place they had.
  /// - Returns: what the poke brings if this completed it, and what is to be decoded next. Both are nil
  ///   if everything was forgotten meanwhile.
  mutating func receiveParts(
    _ ticket: Int, _ decoded: PokeContents
  ) -> (completed: Completed?, next: PokePartsDecoding?) {
    if case .parts(var parts) = body, parts.awaits(ticket), let start {
      body = .none
      parts.resolve(decoded)
      let next = decoding(&parts, start.pokeID)
      body = .parts(parts)
      return (nil, next)
    }
    for place in buffer.indices {
      guard case .incomplete(var parts, let pokeID) = buffer[place].state, parts.awaits(ticket)
      else { continue }
      buffer[place].state = .decoding(ticket)
      parts.resolve(decoded)
      if let next = decoding(&parts, pokeID) {
        buffer[place].state = .incomplete(parts, pokeID: pokeID)
        return (nil, next)
      }
      buffer[place].state = .decoded(parts.contents)
      return (completed(parts.contents), nil)
    }
    return (nil, nil)
  }

  /// Whether parts are still waited for.
  func awaitsParts(_ ticket: Int) -> Bool {
    if case .parts(let parts) = body, parts.awaits(ticket) { return true }
    return buffer.contains {
      if case .incomplete(let parts, _) = $0.state { parts.awaits(ticket) } else { false }
    }
  }

  /// - Parameter frame: a whole binary message.
  public mutating func receive(chunk frame: [UInt8]) throws(PokeError) {
    guard start != nil else { throw .unexpected("a binary poke chunk without pokeStart") }
    var chunks: PokeAssembler
    switch body {
    case .none: chunks = PokeAssembler(byteLimit: limits.byteCount)
    case .chunks(let collected): chunks = collected
    case .parts: throw .unexpected("a binary poke chunk after a pokePart of the same poke")
    }
    body = .none
    do throws(JSONError) { try chunks.add(frame) } catch { throw .badChunks(error) }
    body = .chunks(chunks)
  }

  /// Ends the poke being received.
  /// - Returns: nil if it is cancelled.
  public mutating func receive(_ end: PokeEnd) throws(PokeError) -> Completed? {
    guard let start, start.pokeID.utf8.elementsEqual(end.pokeID.utf8) else {
      throw .unexpected(
        "pokeEnd for \(end.pokeID) while receiving \(self.start?.pokeID ?? "none")")
    }
    let body = self.body
    self.start = nil
    self.body = .none
    if end.cancel == true { return nil }
    var contents: PokeContents
    switch body {
    case .parts(var parts):
      parts.end(cookie: end.cookie)
      guard parts.isComplete else {
        try enqueue(.incomplete(parts, pokeID: start.pokeID))
        return nil
      }
      contents = parts.contents
    case .none: contents = empty(start)
    case .chunks(let chunks):
      contents = try decoding(chunks.payload, start, end).run().get()
    }
    contents.cookie = end.cookie
    try enqueue(.decoded(contents))
    return completed(contents)
  }

  /// Ends the poke being received if it is so large that decoding it would hold up the caller.
  /// - Returns: what to run and hand to ``receive(_:_:)``; nil if nothing was done.
  mutating func takeLarge(_ end: PokeEnd) throws(PokeError) -> PokeDecoding? {
    guard let start, start.pokeID.utf8.elementsEqual(end.pokeID.utf8), end.cancel != true,
      case .chunks(let chunks) = body, chunks.payload.count >= Self.largeByteCount
    else { return nil }
    self.start = nil
    body = .none
    nextTicket += 1
    try enqueue(.decoding(nextTicket))
    return decoding(chunks.payload, start, end)
  }

  /// Takes in a poke that was decoded elsewhere, at the place it had.
  /// - Returns: nil if everything was forgotten meanwhile.
  mutating func receive(
    _ ticket: Int, _ result: Result<PokeContents, PokeError>
  ) throws(PokeError) -> Completed? {
    let place = buffer.firstIndex {
      if case .decoding(ticket) = $0.state { true } else { false }
    }
    guard let place else { return nil }
    let contents = try result.get()
    buffer[place].state = .decoded(contents)
    return completed(contents)
  }

  /// The waiting pokes merged into one, up to the first that is still being decoded.
  public mutating func takeCompleted() throws(PokeError) -> PokeContents? {
    var pokes: [PokeContents] = []
    for poke in buffer {
      guard case .decoded(let contents) = poke.state else { break }
      pokes.append(contents)
      bufferedByteCount -= poke.byteCount
    }
    buffer.removeFirst(pokes.count)
    guard var merged = pokes.first else { return nil }
    for poke in pokes.dropFirst() { try merged.append(poke) }
    return merged
  }

  /// Forgets everything.
  public mutating func reset() {
    start = nil
    body = .none
    buffer = []
    bufferedByteCount = 0
  }

  // MARK: -

  /// A poke of that size takes about a millisecond.
  private static let largeByteCount = 128 << 10

  /// Takes the parts so far out of the poke being received, which has none until they are put back.
  private mutating func takeParts(_ start: PokeStart) throws(PokeError) -> PokeParts {
    let body = self.body
    self.body = .none
    switch body {
    case .none: return PokeParts(empty(start))
    case .parts(let parts): return parts
    case .chunks: throw .unexpected("pokePart after binary chunks of the same poke")
    }
  }

  /// What of the parts is to be decoded now.
  private mutating func decoding(
    _ parts: inout PokeParts, _ pokeID: String
  ) -> PokePartsDecoding? {
    guard let texts = parts.takeQueued(nextTicket + 1) else { return nil }
    nextTicket += 1
    return PokePartsDecoding(
      ticket: nextTicket, texts: texts, pokeID: pokeID,
      contents: PokeContents(baseCookie: nil, cookie: "", tableCount: tableCount),
      decoder: decoder, places: places)
  }

  /// Lets the poke that has just ended wait to be applied.
  private mutating func enqueue(_ state: Ended.State) throws(PokeError) {
    let byteCount = self.byteCount + PokeLimits.overhead
    bufferedByteCount += byteCount
    guard buffer.isEmpty || bufferedByteCount <= limits.byteCount else {
      throw .tooMuch(
        "\(buffer.count + 1) pokes with \(bufferedByteCount) bytes wait to be applied; "
          + "\(limits.byteCount) bytes are allowed")
    }
    buffer.append(Ended(state: state, byteCount: byteCount))
  }

  private func decoding(_ payload: [UInt8], _ start: PokeStart, _ end: PokeEnd) -> PokeDecoding {
    var contents = empty(start)
    contents.cookie = end.cookie
    return PokeDecoding(
      ticket: nextTicket, payload: payload, contents: contents, decoder: decoder, places: places)
  }

  private func completed(_ contents: PokeContents) -> Completed {
    Completed(ownLastMutationID: contents.lastMutationIDs[clientID], hasRows: contents.hasRows)
  }

  private func empty(_ start: PokeStart) -> PokeContents {
    PokeContents(baseCookie: start.baseCookie, cookie: "", tableCount: tableCount)
  }
}
