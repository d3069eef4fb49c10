import Testing
@_spi(Engine) import ZeroProtocol

@testable @_spi(Engine) import ZeroStoreMemory

@Suite struct RowKeepingTests {
  @Test("kept rows and bytes under the same keys read the same, in the same order")
  func sameAsBytes() throws {
    let (kept, copied) = (try store(), try store())
    for number in (0..<2_000).map({ $0 * 7919 % 2_000 }) {
      let row = row(number)
      try kept.write { transaction in
        let memory = try #require(transaction as? any RowKeeping)
        // Some keys come whole, as those of several columns do.
        let key = number % 3 == 0 ? RowRecordKey(key(number)) : RowRecordKey(prefix, column: 0)
        try memory.put(table, key, format: 2, row)
      }
      try copied.write { try $0.put(table, key(number), bytes(row)) }
    }
    #expect(try pairs(kept) == pairs(copied))
    let same = try kept.read { try $0.get(table, key(1_234)) }
    #expect(same == bytes(row(1_234)))
  }

  @Test("a kept row is replaced and deleted by its key")
  func replaced() throws {
    let store = try store()
    try store.write { transaction in
      let memory = try #require(transaction as? any RowKeeping)
      for number in 0..<200 {
        try memory.put(table, RowRecordKey(prefix, column: 0), format: 2, row(number))
      }
      for number in 0..<100 { try transaction.delete(table, key(number)) }
      try transaction.put(table, key(100), [9])
      try memory.put(table, RowRecordKey(prefix, column: 0), format: 2, row(150))
      try memory.put(table, RowRecordKey(key(200)), format: 2, row(200))
    }
    let left = try pairs(store)
    #expect(left.map(\.key) == (100...200).map(key))
    #expect(left[0].value == [9])
    #expect(left[100].value == bytes(row(200)))
  }

  @Test("rows come back as they are, or not at all if one was stored as bytes")
  func cameBack() throws {
    let store = try store()
    let rows = (0..<300).map(row)
    try store.write { transaction in
      let memory = try #require(transaction as? any RowKeeping)
      for row in rows { try memory.put(table, RowRecordKey(prefix, column: 0), format: 2, row) }
    }
    func kept(_ prefix: [UInt8]) throws -> ContiguousArray<Row>? {
      try store.read { try ($0 as? any RowKeeping)?.rows(table, prefix: prefix) }
    }
    let found = try #require(try kept(prefix))
    #expect(found.count == 300)
    #expect(zip(found, rows).allSatisfy { $0 === $1 })
    #expect(try kept([1])?.isEmpty == true)
    try store.write { try $0.put(table, key(7), [1]) }
    #expect(try kept(prefix) == nil)
  }

  @Test("a key that is what keys of rows begin with is below them, and that of an empty text")
  func shortKeys() throws {
    let store = try store()
    try store.write { transaction in
      let memory = try #require(transaction as? any RowKeeping)
      try memory.put(table, RowRecordKey(prefix, column: 0), format: 2, row(1))
      try memory.put(table, RowRecordKey(prefix, column: 0), format: 2, row(id: ""))
      try transaction.put(table, prefix, [1])
      try transaction.put(table, Array(prefix.dropLast()), [2])
    }
    let values = try pairs(store).map(\.value)
    #expect(values == [[2], [1], bytes(row(1))])
    try store.write { try $0.deletePrefix(table, key(1)) }
    #expect(try pairs(store).map(\.value) == [[2], [1]])
  }

  // MARK: -

  private struct Pair: Equatable {
    let key: [UInt8]
    let value: [UInt8]
  }

  private let table = StoreTable(0)
  private let prefix = Array("group/issue/".utf8)
  private let layout = RowLayout(
    table: "issue",
    columns: [ColumnDescriptor("id", .string), ColumnDescriptor("title", .string)],
    primaryKey: ["id"])

  private func store() throws -> any Store { try MemoryStoreProvider().open("a", tables: ["rows"]) }

  private func id(_ number: Int) -> String { "i\(10_000 + number)" }

  private func key(_ number: Int) -> [UInt8] { prefix + Array(id(number).utf8) }

  private func row(_ number: Int) -> Row { row(id: id(number)) }

  private func row(id: String) -> Row {
    var builder = RowBuilder()
    builder.begin(layout)
    builder.set(0, Value.string(id))
    builder.set(1, Value.string("title of \(id)"))
    return builder.finish()
  }

  private func bytes(_ row: Row) -> [UInt8] { [2] + row.withPackedBytes { Array($0) } }

  private func pairs(_ store: any Store) throws -> [Pair] {
    try store.read { snapshot in
      var pairs: [Pair] = []
      try snapshot.scan(table) { key, value in
        pairs.append(
          Pair(key: key.withUnsafeBytes { Array($0) }, value: value.withUnsafeBytes { Array($0) }))
        return true
      }
      return pairs
    }
  }
}
