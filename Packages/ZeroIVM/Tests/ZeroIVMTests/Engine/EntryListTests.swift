import Testing
@_spi(Engine) import ZeroProtocol

@_spi(Engine) @testable import ZeroIVM

@Suite("Lists of entries")
struct EntryListTests {
  private static let layout = RowLayout(
    table: "thing", columns: [.init("id", .number)], primaryKey: ["id"])

  private static var order: RowOrder { .primary(layout, Faults()) }

  private static func rows(_ ids: some Sequence<Int>) -> ContiguousArray<Row> {
    var builder = RowBuilder()
    return ContiguousArray(
      ids.map { id in
        builder.begin(layout)
        builder.set(0, Double(id))
        return builder.finish()
      })
  }

  private static func number(_ entry: Entry) -> Int? {
    guard case .number(let number) = entry.row[0] else { return nil }
    return Int(exactly: number)
  }

  @Test(
    "a slice is read in order, whatever leaves and nodes it begins and ends in",
    arguments: [0, 1, 16, 17, 255, 257, 5000])
  func slices(count: Int) {
    let list = EntryList(ContiguousArray(Self.rows(0..<count).map { Entry($0) }), Self.order)
    #expect(list.map(Self.number) == Array(0..<count))
    for start in stride(from: 0, through: count, by: max(1, count / 97)) {
      for length in [0, 1, 15, 20, 300] where start + length <= count {
        let read = list[start..<start + length].map(Self.number)
        #expect(read == Array(start..<start + length), "\(length) from \(start) of \(count)")
      }
    }
  }

  @Test("an iterator goes on in the list it was made from when the list changes")
  func changeWhileReading() {
    var list = EntryList(ContiguousArray(Self.rows(0..<100).map { Entry($0) }), Self.order)
    var iterator = list.makeIterator()
    let first = iterator.next().flatMap(Self.number)
    list.update { entries in
      for _ in 0..<90 { entries.remove(at: entries.path(to: 5)) }
    }
    var rest: [Int?] = []
    while let entry = iterator.next() { rest.append(Self.number(entry)) }
    #expect(first == 0)
    #expect(rest == Array(1..<100))
    #expect(list.count == 10)
  }

  @Test("neighbors of rows are compared in the order of the engine")
  func neighbors() throws {
    let rows = Self.rows([1, 5, 9, 9, 7, 8])
    #expect(try ColumnOrder.balance(ofNeighbors: rows, column: 0) == 2)
    #expect(try ColumnOrder.balance(ofNeighbors: [], column: 0) == 0)
  }
}
