import Testing
import ZeroProtocol

@Suite struct NumberTests {
  @Test("numbers are read as the nearest double", arguments: [UInt64(1), 2, 3])
  func nearest(seed: UInt64) throws {
    var random = SeededRandom(seed)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 1...22, using: &random)
      var text = Bool.random(using: &random) ? "-" : ""
      text += String(Int.random(in: 1...9, using: &random))
      for _ in 1..<digits { text += String(Int.random(in: 0...9, using: &random)) }
      if Bool.random(using: &random) {
        text += "."
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          text += String(Int.random(in: 0...9, using: &random))
        }
      }
      if Bool.random(using: &random) { text += "e\(Int.random(in: -330...310, using: &random))" }
      #expect(
        try JSONValue(parsing: text) == .number(Double(text) ?? .nan), "\(text), seed \(seed)")
    }
  }

  @Test(
    "numbers half-way between two doubles go to the even one",
    arguments: [
      ("9007199254740993", 9_007_199_254_740_992), ("9007199254740995", 9_007_199_254_740_996),
      ("9007199254740993.0000000000000000000000001", 9_007_199_254_740_994),
      ("1.00000000000000011102230246251565404236316680908203125", 1),
      ("1.00000000000000011102230246251565404236316680908203126", 1.0000000000000002),
      ("0.500000000000000166", 0.5000000000000001), ("5e-324", .leastNonzeroMagnitude),
      ("2.4e-324", 0),
      ("1.7976931348623157e308", 1.7976931348623157e308),
      ("18446744073709551615", 18_446_744_073_709_551_616),
      ("0.000000000000000000001234567890123456789", 1.2345678901234568e-21),
    ])
  func ties(text: String, expected: Double) throws {
    #expect(try JSONValue(parsing: text) == .number(expected))
  }

  @Test("a printed number reads back as the same double", arguments: [UInt64(7), 8])
  func roundTrip(seed: UInt64) throws {
    var random = SeededRandom(seed)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite, value != 0 else { continue }
      guard case .number(let read) = try JSONValue(parsing: value.javaScriptText) else {
        Issue.record("\(value) is read as no number")
        continue
      }
      #expect(read.bitPattern == value.bitPattern, "\(value), seed \(seed)")
    }
  }

  @Test(
    "numbers print as in JavaScript",
    arguments: [
      (0, "0"), (-0.0, "0"), (1, "1"), (-1.5, "-1.5"), (1e20, "100000000000000000000"),
      (1e21, "1e+21"), (1.5e300, "1.5e+300"), (1e-6, "0.000001"), (1e-7, "1e-7"),
      (1.25e-7, "1.25e-7"), (0.1 + 0.2, "0.30000000000000004"), (123456.789e-10, "0.0000123456789"),
      (9_007_199_254_740_992, "9007199254740992"), (.leastNonzeroMagnitude, "5e-324"),
      (123_456_789_012_345_683_968, "123456789012345680000"), (.nan, "NaN"),
      (-.infinity, "-Infinity"),
    ] as [(Double, String)])
  func printing(value: Double, text: String) {
    #expect(value.javaScriptText == text)
  }
}

/// SplitMix64.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
