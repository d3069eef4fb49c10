import CZeroSQLite
import Foundation
import Testing
import ZeroContracts
import ZeroProtocol

@testable import ZeroStoreSQLite

/// Files that are sound, however unusual, and files that are made to mislead.
@Suite(.serialized) struct SQLiteFileCheckTests {
  private let table = StoreTable(0)

  /// What a walk over a file finds unusual.
  private func walk(_ path: String) throws -> String? {
    let file = try #require(FileHandle(forReadingAtPath: path))
    defer { try? file.close() }
    let size = Int(try file.seekToEnd())
    let header = try SQLiteFileHeader(descriptor: file.fileDescriptor, fileBytes: size)
    var walk = SQLitePageWalk(descriptor: file.fileDescriptor, header: header)
    return try walk.run()
  }

  @Test(
    "pages of any size are checked", arguments: [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])
  func pageSizes(bytes: Int) throws {
    let change = "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(bytes); VACUUM"
    let database = try SampleDatabase(after: change)
    #expect(database.file[16...17].elementsEqual([UInt8(bytes >> 8 & 255), UInt8(bytes >> 16)]))
    #expect(try walk(database.path) == nil)
    #expect(try database.isSound())
    #expect(try walk(database.path) == nil)
  }

  @Test(
    "what another program has changed is left to the library's own check, and opens",
    arguments: [
      "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = FULL; VACUUM",
      "PRAGMA journal_mode = DELETE; PRAGMA auto_vacuum = INCREMENTAL; VACUUM",
      "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO note VALUES (1, 'x')",
      "CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT)",
      "CREATE INDEX large ON t_alpha (v)",
      "CREATE VIEW keys AS SELECT k FROM t_alpha", "ANALYZE",
      "CREATE TRIGGER never AFTER DELETE ON zero_meta BEGIN SELECT 1; END",
    ])
  func changed(change: String) throws {
    let database = try SampleDatabase(after: change)
    #expect(try walk(database.path) != nil)
    #expect(try database.isSound())
    #expect(try database.isSound())
  }

  @Test("a file with a rollback journal gets its write-ahead log back")
  func rollbackJournal() throws {
    let database = try SampleDatabase()
    try SampleDatabase.run("PRAGMA journal_mode = DELETE", on: database.path)
    #expect(try walk(database.path) == nil)
    #expect(try database.isSound())
    #expect(try Data(contentsOf: URL(filePath: database.path))[18] == 2)
  }

  @Test("many free pages, as deleting a large table leaves them, are all accounted for")
  func freePages() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = SQLiteStoreProvider(directory: folder.path)
    let store = try provider.open("db", tables: ["t"])
    try store.write { transaction in
      for number in 0..<2500 {
        let key = Array("\(number)".utf8)
        try transaction.put(table, key, [UInt8](repeating: 1, count: 4_000))
      }
    }
    try store.write { try $0.deletePrefix(table, Array("1".utf8).span.bytes) }
    store.close()
    let path = provider.path(of: "db")
    let file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    // More than one list can hold.
    #expect(Int(file[38]) << 8 | Int(file[39]) > 1022)
    #expect(try walk(path) == nil)
    let again = try provider.open("db", tables: ["t"])
    #expect(try again.read { try $0.get(table, Array("2".utf8)) }?.count == 4_000)
    try again.write { try $0.deletePrefix(table, [UInt8]().span.bytes) }
    again.close()
    #expect(try walk(path) == nil)
  }

  @Test("a file whose process was killed is checked together with its log")
  func unclean() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = SQLiteStoreProvider(directory: folder.path + "/a")
    let store = try provider.open("db", tables: ["t"])
    for number in 0..<300 {
      try store.write { transaction in
        try transaction.put(table, Array("\(number)".utf8), [UInt8](repeating: 1, count: 900))
      }
    }
    try FileManager.default.copyItem(atPath: folder.path + "/a", toPath: folder.path + "/b")
    store.close()
    let left = SQLiteStoreProvider(directory: folder.path + "/b")
    #expect(FileManager.default.fileExists(atPath: left.path(of: "db") + "-wal"))
    let copy = try left.open("db", tables: ["t"])
    for number in 0..<300 {
      #expect(try copy.read { try $0.get(table, Array("\(number)".utf8)) }?.count == 900)
    }
    copy.close()
    #expect(try walk(left.path(of: "db")) == nil)
  }

  @Test("a file of which another program reads an older state opens with the newest")
  func olderReader() throws {
    let database = try SampleDatabase()
    var reader: OpaquePointer?
    try #require(sqlite3_open(database.path, &reader) == SQLITE_OK)
    let begin = "BEGIN; SELECT count(*) FROM t_alpha"
    try #require(sqlite3_exec(reader, begin, nil, nil, nil) == SQLITE_OK)
    let write = "UPDATE zero_meta SET value = 'other'; UPDATE zero_meta SET value = 'db'"
    try SampleDatabase.run(write, on: database.path)
    #expect(try Data(contentsOf: URL(filePath: database.path + "-wal")).isEmpty == false)
    #expect(try database.isSound())
    #expect(try database.isSound())
    sqlite3_close(reader)
    #expect(try database.isSound())
    #expect(try walk(database.path) == nil)
  }

  @Test("whatever the store writes is sound", arguments: [512, 4096])
  func anyWrites(pageBytes: Int) throws {
    let change = "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(pageBytes); VACUUM"
    let database = try SampleDatabase(after: change, freesPages: false)
    let seed = TestSeed.value
    var random = SeededNumbers(seed: seed)
    for round in 0..<25 {
      let store = try database.open()
      try store.write { transaction in
        for _ in 0..<60 {
          let key =
            Array("\(random.below(400))".utf8)
            + Array(repeating: 9, count: random.below(2) * random.below(1200))
          let table = StoreTable(random.below(3))
          switch random.below(8) {
          case 0:
            let prefix = Array(key.prefix(1 + random.below(2)))
            try transaction.deletePrefix(table, prefix.span.bytes)
          case 1, 2: try transaction.delete(table, key)
          default:
            let most = [10, 100, 500, 9_000][random.below(4)]
            let value = [UInt8](repeating: 3, count: random.below(most))
            try transaction.put(table, key, value)
          }
        }
      }
      store.close()
      do { #expect(try walk(database.path) == nil) } catch let damage as SQLitePageWalk.Damage {
        Issue.record("seed \(seed), round \(round): \(damage.what)")
      }
    }
  }

  @Test("no bytes end the walk in any other way than with an answer")
  func anyBytes() throws {
    let databases = try ["", "PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM"]
      .map { try SampleDatabase(after: $0) }
    let seed = TestSeed.value
    var random = SeededNumbers(seed: seed)
    var found = 0
    for round in 0..<600 {
      let database = databases[round % 2]
      var file = database.file
      for _ in 0...random.below(6) {
        let page = random.below(file.count / 512) * 512
        let place = random.below(2) == 0 ? random.below(512) : random.below(24)
        file[page + place] = UInt8(random.below(256))
      }
      if round % 5 == 0 { file.removeLast(random.below(file.count)) }
      try Data(file).write(to: URL(filePath: database.path))
      do { _ = try walk(database.path) } catch is SQLitePageWalk.Damage { found += 1 }
    }
    #expect(found > 200, "seed \(seed)")
  }
}

/// Numbers that are the same for a seed.
private struct SeededNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed | 1 }

  mutating func below(_ end: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(end))
  }
}
