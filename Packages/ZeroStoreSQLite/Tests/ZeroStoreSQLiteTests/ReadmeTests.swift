import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreSQLite

@Suite struct SQLiteReadmeTests {
  @Test("the README's example does what it says")
  func example() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }

    let provider: any StoreProvider = .sqlite(
      directory: folder.path, options: .init(synchronous: .normal))
    let store = try provider.open("notes", tables: ["rows"])
    try store.write { try $0.put(StoreTable(0), Array("row/1".utf8), Array("{}".utf8)) }
    store.close()

    let again = try provider.open("notes", tables: ["rows"])
    #expect(try again.read { try $0.get(StoreTable(0), Array("row/1".utf8)) } == Array("{}".utf8))
  }
}
