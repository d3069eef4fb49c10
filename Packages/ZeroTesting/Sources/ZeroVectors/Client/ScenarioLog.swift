import ZeroProtocol

/// What happened during a step.
struct ScenarioLog {
  private(set) var events: [JSONObject] = []
  /// When the step began, if it moves the clock.
  private var start: Double?
  /// Whether a call of the step has not returned.
  var isInCall = false

  mutating func begin(at start: Double?) {
    events = []
    self.start = start
  }

  mutating func record(_ event: JSONObject, at time: Double) {
    var event = event
    if let start { event["at"] = .number(time - start) }
    if isInCall, event["ev"] == .string("view") || event["ev"] == .string("batch") {
      event["sync"] = .bool(true)
    }
    events.append(event)
  }

  /// Compares sequences, subject by subject.
  static func compare(
    _ expected: [JSONValue], _ actual: [JSONValue], viewOwner: (String) -> String?,
    matches: (JSONValue, JSONValue) -> Bool, step: String
  ) throws {
    let expected = try grouped(expected, viewOwner)
    let actual = try grouped(actual, viewOwner)
    for subject in Set(expected.keys).union(actual.keys).sorted() {
      let (wanted, found) = (expected[subject] ?? [], actual[subject] ?? [])
      let isEqual =
        wanted.count == found.count && zip(wanted, found).allSatisfy { matches($0, $1) }
      if isEqual { continue }
      let lines =
        ["\(step): \(subject)", "  expected:"] + wanted.map { "    \($0.jsonString)" }
        + ["  got:"] + found.map { "    \($0.jsonString)" }
      throw VectorFailure(lines.joined(separator: "\n"))
    }
  }

  // MARK: -

  private static func grouped(
    _ events: [JSONValue], _ viewOwner: (String) -> String?
  ) throws -> [String: [JSONValue]] {
    var groups: [String: [JSONValue]] = [:]
    for event in events {
      groups[try subject(try Fields(event), viewOwner), default: []].append(event)
    }
    return groups
  }

  private static func subject(
    _ event: Fields, _ viewOwner: (String) -> String?
  ) throws -> String {
    let kind = try event.string("ev")
    switch kind {
    case "connect", "closeSocket": return "sockets"
    case "send": return "send \(try event.string("socket"))"
    case "view", "batch": return "views of \(try event.string("zero"))"
    case "state", "callback", "mutator": return "\(kind) of \(try event.string("zero"))"
    case "mutation", "run", "preload", "connectDone": return "\(kind) \(try event.string("id"))"
    default: return kind
    }
  }
}
