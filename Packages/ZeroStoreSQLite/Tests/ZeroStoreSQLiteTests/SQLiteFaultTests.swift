import CZeroSQLite
import Testing
import ZeroContracts
import ZeroProtocol
@_spi(Testing) import ZeroStoreCore
@_spi(Testing) import ZeroStoreSQLite

@Suite(.serialized) struct SQLiteFaultTests {
  private func key(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("a newer layout is refused and left as it is")
  func newerLayout() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = SQLiteStoreProvider(directory: folder.path)
    try provider.open("db", tables: ["t"]).close()
    try run("PRAGMA user_version = 2", on: provider.path(of: "db"))
    let error = #expect(throws: StoreError.self) { _ = try provider.open("db", tables: ["t"]) }
    #expect(error?.code == .incompatible)
    #expect(error?.setAsidePath == nil)
    try run("PRAGMA user_version = 1", on: provider.path(of: "db"))
    try provider.open("db", tables: ["t"]).close()
  }

  @Test(
    "an SQLite file that is not this database is set aside",
    arguments: [
      "UPDATE zero_meta SET value = 'other' WHERE key = 'name'", "DROP TABLE zero_meta",
      "PRAGMA application_id = 7", "PRAGMA user_version = 0",
    ])
  func otherFile(change: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = SQLiteStoreProvider(directory: folder.path)
    try provider.open("db", tables: ["t"]).close()
    try run(change, on: provider.path(of: "db"))
    let error = #expect(throws: StoreError.self) { _ = try provider.open("db", tables: ["t"]) }
    #expect(error?.code == .corrupt, "\(String(describing: error))")
    #expect(error?.setAsidePath != nil)
  }

  @Test("damage found while open makes the next open check everything")
  func damageWhileOpen() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = SQLiteStoreProvider(directory: folder.path)
    let store = try provider.open("db", tables: ["t"])
    try store.write { try $0.put(StoreTable(0), key("k"), key("v")) }
    try run("UPDATE t_t SET v = x'00'", on: provider.path(of: "db"))
    let first = #expect(throws: StoreError.self) {
      _ = try store.read { try $0.get(StoreTable(0), key("k")) }
    }
    #expect(first?.code == .corrupt)
    store.close()
    let second = #expect(throws: StoreError.self) { _ = try provider.open("db", tables: ["t"]) }
    #expect(second?.code == .corrupt)
    #expect(second?.setAsidePath != nil)
    try provider.open("db", tables: ["t"]).close()
  }

  @Test("a database that is let go of while open waits is opened")
  func waitsForHolder() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try StoreContract.checkWaiting(worker: "sqlite-store-worker", folder: folder.path) { pause in
      SQLiteStoreProvider(
        directory: folder.path,
        options: .init(patience: LockPatience(limit: .seconds(1)) { _ in pause() }))
    }
  }

  @Test("a write waits for another program's lock, and is refused as busy when it stays")
  func foreignWriter() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let lock = LockPause()
    let patience = LockPatience(limit: .seconds(1)) { _ in lock.pause() }
    let provider = SQLiteStoreProvider(directory: folder.path, options: .init(patience: patience))
    let store = try provider.open("db", tables: ["t"])
    let program = try WorkerProcess(
      worker: "sqlite-store-worker", arguments: ["lock-file", provider.path(of: "db"), "db"])
    #expect(program.readLine() == "locked")

    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.put(StoreTable(0), key("a"), []) }
    }
    #expect(error?.code == .busy)
    #expect(try store.read { try $0.get(StoreTable(0), key("a")) } == nil)

    lock.plan(after: 3) {
      program.send("go")
      #expect(program.readLine() == "free")
    }
    try store.write { try $0.put(StoreTable(0), key("b"), key("v")) }
    #expect(try store.read { try $0.get(StoreTable(0), key("b")) } == key("v"))
    store.close()
  }

  private func run(_ sql: String, on path: String) throws {
    var database: OpaquePointer?
    try #require(sqlite3_open(path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK)
  }
}
