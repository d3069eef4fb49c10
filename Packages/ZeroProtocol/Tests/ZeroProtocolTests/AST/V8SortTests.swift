import Testing

@testable import ZeroProtocol

@Suite("V8's sort")
struct V8SortTests {
  /// A small generator, so that failures can be repeated from their seed.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11 ^ state << 21
    }
  }

  @Test("a consistent order sorts stably", arguments: UInt64(1)...40)
  func stable(_ seed: UInt64) {
    var random = Generator(state: seed)
    let count = Int.random(in: 0...600, using: &random)
    let range = Int.random(in: 1...300, using: &random)
    let elements = (0..<count).map { (key: Int.random(in: 0..<range, using: &random), place: $0) }
    var sorted = elements
    sorted.sortAsV8 { $0.key < $1.key }
    let expected = elements.sorted { ($0.key, $0.place) < ($1.key, $1.place) }
    #expect(sorted.map(\.place) == expected.map(\.place), "seed \(seed)")
  }

  @Test("runs that ascend, descend and alternate are merged")
  func runs() {
    for count in [63, 64, 65, 127, 128, 129, 1000] {
      let descending = Array((0..<count).reversed())
      let saw = (0..<count).map { $0 % 50 }
      for elements in [descending, saw, Array(0..<count)] {
        var sorted = elements
        sorted.sortAsV8 { $0 < $1 }
        #expect(sorted == elements.sorted())
      }
    }
  }

  @Test("an error of the comparison leaves through the sort and loses no element")
  func failure() {
    struct Failure: Error {}
    var elements = Array((0..<200).map { $0 * 7 % 200 })
    var calls = 0
    #expect(throws: Failure.self) {
      try elements.sortAsV8 { (a: Int, b: Int) throws in
        calls += 1
        if calls == 150 { throw Failure() }
        return a < b
      }
    }
    #expect(calls == 150)
  }
}
