import Foundation
import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroStoreLMDB

/// Files that are damaged while the store has them open, or made to mislead.
@Suite(.serialized) struct LMDBDamageTests {
  private let table = StoreTable(0)

  /// Opens a database of many pages, damages its file and hands the store over.
  private func withDamage(
    _ damage: (_ path: String) throws -> Void, _ body: (any Store) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = LMDBStoreProvider(directory: folder.path)
    let store = try provider.open("db", tables: ["t"])
    try store.write { transaction in
      for number in 0..<2_000 {
        let key = [UInt8(number / 256), UInt8(number % 256)]
        try transaction.put(table, key, [UInt8](repeating: 7, count: 200))
      }
    }
    try store.read { _ in }
    try damage(provider.path(of: "db"))
    try body(store)
    store.close()
  }

  private func scan(_ snapshot: any StoreSnapshot) throws {
    try snapshot.scan(table, prefix: [UInt8]().span.bytes, after: nil) { _, _ in true }
  }

  /// Makes all branches but the first of every page lead out of the file.
  private func misleadBranches(_ path: String) throws {
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    defer { try? file.close() }
    let bytes = [UInt8](try #require(try file.readToEnd()))
    let number = { (offset: Int) in Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
    for page in stride(from: 8192, to: bytes.count - 4095, by: 4096) where number(page + 10) == 1 {
      for index in 1..<max(1, (number(page + 12) - 16) / 2) {
        try file.seek(toOffset: UInt64(page + number(page + 16 + 2 * index)))
        try file.write(contentsOf: [0xFF, 0xFF, 0xFF, 0x7F])
      }
    }
  }

  @Test("a write that meets a damaged page while it scans fails, and so does what follows in it")
  func damagedScan() throws {
    try withDamage(misleadBranches) { store in
      let error = #expect(throws: StoreError.self) {
        try store.write { transaction in
          try? scan(transaction)
          try transaction.put(table, [1], [])
        }
      }
      #expect(error?.code == .corrupt)
      #expect(throws: StoreError.self) {
        try store.write { transaction in
          try transaction.scan(table, prefix: [UInt8]().span.bytes, after: nil) { _, _ in
            try? scan(transaction)
            return true
          }
        }
      }
    }
  }

  @Test(
    "a file that was cut off while open is an error at the next read and write",
    arguments: [0, 3, 40])
  func truncated(pages: Int) throws {
    try withDamage { path in
      try #require(FileHandle(forUpdatingAtPath: path)).truncate(atOffset: UInt64(pages * 4096))
    } _: { store in
      let reading = #expect(throws: StoreError.self) { try store.read { try scan($0) } }
      #expect(reading?.code == .corrupt)
      let writing = #expect(throws: StoreError.self) {
        try store.write { try $0.put(table, [1], [2]) }
      }
      #expect(writing?.code == .corrupt)
    }
  }

  @Test("tables inside of tables are damage, however deep")
  func nestedTables() {
    let (pageSize, pageCount) = (512, 40_000)
    var file = [UInt8](repeating: 0, count: pageSize * pageCount)
    func store(_ value: UInt64, _ byteCount: Int, at offset: Int) {
      for index in 0..<byteCount {
        file[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index)))
      }
    }
    /// A tree of one leaf with one entry.
    func storeTree(root: Int, at offset: Int) {
      store(1, 2, at: offset + 6)
      store(1, 8, at: offset + 16)
      store(1, 8, at: offset + 32)
      store(UInt64(root), 8, at: offset + 40)
    }
    for index in 0..<2 {
      let page = index * pageSize
      store(UInt64(index), 8, at: page)
      store(8, 2, at: page + 10)
      store(0xBEEF_C0DE, 4, at: page + 16)
      store(1, 4, at: page + 20)
      store(UInt64(pageSize), 4, at: page + 40)
      store(8, 2, at: page + 44)
      store(UInt64.max, 8, at: page + 80)
      storeTree(root: 2, at: page + 88)
      store(UInt64(pageCount - 1), 8, at: page + 136)
    }
    for number in 2..<pageCount {
      let page = number * pageSize
      let node = pageSize - 58
      store(UInt64(number), 8, at: page)
      store(2, 2, at: page + 10)
      store(18, 2, at: page + 12)
      store(UInt64(node), 2, at: page + 14)
      store(UInt64(node), 2, at: page + 16)
      store(48, 2, at: page + node)
      store(2, 2, at: page + node + 4)
      store(1, 2, at: page + node + 6)
      storeTree(root: min(number + 1, pageCount - 1), at: page + node + 9)
    }
    file.withUnsafeBytes { bytes in
      var walk = LMDBPageWalk(file: bytes)
      let damage = #expect(throws: LMDBPageWalk.Damage.self) { try walk.run() }
      #expect(damage?.what == "a node of page 3 has an unknown kind")
    }
  }

  @Test("a wrong number of a commit does not bring back the state before it", arguments: [0, 1])
  func wrongCommitNumber(page: Int) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = LMDBStoreProvider(directory: folder.path)
    let path = provider.path(of: "db")
    for bit in 0..<64 {
      let store = try provider.open("db", tables: ["t"])
      for value in UInt8(0)..<3 { try store.write { try $0.put(table, [1], [value]) } }
      store.close()
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      bytes[page * 4096 + 16 + 128 + bit / 8] ^= 1 << UInt8(bit % 8)
      try Data(bytes).write(to: URL(filePath: path))
      let error = #expect(throws: StoreError.self) { _ = try provider.open("db", tables: ["t"]) }
      #expect(error?.code == .corrupt, "bit \(bit)")
      try provider.drop("db")
    }
  }
}
