import Testing
import ZeroContracts
import ZeroStoreSQLite

@Suite(.serialized) struct SQLiteFileTests {
  @Test("the store contract holds with real files", arguments: StoreContract.fileCases)
  func holds(_ rule: StoreContract.FileCase) throws {
    try rule.check(worker: "sqlite-store-worker") { folder in
      SQLiteStoreProvider(directory: folder, options: .init(busyTimeout: .zero))
    }
  }
}
