import ZeroProtocol

/// How the recordings name views, and what they keep of a view's data: whole rows, or a summary.
enum TranscriptView {
  /// The view's label in `view:LABEL:TYPE` or `view:TYPE`; nil for other events.
  static func label(_ what: String) -> String? {
    guard what.hasPrefix("view:"), let end = what.lastIndex(of: ":") else { return nil }
    let start = what.index(what.startIndex, offsetBy: 5)
    return start > end ? "" : String(what[start..<end])
  }

  /// The result type at the end of `view:LABEL:TYPE`.
  static func resultType(_ what: String) -> String {
    what.lastIndex(of: ":").map { String(what[what.index(after: $0)...]) } ?? ""
  }

  /// Whether a view with this label can be one of the query: labels begin with the query's name, or
  /// are empty.
  static func fits(_ label: String, query: String) -> Bool {
    label.isEmpty || label == query || label.hasPrefix(query + "(") || label.hasPrefix(query + " ")
  }

  /// Whether `recorded` is `data`, or a summary of it.
  static func matches(_ recorded: JSONValue, _ data: JSONValue, _ error: JSONValue?) -> Bool {
    if case .object(let object) = recorded, let rows = object["rows"] {
      return object["error"] == error && matches(rows, data, nil)
    }
    guard case .array(let summaries) = recorded, case .array(let rows) = data else {
      return row(recorded, data)
    }
    return summaries.count == rows.count && zip(summaries, rows).allSatisfy { row($0, $1) }
  }

  // MARK: -

  /// A row is recorded whole, as its ID, or as a list: ID, title, and what tells more.
  private static func row(_ recorded: JSONValue, _ row: JSONValue) -> Bool {
    guard case .object(let columns) = row else { return same(recorded, row) }
    switch recorded {
    case .string: return columns["id"] == recorded
    case .array(let parts):
      guard parts.count >= 2, parts[0] == columns["id"], parts[1] == columns["title"] else {
        return false
      }
      return parts.dropFirst(2).allSatisfy { part in
        switch part {
        case .string: part == columns["status"]
        case .number(let count): Self.count(columns["comments"]) == count
        case .array(let ids):
          if case .array(let labels)? = columns["labels"] {
            labels.count == ids.count && zip(ids, labels).allSatisfy { Self.row($0, $1) }
          } else {
            false
          }
        default: false
        }
      }
    default: return same(recorded, row)
    }
  }

  /// JSON has no word for undefined, which a row related to none is in the reference: members that
  /// the recording lacks are null here.
  private static func same(_ recorded: JSONValue, _ data: JSONValue) -> Bool {
    switch (recorded, data) {
    case (.object(let expected), .object(let members)):
      members.members.allSatisfy { name, value in
        expected[name].map { same($0, value) } ?? (value == .null)
      } && expected.members.allSatisfy { members[$0.key] != nil }
    case (.array(let expected), .array(let elements)):
      expected.count == elements.count && zip(expected, elements).allSatisfy { same($0, $1) }
    default: recorded == data
    }
  }

  private static func count(_ json: JSONValue?) -> Double? {
    if case .array(let elements)? = json { Double(elements.count) } else { nil }
  }
}
