import Testing
import ZeroContracts
import ZeroStoreLMDB

@Suite struct LMDBContractTests {
  @Test("the store contract holds", arguments: StoreContract.cases)
  func holds(_ rule: StoreContract.Case) throws {
    try rule.check { folder in LMDBStoreProvider(directory: folder) }
  }

  @Test("the store contract holds where commits are sealed", arguments: StoreContract.cases)
  func holdsSealed(_ rule: StoreContract.Case) throws {
    try rule.check { folder in
      LMDBStoreProvider(directory: folder, options: .init(synchronization: .full))
    }
  }

  @Test("the store contract holds in a map that has to grow", arguments: StoreContract.cases)
  func holdsWhileGrowing(_ rule: StoreContract.Case) throws {
    try rule.check { folder in
      LMDBStoreProvider(
        directory: folder, options: .init(synchronization: .process, initialMapBytes: 1 << 20))
    }
  }
}
