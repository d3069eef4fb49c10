import Testing
import ZeroProtocol
import ZeroStoreMemory

@Suite struct MemoryReadmeTests {
  @Test("the README's example does what it says")
  func example() throws {
    let provider: any StoreProvider = .memory
    let store = try provider.open("notes", tables: ["rows"])
    try store.write { try $0.put(StoreTable(0), Array("row/1".utf8), Array("{}".utf8)) }
    store.close()

    let again = try provider.open("notes", tables: ["rows"])
    #expect(try again.read { try $0.get(StoreTable(0), Array("row/1".utf8)) } == Array("{}".utf8))
    again.close()
    try provider.drop("notes")
  }
}
