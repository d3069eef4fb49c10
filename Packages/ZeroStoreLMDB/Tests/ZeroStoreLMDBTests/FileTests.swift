import Testing
import ZeroContracts
import ZeroStoreLMDB

@Suite(.serialized) struct LMDBFileTests {
  @Test(
    "the store contract holds with real files", arguments: StoreContract.fileCases,
    ["ordered", "full"])
  func holds(_ rule: StoreContract.FileCase, synchronization: String) throws {
    try rule.check(worker: "lmdb-store-worker", folderName: synchronization) { folder in
      LMDBStoreProvider(
        directory: folder,
        options: .init(
          synchronization: synchronization == "full" ? .full : .ordered, busyTimeout: .zero))
    }
  }
}
