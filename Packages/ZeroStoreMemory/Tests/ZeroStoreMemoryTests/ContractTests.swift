import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreMemory

@Suite struct MemoryContractTests {
  @Test("the store contract holds", arguments: StoreContract.cases)
  func holds(_ rule: StoreContract.Case) throws {
    try rule.check { _ in MemoryStoreProvider() }
  }

  @Test("the process-wide provider keeps a closed database, another one has none of it")
  func sharing() throws {
    let name = "memory-sharing-test"
    let store = try MemoryStoreProvider.memory.open(name, tables: ["t"])
    store.close()
    #expect(try MemoryStoreProvider.memory.list().contains(name))
    #expect(try MemoryStoreProvider().list() == [])
    try MemoryStoreProvider.memory.drop(name)
  }
}
