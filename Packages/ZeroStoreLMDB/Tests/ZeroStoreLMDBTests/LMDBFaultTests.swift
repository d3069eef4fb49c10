import CZeroLMDB
import Testing
import ZeroContracts
import ZeroProtocol
@_spi(Testing) import ZeroStoreCore
@_spi(Testing) import ZeroStoreLMDB

@Suite(.serialized) struct LMDBFaultTests {
  private func key(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("a newer layout is refused and left as it is")
  func newerLayout() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = LMDBStoreProvider(directory: folder.path)
    try provider.open("db", tables: ["t"]).close()
    try setMeta("layout", "2", in: provider.path(of: "db"))
    let error = #expect(throws: StoreError.self) { _ = try provider.open("db", tables: ["t"]) }
    #expect(error?.code == .incompatible)
    #expect(error?.setAsidePath == nil)
    try setMeta("layout", "1", in: provider.path(of: "db"))
    try provider.open("db", tables: ["t"]).close()
  }

  @Test("a file that holds another database is set aside")
  func otherName() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = LMDBStoreProvider(directory: folder.path)
    try provider.open("db", tables: ["t"]).close()
    try setMeta("name", "other", in: provider.path(of: "db"))
    let error = #expect(throws: StoreError.self) { _ = try provider.open("db", tables: ["t"]) }
    #expect(error?.code == .corrupt)
    #expect(error?.setAsidePath != nil)
  }

  @Test("a database that is let go of while open waits is opened")
  func waitsForHolder() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try StoreContract.checkWaiting(worker: "lmdb-store-worker", folder: folder.path) { pause in
      LMDBStoreProvider(
        directory: folder.path,
        options: .init(patience: LockPatience(limit: .seconds(1)) { _ in pause() }))
    }
  }

  @Test(
    "a write waits for another program's, also for one that is killed", arguments: [false, true])
  func foreignWriter(isKilled: Bool) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = LMDBStoreProvider(directory: folder.path)
    let store = try provider.open("db", tables: ["t"])
    let program = try WorkerProcess(
      worker: "lmdb-store-worker", arguments: ["lock-file", provider.path(of: "db"), "db"])
    #expect(program.readLine() == "locked")
    if isKilled { program.killNow() } else { program.send("go") }
    try store.write { try $0.put(StoreTable(0), key("k"), key("v")) }
    #expect(try store.read { try $0.get(StoreTable(0), key("k")) } == key("v"))
    store.close()
  }

  @Test(
    "a write that has to grow the map under an open read is refused as busy and leaves no trace")
  func growthUnderRead() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let provider = LMDBStoreProvider(
      directory: folder.path, options: .init(busyTimeout: .zero, initialMapBytes: 1 << 18))
    let store = try provider.open("db", tables: ["t"])
    let large = [UInt8](repeating: 1, count: 1 << 20)
    try store.read { snapshot in
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.put(StoreTable(0), key("large"), large) }
      }
      #expect(error?.code == .busy)
      let seen = try snapshot.get(StoreTable(0), key("large"))
      #expect(seen == nil)
    }
    try store.write { transaction in
      for number in UInt8(0)..<8 { try transaction.put(StoreTable(0), [number], large) }
      let own = try transaction.get(StoreTable(0), [0])
      #expect(own == large)
    }
    #expect(try store.read { try $0.get(StoreTable(0), [7]) } == large)
    #expect(try store.read { try $0.get(StoreTable(0), key("large")) } == nil)
  }

  /// Changes a text of `zero_meta` with the library alone.
  private func setMeta(_ name: String, _ value: String, in path: String) throws {
    var environment: OpaquePointer?
    try #require(mdb_env_create(&environment) == 0)
    defer { mdb_env_close(environment) }
    mdb_env_set_maxdbs(environment, 8)
    try #require(mdb_env_open(environment, path, UInt32(MDB_NOSUBDIR), 0o600) == 0)
    var transaction: OpaquePointer?
    try #require(mdb_txn_begin(environment, nil, 0, &transaction) == 0)
    var meta: MDB_dbi = 0
    try #require(mdb_dbi_open(transaction, "zero_meta", 0, &meta) == 0)
    var (nameBytes, valueBytes) = (key(name), key(value))
    let code = nameBytes.withUnsafeMutableBytes { name in
      valueBytes.withUnsafeMutableBytes { value in
        var key = MDB_val(mv_size: name.count, mv_data: name.baseAddress)
        var data = MDB_val(mv_size: value.count, mv_data: value.baseAddress)
        return mdb_put(transaction, meta, &key, &data, 0)
      }
    }
    try #require(code == 0)
    try #require(mdb_txn_commit(transaction) == 0)
  }
}
