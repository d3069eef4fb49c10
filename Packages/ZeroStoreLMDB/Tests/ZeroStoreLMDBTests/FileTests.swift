import Testing
import ZeroContracts
import ZeroStoreLMDB

@Suite(.serialized) struct LMDBFileTests {
  @Test("the store contract holds with real files", arguments: StoreContract.fileCases)
  func holds(_ rule: StoreContract.FileCase) throws {
    try rule.check(worker: "lmdb-store-worker") { folder in
      LMDBStoreProvider(directory: folder, options: .init(busyTimeout: .zero))
    }
  }
}
