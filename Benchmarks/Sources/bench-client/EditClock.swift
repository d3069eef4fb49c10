import ZeroProtocol

/// Makes the edits of issues: each takes the issue to the top of every list it is in.
struct EditClock {
  private static let start = 1_800_000_000_000.0
  private var time = Self.start

  /// How many edits were made.
  var count: Int { Int(time - Self.start) }

  /// The columns that the next edit of an issue sets.
  mutating func edit(_ issue: Int) -> JSONObject {
    time += 1
    return [
      "id": .string(IssueData.id("i", issue)), "title": .string("edit \(Int(time))"),
      "modified": .number(time),
    ]
  }

  /// The number of the edit that set this value of `modified`; 0 for none of this clock.
  static func number(of modified: Value) -> Int {
    guard case .number(let time) = modified, time > start else { return 0 }
    return Int(time - start)
  }
}
