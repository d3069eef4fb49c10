import ZeroProtocol

/// The issues of the data set that the client's workloads use too; see BENCHMARKS.md.
enum IssueData {
  static let table = TableDescriptor(
    "issue",
    columns: [
      ColumnDescriptor("id", .string), ColumnDescriptor("title", .string),
      ColumnDescriptor("description", .string), ColumnDescriptor("open", .boolean),
      ColumnDescriptor("priority", .number), ColumnDescriptor("creatorID", .string),
      ColumnDescriptor("assigneeID", .string, optional: true),
      ColumnDescriptor("created", .number), ColumnDescriptor("modified", .number),
      ColumnDescriptor("rank", .number), ColumnDescriptor("labels", .json),
    ], primaryKey: ["id"])

  static let schema = ZeroSchema(tables: [table])

  /// The payload of a poke with `count` issues, a hundred per part.
  static func payload(_ count: Int) -> [UInt8] {
    var text = Array("[".utf8)
    for first in stride(from: 0, to: count, by: 100) {
      if first > 0 { text.append(UInt8(ascii: ",")) }
      text.append(contentsOf: "{\"pokeID\":\"p1\",\"rowsPatch\":[".utf8)
      for i in first..<min(first + 100, count) {
        if i > first { text.append(UInt8(ascii: ",")) }
        text.append(contentsOf: "{\"op\":\"put\",\"tableName\":\"issue\",\"value\":".utf8)
        text.append(contentsOf: issue(i, of: count).jsonText)
        text.append(UInt8(ascii: "}"))
      }
      text.append(contentsOf: "]}".utf8)
    }
    text.append(UInt8(ascii: "]"))
    return text
  }

  /// Issue number `i` of `count`.
  static func issue(_ i: Int, of count: Int) -> JSONValue {
    var random = RowRandom(table: 3, row: i)
    let users = UInt32(max(count / 100, 1))
    let title = random.words(4 + random.below(5))
    let description = random.words(16)
    let open = random.below(4) != 0
    let priority = random.below(5)
    let creator = id("u", random.below(users))
    let hasAssignee = random.below(3) != 0
    let assignee = id("u", random.below(users))
    let created = 1_700_000_000_000 + 1000 * Double(random.below(31_536_000))
    let modified = created + 1000 * Double(random.below(2_592_000))
    let rank = Double(random.next()) / 4_294_967_296
    let labels = (0..<random.below(4)).map { _ in
      JSONValue.string("tag-\(random.below(20))")
    }
    return .object([
      "id": .string(id("i", UInt32(i))), "title": .string(title),
      "description": .string(description), "open": .bool(open),
      "priority": .number(Double(priority)), "creatorID": .string(creator),
      "assigneeID": hasAssignee ? .string(assignee) : .null, "created": .number(created),
      "modified": .number(modified), "rank": .number(rank), "labels": .array(labels),
    ])
  }

  private static func id(_ letter: String, _ i: UInt32) -> String {
    func hex(_ word: UInt32) -> String {
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }
    return letter + hex(i &* 0x9E37_79B1) + hex(i &* 0x85EB_CA6B)
  }
}

/// The generator of one row.
struct RowRandom {
  private var state: UInt32

  init(table: UInt32, row: Int) {
    var seed = (UInt32(truncatingIfNeeded: row + 1) &* 0x9E37_79B1) ^ (table &* 0x85EB_CA6B)
    seed = (seed ^ seed >> 16) &* 0x85EB_CA6B
    state = seed ^ seed >> 13
  }

  mutating func next() -> UInt32 {
    state = state &+ 0x6D2B_79F5
    var t = (state ^ state >> 15) &* (state | 1)
    t = t ^ (t &+ (t ^ t >> 7) &* (t | 61))
    return t ^ t >> 14
  }

  mutating func below(_ limit: UInt32) -> UInt32 { next() % limit }

  mutating func words(_ count: UInt32) -> String {
    (0..<count).map { _ in Self.list[Int(below(32))] }.joined(separator: " ")
  }

  private static let list =
    ("alpha battery cache delta engine filter graph handle index join kernel latency memory node "
    + "order patch query replica stream tree update vector window yield zone button crash dialog "
    + "empty focus green hover").split(separator: " ").map(String.init)
}
