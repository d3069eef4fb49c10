import Testing
@_spi(Engine) import ZeroProtocol

@testable import ZeroClient

/// Rows that are decoded while a store is read.
@Suite("Rows in batches") struct RowDecodingTests {
  private static let table = TableDescriptor(
    "item", columns: [.init("id", .string), .init("body", .string)], primaryKey: ["id"])

  private static func row(_ place: Int) -> Row {
    var builder = RowBuilder()
    builder.begin(table.layout)
    builder.set(0, "\(place)")
    builder.set(1, String(repeating: "body ", count: 1 + place % 90))
    return builder.finish()
  }

  @Test(
    "rows come in the order in which they were read, and unreadable ones are named",
    arguments: [0, 1, 300, 9000])
  func keepsOrder(_ count: Int) {
    let decoding = RowDecoding(Self.table)
    var batch = RecordBatch()
    var batches = 1
    for place in 0..<count {
      let value = place % 1000 == 7 ? [9, 9] : StoredRow.encode(Self.row(place))
      batch.append(Array("item/\(place)".utf8).span.bytes, value.span.bytes)
      if batch.isFull {
        decoding.add(batch)
        batch = RecordBatch()
        batches += 1
      }
    }
    let decoded = decoding.finish(with: batch)
    #expect(decoded.count == batches)
    #expect((batches > 10) == (count == 9000))
    let places = 0..<count
    #expect(
      decoded.flatMap(\.rows).map { $0["id"] }
        == places.filter { $0 % 1000 != 7 }.map { .string("\($0)") })
    #expect(
      decoded.flatMap(\.unreadableKeys)
        == places.filter { $0 % 1000 == 7 }.map { Array("item/\($0)".utf8) })
  }
}
