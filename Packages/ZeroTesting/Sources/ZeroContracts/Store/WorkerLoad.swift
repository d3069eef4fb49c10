import ZeroProtocol

/// Numbered transactions whose result can be told from the last number alone.
enum WorkerLoad {
  private static let slots = 61

  /// Makes transaction `number`: its slot's old records go, new ones come, the counter moves.
  static func write(_ number: Int, to transaction: any StoreTransaction) throws {
    try transaction.deletePrefix(alpha, bytes("\(number % slots)/"))
    for (key, value) in records(of: number) { try transaction.put(alpha, key, value) }
    try transaction.put(beta, bytes("counter"), bytes("\(number)"))
  }

  /// Checks that the state is exactly that after some transaction, and returns its number; 0 for an
  /// empty database.
  static func verify(_ snapshot: any StoreSnapshot) throws -> Int {
    let text = try snapshot.get(beta, bytes("counter")).map { String(decoding: $0, as: UTF8.self) }
    guard let number = Int(text ?? "0") else {
      throw StoreContract.Violation(message: "the counter is \"\(text ?? "")\"")
    }
    var expected: [[UInt8]: [UInt8]] = [:]
    for last in max(1, number - slots + 1)..<max(1, number + 1) {
      for (key, value) in records(of: last) { expected[key] = value }
    }
    let found = try snapshot.pairs(alpha)
    try require(
      found.count == expected.count && found.allSatisfy { expected[$0.key] == $0.value },
      "the records are not those of transaction \(number)")
    return number
  }

  private static func records(of number: Int) -> [(key: [UInt8], value: [UInt8])] {
    var random = SeededRandom(seed: UInt64(number))
    return (0...random.next(below: 6)).map { index in
      let size = random.next(below: 8) == 0 ? 20_000 : random.next(below: 400)
      return (
        bytes("\(number % slots)/\(index)"),
        [UInt8](repeating: UInt8(truncatingIfNeeded: number &+ index), count: size)
      )
    }
  }
}
