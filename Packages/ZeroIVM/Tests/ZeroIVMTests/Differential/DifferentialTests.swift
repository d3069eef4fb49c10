import Foundation
import Testing

@Suite("Random queries and changes")
struct DifferentialTests {
  /// `ZERO_DIFFERENTIAL_CASES` and `ZERO_DIFFERENTIAL_SEED` choose other cases.
  private static func setting(_ name: String, _ usual: UInt64) -> UInt64 {
    ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) } ?? usual
  }

  @Test("views equal fresh ones and an evaluation by nested loops after every change")
  func views() async throws {
    let count = Self.setting("ZERO_DIFFERENTIAL_CASES", 2000)
    let first = Self.setting("ZERO_DIFFERENTIAL_SEED", 1)
    print("\(count) cases from seed \(first)")
    let failed = await withTaskGroup(of: UInt64?.self) { group in
      let lanes: UInt64 = 2
      for lane in 0..<lanes {
        group.addTask {
          for seed in stride(from: first + lane, to: first + count, by: Int(lanes))
          where DifferentialCase(seed: seed).failure() != nil {
            return seed
          }
          return nil
        }
      }
      return await group.reduce(into: [UInt64]()) { if let seed = $1 { $0.append(seed) } }
    }
    for seed in failed {
      let smallest = DifferentialCase(seed: seed).shrunk()
      Testing.Issue.record("seed \(seed): \(smallest.failure() ?? "")\n\(smallest)")
    }
  }
}
