@_spi(Engine) public import ZeroProtocol

/// Collects the messages of pokes. Complete pokes wait in a buffer until they are taken, all at once.
@_spi(Engine) public struct PokeReceiver {
  private enum Body {
    case none
    case parts(PokeContents)
    case chunks(PokeAssembler)
  }

  /// A poke whose end has come.
  private enum Ended {
    case decoded(PokeContents)
    /// Decoded elsewhere under this ticket; those behind it wait.
    case decoding(Int)

    var isDecoded: Bool {
      if case .decoded = self { true } else { false }
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
  private var start: PokeStart?
  private var body = Body.none
  private var buffer: [Ended] = []
  private var nextTicket = 0

  public init(schema: ZeroSchema, clientID: String) {
    decoder = PokeDecoder(schema)
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
  }

  /// - Parameter part: what ``part(inMessage:)`` made of the message.
  /// - Returns: the own last mutation ID in the part, if there is one.
  public mutating func receive(_ part: PokePatches) throws(PokeError) -> Int? {
    guard let start, start.pokeID.utf8.elementsEqual(part.pokeID.utf8) else {
      throw .unexpected(
        "pokePart for \(part.pokeID) while receiving \(self.start?.pokeID ?? "none")")
    }
    var contents: PokeContents
    switch body {
    case .none: contents = empty(start)
    case .parts(let collected): contents = collected
    case .chunks: throw .unexpected("pokePart after binary chunks of the same poke")
    }
    body = .none
    try contents.append(part, places)
    body = .parts(contents)
    return part.lastMutationIDChanges.last { $0.clientID.utf8.elementsEqual(clientID.string.utf8) }
      .flatMap { Int(exactly: $0.lastMutationID) }
  }

  /// Decodes the text of a message if it is a part of a poke.
  public func part(inMessage text: [UInt8]) throws(JSONError) -> PokePatches? {
    try decoder.part(inMessage: text)
  }

  /// - Parameter frame: a whole binary message.
  public mutating func receive(chunk frame: [UInt8]) throws(PokeError) {
    guard start != nil else { throw .unexpected("a binary poke chunk without pokeStart") }
    var chunks: PokeAssembler
    switch body {
    case .none: chunks = PokeAssembler()
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
    case .parts(let collected): contents = collected
    case .none: contents = empty(start)
    case .chunks(let chunks):
      contents = try decoding(chunks.payload, start, end).run().get()
    }
    contents.cookie = end.cookie
    buffer.append(.decoded(contents))
    return completed(contents)
  }

  /// Ends the poke being received if it is so large that decoding it would hold up the caller.
  /// - Returns: what to run and hand to ``receive(_:_:)``; nil if nothing was done.
  mutating func takeLarge(_ end: PokeEnd) -> PokeDecoding? {
    guard let start, start.pokeID.utf8.elementsEqual(end.pokeID.utf8), end.cancel != true,
      case .chunks(let chunks) = body, chunks.payload.count >= Self.largeByteCount
    else { return nil }
    self.start = nil
    body = .none
    nextTicket += 1
    buffer.append(.decoding(nextTicket))
    return decoding(chunks.payload, start, end)
  }

  /// Takes in a poke that was decoded elsewhere, at the place it had.
  /// - Returns: nil if everything was forgotten meanwhile.
  mutating func receive(
    _ ticket: Int, _ result: Result<PokeContents, PokeError>
  ) throws(PokeError) -> Completed? {
    let place = buffer.firstIndex {
      if case .decoding(ticket) = $0 { true } else { false }
    }
    guard let place else { return nil }
    let contents = try result.get()
    buffer[place] = .decoded(contents)
    return completed(contents)
  }

  /// The waiting pokes merged into one, up to the first that is still being decoded.
  public mutating func takeCompleted() throws(PokeError) -> PokeContents? {
    var pokes: [PokeContents] = []
    for case .decoded(let contents) in buffer.prefix(while: \.isDecoded) { pokes.append(contents) }
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
  }

  // MARK: -

  /// A poke of that size takes about a millisecond.
  private static let largeByteCount = 128 << 10

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
