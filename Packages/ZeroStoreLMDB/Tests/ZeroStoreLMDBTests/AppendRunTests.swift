import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreLMDB

@Suite struct AppendRunTests {
  private func key(_ number: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8)]
      + [UInt8(truncatingIfNeeded: number)]
  }

  @Test(
    "runs of records in order, broken off in every way, leave what was put",
    arguments: [1 << 16, 1 << 30])
  func brokenRuns(mapBytes: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = LMDBStoreProvider(
      directory: folder.path, options: .init(synchronization: .process, initialMapBytes: mapBytes))
    let seed = TestSeed.value
    var random = SeededRandom(seed: seed)
    var expected: [Content] = [[:], [:]]
    for _ in 0..<20 {
      let store = try provider.open("db", tables: ["a", "b"])
      var after = expected
      try store.write { transaction in
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let table = Int.random(in: 0...1, using: &random)
          switch Int.random(in: 0..<8, using: &random) {
          case 0:
            let doomed = key(Int.random(in: 0..<20_000, using: &random))
            try transaction.delete(StoreTable(table), doomed)
            after[table][doomed] = nil
          case 1:
            let prefix = [UInt8(0), UInt8.random(in: 0..<80, using: &random)]
            try transaction.deletePrefix(StoreTable(table), prefix)
            after[table] = after[table].filter { !$0.key.starts(with: prefix) }
          default:
            let first = Int.random(in: 0..<20_000, using: &random)
            let step = Int.random(in: -1...3, using: &random)
            for place in 0..<Int.random(in: 1...60, using: &random) {
              let next = key(max(0, first + place * step))
              let value = [UInt8](
                repeating: UInt8(place), count: Int.random(in: 0..<400, using: &random))
              try transaction.put(StoreTable(table), next, value)
              after[table][next] = value
            }
          }
        }
      }
      expected = after
      for table in 0...1 {
        #expect(try store.read { try $0.content(table) } == expected[table], "seed \(seed)")
      }
      store.close()
    }
  }

  @Test("records loaded in order fill their pages")
  func fullPages() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = LMDBStoreProvider(directory: folder.path)
    let store = try provider.open("db", tables: ["a"])
    let value = [UInt8](repeating: 7, count: 200)
    try store.write { transaction in
      for number in 0..<20_000 { try transaction.put(StoreTable(0), key(number), value) }
    }
    store.close()
    let file = try FileManager.default.attributesOfItem(atPath: provider.path(of: "db"))
    // 18 records fill a page; the library alone leaves room for one more.
    #expect(try #require(file[.size] as? Int) < 20_000 * 4096 / 18 + 100_000)
  }
}
