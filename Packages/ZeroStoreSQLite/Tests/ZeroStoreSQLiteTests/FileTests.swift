import Testing
import ZeroContracts
import ZeroStoreSQLite

@Suite(.serialized) struct SQLiteFileTests {
  @Test(
    "the store contract holds with real files", arguments: StoreContract.fileCases,
    ["normal", "full"])
  func holds(_ rule: StoreContract.FileCase, synchronous: String) throws {
    try rule.check(worker: "sqlite-store-worker", folderName: synchronous) { folder in
      SQLiteStoreProvider(
        directory: folder,
        options: .init(synchronous: synchronous == "full" ? .full : .normal, busyTimeout: .zero))
    }
  }
}
