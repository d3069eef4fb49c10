import CZeroSQLite
import Foundation
import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreSQLite

/// A closed database with pages of all kinds, whose file can be damaged and restored.
final class SampleDatabase {
  typealias Content = [[[UInt8]: [UInt8]]]

  let provider: SQLiteStoreProvider
  let path: String
  private(set) var file: [UInt8] = []
  private(set) var content: Content = [[:], [:], [:]]

  private let folder: TemporaryFolder
  private let tables = ["alpha", "Beta_2", "empty"]
  private var owner = Data()
  private var times: [timespec] = []

  /// - Parameters:
  ///   - change: what another program does to the empty database.
  ///   - leaves: whether pages are freed that no table uses again.
  init(after change: String = "", freesPages: Bool = true) throws {
    folder = try TemporaryFolder()
    provider = SQLiteStoreProvider(directory: folder.path)
    path = provider.path(of: "db")
    try open().close()
    if !change.isEmpty { try Self.run(change, on: path) }
    // Opened once more, a file that was changed counts as closed in order.
    try open().close()
    let store = try open()
    for number in 0..<150 { put("row/\(number)", [UInt8](repeating: UInt8(number), count: 40), 0) }
    put(String(repeating: "long/", count: 60), [UInt8](repeating: 7, count: 700), 0)
    put("large", [UInt8](repeating: 8, count: 2_500), 0)
    put("tiny", [], 0)
    for number in 0..<9 { put("\(number)", [1, 2, 3], 1) }
    try store.write { transaction in
      for (ordinal, records) in content.enumerated() {
        for (key, value) in records { try transaction.put(StoreTable(ordinal), key, value) }
      }
      for number in 0..<60 where freesPages {
        try transaction.put(StoreTable(2), [UInt8(number)], [UInt8](repeating: 5, count: 99))
      }
    }
    try store.write { try $0.deletePrefix(StoreTable(2), [UInt8]().span.bytes) }
    // Leaves free blocks and fragments in the pages.
    try store.write { transaction in
      for number in stride(from: 3, to: 150, by: 7) {
        try transaction.delete(StoreTable(0), Array("row/\(number)".utf8))
        content[0][Array("row/\(number)".utf8)] = nil
      }
      let key = Array("row/5".utf8)
      content[0][key] = [UInt8](repeating: 6, count: 38)
      try transaction.put(StoreTable(0), key, [UInt8](repeating: 6, count: 38))
    }
    store.close()
    file = [UInt8](try Data(contentsOf: URL(filePath: path)))
    owner = try Data(contentsOf: URL(filePath: path + ".owner"))
    var info = stat()
    try #require(stat(path, &info) == 0)
    #if canImport(Darwin)
      times = [info.st_atimespec, info.st_mtimespec]
    #else
      times = [info.st_atim, info.st_mtim]
    #endif
  }

  deinit { folder.remove() }

  func open() throws -> any Store { try provider.open("db", tables: tables) }

  /// Puts other bytes into the file as a medium would that fails: its time of change is as it was.
  func replace(with bytes: [UInt8]) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    }
    try Data(bytes).write(to: URL(filePath: path))
    try owner.write(to: URL(filePath: path + ".owner"))
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  /// Everything that is in the database, read in both ways.
  func read(_ store: any Store) throws -> Content {
    try store.read { snapshot in
      var all: Content = [[:], [:], [:]]
      for ordinal in all.indices {
        let table = StoreTable(ordinal)
        try snapshot.scan(table, prefix: [UInt8]().span.bytes, after: nil) { key, value in
          all[ordinal][key.withUnsafeBytes { Array($0) }] = value.withUnsafeBytes { Array($0) }
          return true
        }
        for (key, value) in content[ordinal] where try snapshot.get(table, key) != value {
          all[ordinal][key] = nil
        }
      }
      return all
    }
  }

  /// Opens the database, reads everything, and writes a record that it takes away again.
  /// - Returns: whether what was read is what was written.
  /// - Throws: what the store throws.
  func isSound() throws -> Bool {
    let store = try open()
    defer { store.close() }
    guard try read(store) == content else { return false }
    let key = Array("written/later".utf8)
    let value = [UInt8](repeating: 1, count: 90)
    try store.write { try $0.put(StoreTable(0), key, value) }
    var later = content
    later[0][key] = value
    guard try read(store) == later else { return false }
    try store.write { try $0.delete(StoreTable(0), key) }
    return true
  }

  static func run(_ sql: String, on path: String) throws {
    var database: OpaquePointer?
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(database)))")
  }

  private func put(_ key: String, _ value: [UInt8], _ ordinal: Int) {
    content[ordinal][Array(key.utf8)] = value
  }
}
