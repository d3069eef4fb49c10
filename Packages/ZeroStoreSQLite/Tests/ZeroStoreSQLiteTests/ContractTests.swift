import Testing
import ZeroContracts
import ZeroStoreSQLite

@Suite struct SQLiteContractTests {
  @Test("the store contract holds", arguments: StoreContract.cases)
  func holds(_ rule: StoreContract.Case) throws {
    try rule.check { folder in SQLiteStoreProvider(directory: folder) }
  }

  @Test("the store contract holds with full synchronization", arguments: StoreContract.cases)
  func holdsInFull(_ rule: StoreContract.Case) throws {
    try rule.check { folder in
      SQLiteStoreProvider(directory: folder, options: .init(synchronous: .full))
    }
  }
}
