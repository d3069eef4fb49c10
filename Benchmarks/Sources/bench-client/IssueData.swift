import ZeroProtocol

/// The rows of the workloads: `n` issues, n / 100 users, 20 labels, 3n comments and about 2n rows that
/// join issues and labels. Each row has random numbers of its own, so that rows come in any order.
struct IssueData {
  let issueCount: Int
  var userCount: Int { max(1, issueCount / 100) }
  static let labelCount = 20

  static let schema = ZeroSchema(tables: [
    TableDescriptor("user", columns: columns("id name"), primaryKey: ["id"]),
    TableDescriptor("label", columns: columns("id name"), primaryKey: ["id"]),
    TableDescriptor(
      "issue",
      columns: columns("id title description") + [
        ColumnDescriptor("open", .boolean), ColumnDescriptor("priority", .number),
        ColumnDescriptor("creatorID", .string),
        ColumnDescriptor("assigneeID", .string, optional: true),
        ColumnDescriptor("created", .number), ColumnDescriptor("modified", .number),
        ColumnDescriptor("rank", .number), ColumnDescriptor("labels", .json),
      ],
      primaryKey: ["id"],
      relations: [
        RelationDescriptor("comments", .many, Hop(["id"], "comment", ["issueID"])),
        RelationDescriptor(
          "issueLabels", .many, Hop(["id"], "issueLabel", ["issueID"]),
          Hop(["labelID"], "label", ["id"])),
      ]),
    TableDescriptor(
      "comment",
      columns: columns("id issueID creatorID body") + [ColumnDescriptor("created", .number)],
      primaryKey: ["id"]),
    TableDescriptor(
      "issueLabel", columns: columns("issueID labelID"), primaryKey: ["issueID", "labelID"]),
  ])

  private static func columns(_ names: String) -> [ColumnDescriptor] {
    names.split(separator: " ").map { ColumnDescriptor(String($0), .string) }
  }

  /// The letter, then the number scrambled twice, so that keys come in no useful order.
  static func id(_ letter: String, _ i: Int) -> String {
    let number = UInt32(truncatingIfNeeded: i)
    return letter + hex(number &* 0x9E37_79B1) + hex(number &* 0x85EB_CA6B)
  }

  func user(_ i: Int) -> JSONObject {
    var random = Mulberry(table: 1, row: i)
    return ["id": .string(Self.id("u", i)), "name": .string(random.words(2))]
  }

  func label(_ i: Int) -> JSONObject {
    ["id": .string("label-" + (i < 10 ? "0\(i)" : "\(i)")), "name": .string("name-\(i)")]
  }

  func issue(_ i: Int) -> JSONObject {
    var random = Mulberry(table: 3, row: i)
    var row: JSONObject = ["id": .string(Self.id("i", i))]
    row["title"] = .string(random.words(4 + random.below(5)))
    row["description"] = .string(random.words(16))
    row["open"] = .bool(random.below(4) != 0)
    row["priority"] = .number(Double(random.below(5)))
    row["creatorID"] = .string(Self.id("u", random.below(userCount)))
    let hasAssignee = random.below(3) != 0
    let assignee = random.below(userCount)
    row["assigneeID"] = hasAssignee ? .string(Self.id("u", assignee)) : .null
    let created = 1_700_000_000_000 + 1000 * Double(random.below(31_536_000))
    row["created"] = .number(created)
    row["modified"] = .number(created + 1000 * Double(random.below(2_592_000)))
    row["rank"] = .number(Double(random.next()) / 4_294_967_296)
    row["labels"] = .array((0..<random.below(4)).map { _ in .string("tag-\(random.below(20))") })
    return row
  }

  /// An issue after an edit.
  func issue(_ i: Int, with edit: JSONObject) -> JSONObject {
    var row = issue(i)
    for (column, value) in edit.members { row[column] = value }
    return row
  }

  func comment(_ i: Int) -> JSONObject {
    var random = Mulberry(table: 4, row: i)
    return [
      "id": .string(Self.id("c", i)), "issueID": .string(Self.id("i", random.below(issueCount))),
      "creatorID": .string(Self.id("u", random.below(userCount))),
      "body": .string(random.words(10)),
      "created": .number(1_700_000_000_000 + 1000 * Double(random.below(31_536_000))),
    ]
  }

  func issueLabels(_ i: Int) -> [JSONObject] {
    var random = Mulberry(table: 5, row: i)
    let count = random.below(5)
    let first = random.below(20)
    return (0..<count).map { k in
      ["issueID": .string(Self.id("i", i)), "labelID": label((first + 7 * k) % 20)["id"] ?? .null]
    }
  }

  /// All issues as row operations.
  func issuePuts() -> [[UInt8]] { (0..<issueCount).map { Self.put("issue", issue($0)) } }

  /// Everything as row operations.
  func allPuts() -> [[UInt8]] {
    var puts = (0..<userCount).map { Self.put("user", user($0)) }
    puts += (0..<Self.labelCount).map { Self.put("label", label($0)) }
    puts += issuePuts()
    puts += (0..<3 * issueCount).map { Self.put("comment", comment($0)) }
    for i in 0..<issueCount { puts += issueLabels(i).map { Self.put("issueLabel", $0) } }
    return puts
  }

  static func put(_ table: String, _ row: JSONObject) -> [UInt8] {
    JSONValue.object([
      "op": .string("put"), "tableName": .string(table), "value": .object(row),
    ]).jsonText
  }

  private static func hex(_ number: UInt32) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
  }
}

/// The random numbers of one row.
struct Mulberry {
  private var state: UInt32

  init(table: UInt32, row: Int) {
    var s = (UInt32(truncatingIfNeeded: row) &+ 1) &* 0x9E37_79B1
    s ^= table &* 0x85EB_CA6B
    s ^= s >> 16
    s = s &* 0x85EB_CA6B
    s ^= s >> 13
    state = s
  }

  mutating func next() -> UInt32 {
    state = state &+ 0x6D2B_79F5
    var t = (state ^ (state >> 15)) &* (state | 1)
    t ^= t &+ ((t ^ (t >> 7)) &* (t | 61))
    return t ^ (t >> 14)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt32(limit)) }

  mutating func words(_ count: Int) -> String {
    (0..<count).map { _ in Self.vocabulary[below(32)] }.joined(separator: " ")
  }

  private static let vocabulary = """
    alpha battery cache delta engine filter graph handle index join kernel latency memory node order \
    patch query replica stream tree update vector window yield zone button crash dialog empty focus \
    green hover
    """.split(separator: " ").map(String.init)
}
