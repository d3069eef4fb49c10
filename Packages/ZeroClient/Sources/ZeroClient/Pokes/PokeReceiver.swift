@_spi(Engine) public import ZeroProtocol

/// Collects the messages of pokes. Complete pokes wait in a buffer until they are taken, all at once.
@_spi(Engine) public struct PokeReceiver {
  private enum Body {
    case none
    case parts(PokeContents)
    case chunks(PokeAssembler)
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
  private var buffer: [PokeContents] = []

  public init(schema: ZeroSchema, clientID: String) {
    decoder = PokeDecoder(schema)
    places = TablePlaces(schema)
    tableCount = schema.tables.count
    self.clientID = UTF8Key(clientID)
  }

  /// Whether a complete poke waits.
  public var hasCompleted: Bool { !buffer.isEmpty }

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
      contents = empty(start)
      let parts: [PokePatches]
      do throws(JSONError) {
        parts = try decoder.parts(inPayload: chunks.payload)
      } catch {
        throw .badChunks(error)
      }
      for part in parts { try contents.append(part, places) }
    }
    contents.cookie = end.cookie
    buffer.append(contents)
    return Completed(
      ownLastMutationID: contents.lastMutationIDs[clientID], hasRows: contents.hasRows)
  }

  /// The waiting pokes merged into one.
  public mutating func takeCompleted() throws(PokeError) -> PokeContents? {
    let pokes = buffer
    buffer = []
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

  private func empty(_ start: PokeStart) -> PokeContents {
    PokeContents(baseCookie: start.baseCookie, cookie: "", tableCount: tableCount)
  }
}
