import ZeroProtocol

extension IssueData {
  /// The CRC-32 of all rows as text, by which the data sets of two clients compare.
  var checksum: UInt32 {
    var crc = CRC32()
    for i in 0..<userCount { crc.add("user", user(i)) }
    for i in 0..<Self.labelCount { crc.add("label", label(i)) }
    for i in 0..<issueCount { crc.add("issue", issue(i)) }
    for i in 0..<3 * issueCount { crc.add("comment", comment(i)) }
    for i in 0..<issueCount { for row in issueLabels(i) { crc.add("issueLabel", row) } }
    return crc.value
  }

  /// What the checksum must be, by number of issues.
  static let knownChecksums: [Int: UInt32] = [1000: 0xD1C6_4FBD, 100_000: 0x9525_5A96]
}

/// The checksum of zlib, of rows as lines of text.
private struct CRC32 {
  private static let table = (0..<256 as Range<UInt32>).map { byte in
    (0..<8).reduce(byte) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
  }
  private var state = UInt32.max

  var value: UInt32 { ~state }

  mutating func add(_ table: String, _ row: JSONObject) {
    add(table)
    for (column, value) in row.members {
      add("|")
      add(Self.text(column, value))
    }
    add("\n")
  }

  private mutating func add(_ text: String) {
    for byte in text.utf8 {
      state = Self.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8)
    }
  }

  private static func text(_ column: String, _ value: JSONValue) -> String {
    switch value {
    case .null: ""
    case .bool(let value): "\(value)"
    case .number(let number):
      String(Int64(column == "rank" ? number * 4_294_967_296 : number))
    case .string(let text): text
    case .array(let items): items.map { text(column, $0) }.joined(separator: ",")
    case .object: "{}"
    }
  }
}
