import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreLMDB

@Suite struct LMDBReadmeTests {
  @Test("the README's example does what it says")
  func example() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }

    let provider: any StoreProvider = .lmdb(
      directory: folder.path, options: .init(synchronization: .ordered))
    let store = try provider.open("notes", tables: ["rows"])
    try store.write { try $0.put(StoreTable(0), Array("row/1".utf8), Array("{}".utf8)) }
    store.close()

    let again = try provider.open("notes", tables: ["rows"])
    #expect(try again.read { try $0.get(StoreTable(0), Array("row/1".utf8)) } == Array("{}".utf8))
  }
}
