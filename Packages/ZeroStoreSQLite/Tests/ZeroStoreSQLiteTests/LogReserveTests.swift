import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreSQLite

@Suite struct LogReserveTests {
  private let table = StoreTable(0)

  private func write(_ number: Int, _ byteCount: Int = 200, to store: any Store) throws {
    let key = Array("\(number)".utf8)
    let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: byteCount)
    try store.write { try $0.put(table, key, value) }
  }

  private func logBytes(_ provider: SQLiteStoreProvider) throws -> Int {
    let path = provider.path(of: "db") + "-wal"
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }

  @Test("commits that wait for the disk make the log longer in steps, up to a checkpoint's length")
  func steps() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = SQLiteStoreProvider(
      directory: folder.path, options: .init(synchronous: .full))
    let store = try provider.open("db", tables: ["t"])
    var sizes: [Int] = []
    for number in 0..<2500 {
      try write(number % 3, to: store)
      sizes.append(try logBytes(provider))
    }
    let grown = zip(sizes, sizes.dropFirst()).filter { $0 != $1 }
    #expect(grown.allSatisfy { $1 - $0 >= 200_000 }, "\(grown)")
    #expect(!grown.isEmpty && grown.count < 20)
    #expect(sizes[1100] == sizes[2499])
    #expect(sizes[2499] < 5_000_000)
    store.close()
    let again = try provider.open("db", tables: ["t"])
    #expect(
      try again.read { try $0.get(table, Array("1".utf8)) } == [UInt8](repeating: 1, count: 200))
  }

  @Test("a log with a reserve, as a killed process leaves it, holds all commits and no more")
  func leftBehind() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = SQLiteStoreProvider(
      directory: folder.path + "/a", options: .init(synchronous: .full))
    let store = try provider.open("db", tables: ["t"])
    for number in 0..<50 { try write(number, 5000, to: store) }
    try FileManager.default.copyItem(atPath: folder.path + "/a", toPath: folder.path + "/b")
    let left = SQLiteStoreProvider(
      directory: folder.path + "/b", options: .init(synchronous: .full))
    for round in 1...2 {
      let copy = try left.open("db", tables: ["t"])
      let count = try copy.read { snapshot in
        var count = 0
        try snapshot.scan(table, prefix: [UInt8]().span.bytes, after: nil) { _, _ in
          count += 1
          return true
        }
        return count
      }
      #expect(count == 49 + round)
      try write(49 + round, to: copy)
      copy.close()
    }
  }

  @Test("without waiting for the disk there is no reserve")
  func withoutWaiting() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = SQLiteStoreProvider(directory: folder.path)
    let store = try provider.open("db", tables: ["t"])
    try write(1, to: store)
    #expect(try logBytes(provider) < 100_000)
  }
}
