@_spi(Engine) import ZeroProtocol

/// The parts of a poke in the order in which they came. Of a large poke they are decoded elsewhere: what
/// comes while that is under way waits, and is decoded together.
struct PokeParts: Sendable {
  /// What the parts that are decoded bring.
  private(set) var contents: PokeContents
  private var decoding: Int?
  private var queued: [[UInt8]] = []

  init(_ contents: PokeContents) { self.contents = contents }

  /// Whether all parts are in ``contents``.
  var isComplete: Bool { decoding == nil && queued.isEmpty }

  /// Takes in a part at once.
  /// - Precondition: nothing waits.
  mutating func append(_ part: PokePatches, _ places: TablePlaces) throws(PokeError) {
    precondition(isComplete, "a part overtakes those that wait")
    try contents.append(part, places)
  }

  /// Lets the text of a part wait.
  mutating func queue(_ text: [UInt8]) { queued.append(text) }

  /// The texts to decode now, under a ticket; nil if there are none, or others are being decoded.
  mutating func takeQueued(_ ticket: Int) -> [[UInt8]]? {
    guard decoding == nil, !queued.isEmpty else { return nil }
    defer { queued = [] }
    decoding = ticket
    return queued
  }

  /// Whether the parts decoded under this ticket are waited for.
  func awaits(_ ticket: Int) -> Bool { decoding == ticket }

  /// Takes in the parts that were decoded.
  mutating func resolve(_ parts: PokeContents) {
    decoding = nil
    contents.merge(parts)
  }

  /// Ends the poke.
  mutating func end(cookie: String) { contents.cookie = cookie }
}
