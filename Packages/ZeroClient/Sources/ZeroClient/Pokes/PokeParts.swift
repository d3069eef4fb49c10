@_spi(Engine) import ZeroProtocol

/// The parts of a poke in the order in which they came. From the first that is still being decoded on,
/// they wait.
struct PokeParts: Sendable {
  private enum Part {
    case here(PokePatches)
    case decoded(PokeContents)
    case decoding(ticket: Int)
  }

  /// What the parts before the first that is being decoded bring.
  private(set) var contents: PokeContents
  private var waiting: [Part] = []

  init(_ contents: PokeContents) { self.contents = contents }

  /// Whether all parts are in ``contents``.
  var isComplete: Bool { waiting.isEmpty }

  mutating func append(_ part: PokePatches, _ places: TablePlaces) throws(PokeError) {
    if waiting.isEmpty { try contents.append(part, places) } else { waiting.append(.here(part)) }
  }

  /// Keeps the place of a part that is decoded elsewhere.
  mutating func reserve(_ ticket: Int) { waiting.append(.decoding(ticket: ticket)) }

  /// Puts a part in the place that was kept for it.
  /// - Returns: false if there is none.
  mutating func resolve(
    _ ticket: Int, _ part: PokeContents, _ places: TablePlaces
  ) throws(PokeError) -> Bool {
    let place = waiting.firstIndex {
      if case .decoding(ticket) = $0 { true } else { false }
    }
    guard let place else { return false }
    waiting[place] = .decoded(part)
    try takeIn(places)
    return true
  }

  /// Whether a part is still waited for.
  func awaits(_ ticket: Int) -> Bool {
    waiting.contains {
      if case .decoding(ticket) = $0 { true } else { false }
    }
  }

  /// Ends the poke.
  mutating func end(cookie: String) { contents.cookie = cookie }

  // MARK: -

  private mutating func takeIn(_ places: TablePlaces) throws(PokeError) {
    var count = 0
    loop: for part in waiting {
      switch part {
      case .here(let part): try contents.append(part, places)
      case .decoded(let part): contents.merge(part)
      case .decoding: break loop
      }
      count += 1
    }
    waiting.removeFirst(count)
  }
}
