import ZeroClient
import ZeroProtocol

/// What a step reads and writes: the rows of a client's transaction, or those of a model.
@MainActor protocol SessionTables {
  /// With its notes.
  func item(_ id: String) throws -> Item?
  /// By rank, then key, with their notes.
  func items(of owner: String?) throws -> [Item]
  /// Does nothing if the key is taken.
  func insert(_ item: Item) throws
  func upsert(_ item: Item) throws
  func setTitle(_ id: String, _ title: String) throws
  func setRank(_ id: String, _ rank: Double) throws
  func setOwner(_ id: String, _ owner: String?) throws
  func delete(_ item: Item) throws
  func upsert(_ note: Note) throws
  func delete(_ note: Note) throws
}

/// One mutation of a random session, on whatever tables: of the client, or of a model.
struct SessionStep: Codable, Sendable {
  enum Kind: String, Codable, CaseIterable, Sendable {
    case insert, upsert, title, rank, owner, delete, note, unnote, move, sort, once, refused
  }

  var kind: Kind
  var id: String
  var other: String
  var number: Double
  var text: String?

  /// - Parameter isReplayed: whether it runs again on a client.
  @MainActor func run(on tables: some SessionTables, isReplayed: Bool) throws {
    switch kind {
    case .insert: try tables.insert(Item(id: id, title: other, rank: number, owner: text))
    case .upsert, .refused:
      try tables.upsert(Item(id: id, title: other, rank: number, owner: text))
    case .title: try tables.setTitle(id, other)
    case .rank:
      guard let item = try tables.item(id) else { throw ApplicationError("no item") }
      try tables.setRank(id, item.rank == number ? 0 : number)
    case .owner: try tables.setOwner(id, text)
    case .delete:
      guard let item = try tables.item(id) else { return }
      for note in item.notes ?? [] { try tables.delete(note) }
      try tables.delete(item)
    case .note:
      // Writes before it fails, so that something has to be taken back.
      try tables.upsert(Note(itemID: id, number: -1, body: text))
      guard let item = try tables.item(id) else { throw ApplicationError("no item") }
      let count = Double(item.notes?.count ?? 0)
      try tables.upsert(Note(itemID: id, number: count, body: text))
    case .unnote:
      for note in try tables.item(id)?.notes ?? [] where note.number >= 0 {
        try tables.delete(note)
      }
    case .move:
      guard let item = try tables.item(id) else { throw ApplicationError("no item") }
      try tables.delete(item)
      try tables.upsert(Item(id: other, title: item.title, rank: item.rank, owner: item.owner))
    case .sort:
      for (place, item) in try tables.items(of: text).enumerated() {
        try tables.setRank(item.id, Double(place))
      }
    case .once:
      try tables.insert(Item(id: id, title: other, rank: number, owner: text))
      if isReplayed { throw ApplicationError("not again") }
    }
  }

  /// A step with arguments that are often odd.
  static func random(_ random: inout SessionRandom) -> SessionStep {
    SessionStep(
      kind: random.pick(Kind.allCases), id: random.pick(keys), other: random.pick(keys),
      number: random.pick(numbers), text: random.below(3) == 0 ? nil : random.pick(keys))
  }

  /// Keys and texts: few, so that they meet; some equal by Unicode's rules and some too long for a key.
  static let keys: [String] = [
    "a", "b", "c", "", "A", "a/b", "a%2Fb", "e\u{301}", "\u{E9}", "\u{0}", "a\u{0}", "a\u{0}b",
    "\u{FFFF}", "\u{10000}", "😀", "\"\\\n\u{7F}", "null", String(repeating: "long", count: 200),
    String(repeating: "long", count: 200) + "er", "__proto__",
  ]

  static let numbers: [Double] = [
    0, -0.0, 1, -1, 2, 0.1, 9_007_199_254_740_992, 9_007_199_254_740_994, -9_007_199_254_740_992,
    1e21, 1e-7, 1.7e308, 2.3e-308, 123_456_789.123,
  ]
}

/// SplitMix64.
struct SessionRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
