import Testing
import ZeroContracts
import ZeroProtocol
import ZeroStoreEncrypted
import ZeroStoreMemory

@Suite struct EncryptedStoreTests {
  private let table = StoreTable(0)
  private let secret = Array("a secret that must not be seen".utf8)

  private func key(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("the store contract holds", arguments: StoreContract.cases)
  func holds(_ rule: StoreContract.Case) throws {
    let key = EncryptionKey.random()
    try rule.check { _ in EncryptedStoreProvider(MemoryStoreProvider(), key: key) }
  }

  @Test("what the wrapped store gets is not the value, and differs for equal values")
  func hidden() throws {
    let memory = MemoryStoreProvider()
    let provider = EncryptedStoreProvider(memory, key: .random())
    let store = try provider.open("db", tables: ["t"])
    try store.write { transaction in
      for name in ["a", "b"] { try transaction.put(table, key(name), secret) }
    }
    store.close()
    let stored = try memory.open("db", tables: ["t"]).read { snapshot in
      [try snapshot.get(table, key("a")), try snapshot.get(table, key("b"))].compactMap { $0 }
    }
    #expect(stored.count == 2)
    #expect(stored[0] != stored[1])
    for value in stored {
      #expect(value.count == secret.count + 29)
      let windows = value.indices.dropLast(8).map { Array(value[$0..<$0 + 8]) }
      #expect(!windows.contains(Array(secret[0..<8])))
    }
  }

  @Test("another key is refused, the right one still works")
  func wrongKey() throws {
    let memory = MemoryStoreProvider()
    let right = EncryptionKey.random()
    let store = try EncryptedStoreProvider(memory, key: right).open("db", tables: ["t"])
    try store.write { try $0.put(table, key("k"), secret) }
    store.close()
    let error = #expect(throws: StoreError.self) {
      _ = try EncryptedStoreProvider(memory, key: .random()).open("db", tables: ["t"])
    }
    #expect(error?.code == .wrongKey)
    let again = try EncryptedStoreProvider(memory, key: right).open("db", tables: ["t"])
    #expect(try again.read { try $0.get(table, key("k")) } == secret)
  }

  @Test("a database that is not encrypted is refused and left as it is")
  func plain() throws {
    let memory = MemoryStoreProvider()
    let store = try memory.open("db", tables: ["t"])
    try store.write { try $0.put(table, key("k"), secret) }
    store.close()
    let error = #expect(throws: StoreError.self) {
      _ = try EncryptedStoreProvider(memory, key: .random()).open("db", tables: ["t"])
    }
    #expect(error?.code == .wrongKey)
    #expect(try memory.open("db", tables: ["t"]).read { try $0.get(table, key("k")) } == secret)
  }

  @Test("a database of which the check of the key is damaged is damaged, not one without a key")
  func damagedCheck() throws {
    let faults = StoreFaults()
    let provider = EncryptedStoreProvider(
      FaultyStoreProvider(MemoryStoreProvider(), faults: faults), key: .random())
    // As of a record whose own key is damaged: it is not found, and a scan comes upon it.
    faults.plan(.scan, .corrupt)
    let error = #expect(throws: StoreError.self) { _ = try provider.open("db", tables: []) }
    #expect(error?.code == .corrupt)
  }

  @Test("a value that was changed, cut or moved to another record is an error", arguments: 0..<4)
  func tampered(kind: Int) throws {
    let memory = MemoryStoreProvider()
    let provider = EncryptedStoreProvider(memory, key: .random())
    let store = try provider.open("db", tables: ["t", "u"])
    try store.write { try $0.put(table, key("k"), secret) }
    store.close()
    let plain = try memory.open("db", tables: ["t", "u"])
    try plain.write { transaction in
      var value = try #require(try transaction.get(table, key("k")))
      switch kind {
      case 0: value[20] ^= 1
      case 1: value.removeLast()
      case 2: try transaction.put(table, key("other"), value)
      default: try transaction.put(StoreTable(1), key("k"), value)
      }
      if kind < 2 { try transaction.put(table, key("k"), value) }
    }
    plain.close()
    let again = try provider.open("db", tables: ["t", "u"])
    let error = #expect(throws: StoreError.self) {
      try again.read { snapshot in
        for table in 0..<2 { try snapshot.scan(StoreTable(table)) { _, _ in true } }
      }
    }
    #expect(error?.code == .corrupt)
  }

  @Test("a key of another length is refused, and its description shows nothing")
  func keys() throws {
    #expect(throws: StoreError.self) { try EncryptionKey([1, 2, 3]) }
    let key = EncryptionKey.random()
    #expect(try EncryptionKey(key.rawBytes).rawBytes == key.rawBytes)
    #expect("\(key)" == "an encryption key")
  }
}
