import Testing
import ZeroProtocol
import ZeroStoreEncrypted
import ZeroStoreMemory

@Suite struct EncryptedReadmeTests {
  @Test("the README's example does what it says")
  func example() throws {
    let key = EncryptionKey.random()
    let provider: any StoreProvider = EncryptedStoreProvider(MemoryStoreProvider(), key: key)
    let store = try provider.open("notes", tables: ["rows"])
    try store.write { try $0.put(StoreTable(0), Array("row/1".utf8), Array("{}".utf8)) }
    store.close()

    let again = try provider.open("notes", tables: ["rows"])
    #expect(try again.read { try $0.get(StoreTable(0), Array("row/1".utf8)) } == Array("{}".utf8))
  }
}
