import Testing
import ZeroFuzz

@Suite struct FuzzTests {
  @Test(
    "mutated texts are decoded or refused, never more",
    arguments: [UInt64(1), 20_261_130])
  func mutatedTexts(seed: UInt64) throws {
    print("seed \(seed)")
    var fuzzer = Fuzzer(seed: seed)
    for _ in 0..<1500 { try fuzzer.step() }
  }

  #if os(Linux)
    @Test("no decoder takes more than twenty times the memory of its text")
    func memory() async {
      await #expect(processExitsWith: .success) {
        if MemoryCheck.isPossible { _ = try MemoryCheck.run(size: 1 << 20) }
      }
    }
  #endif
}
