import ZeroProtocol

extension StoreContract {
  static let modelCases: [Case] = (UInt64(0)..<4).map { number -> Case in
    let seed = TestSeed.value &+ number
    return Case("random work equals a sorted dictionary, seed \(seed)") { subject in
      var run = ModelRun(seed: seed)
      try run.execute(on: subject)
    }
  }
}

/// Random transactions on a store and on a model of it.
private struct ModelRun {
  private var random: SeededRandom
  private var model: [[UInt8]: [UInt8]] = [:]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func execute(on subject: StoreContract.Subject) throws {
    struct Abandoned: Error {}
    var store = try subject.open()
    for round in 0..<60 {
      var draft = model
      let abandons = random.next(below: 5) == 0
      do {
        try store.write { transaction in
          for _ in 0..<random.next(below: 40) { try change(transaction, &draft) }
          try compare(transaction, draft, "round \(round), inside")
          if abandons { throw Abandoned() }
        }
        model = draft
      } catch is Abandoned {}
      if random.next(below: 8) == 0 {
        store.close()
        store = try subject.open()
      }
      try store.read { try compare($0, model, "round \(round)") }
    }
    store.close()
  }

  private mutating func change(
    _ transaction: any StoreTransaction, _ draft: inout [[UInt8]: [UInt8]]
  ) throws {
    let key = randomKey()
    switch random.next(below: 10) {
    case 0:
      let prefix = Array(key.prefix(random.next(below: 3)))
      if prefix.isEmpty, random.next(below: 4) != 0 { return }
      try transaction.deletePrefix(alpha, prefix)
      draft = draft.filter { !$0.key.starts(with: prefix) }
    case 1, 2:
      try transaction.delete(alpha, key)
      draft[key] = nil
    default:
      let length = random.next(below: 20) == 0 ? random.next(below: 20_000) : random.next(below: 80)
      let value = (0..<length).map { _ in UInt8(random.next(below: 256)) }
      try transaction.put(alpha, key, value)
      draft[key] = value
    }
  }

  private mutating func randomKey() -> [UInt8] {
    let alphabet: [UInt8] = [0x00, 0x2F, 0x61, 0x62, 0x80, 0xFE, 0xFF]
    return (0...random.next(below: 6)).map { _ in alphabet[random.next(below: alphabet.count)] }
  }

  private mutating func compare(
    _ snapshot: any StoreSnapshot, _ expected: [[UInt8]: [UInt8]], _ place: String
  ) throws {
    let sorted = expected.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    let prefix = random.next(below: 2) == 0 ? [] : Array(randomKey().prefix(2))
    let after = random.next(below: 2) == 0 ? nil : randomKey()
    let found = try snapshot.pairs(alpha, prefix: prefix, after: after)
    let wanted = sorted.filter { pair in
      pair.key.starts(with: prefix)
        && (after.map { $0.lexicographicallyPrecedes(pair.key) } ?? true)
    }
    try require(
      found.map { $0.key } == wanted.map { $0.key },
      "\(place): keys of \(prefix) after \(String(describing: after)) differ")
    try require(found.map { $0.value } == wanted.map { $0.value }, "\(place): values differ")
    let key = randomKey()
    try require(try snapshot.get(alpha, key) == expected[key], "\(place): \(key) differs")
  }
}
