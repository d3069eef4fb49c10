import ZeroProtocol

extension SeedRows {
  /// Made-up rows, the same for the same numbers: users u1 and up, projects p1 and up, issues i1 and
  /// up with up to four comments and three labels each.
  /// - Parameters:
  ///   - issues: how many issues; projects and users grow with it.
  ///   - seed: starts the random numbers.
  public static func generated(issues: Int, seed: UInt64 = 1) -> SeedRows {
    var generator = SeedGenerator(issues: max(0, issues), random: SeedRandom(seed))
    return generator.rows()
  }
}

/// Makes rows out of a list of words.
private struct SeedGenerator {
  let issues: Int
  var random: SeedRandom
  /// 2024-01-01.
  let start = 1_704_067_200_000.0

  var userCount: Int { min(40, 4 + issues / 100) }
  var projectCount: Int { min(12, 2 + issues / 400) }

  mutating func rows() -> SeedRows {
    let users = (1...userCount).map { user($0) }
    let projects = (1...projectCount).map { project($0) }
    let labels = (1...projectCount).flatMap { makeLabels(ofProject: $0) }
    var issueRows: [JSONObject] = []
    var comments: [JSONObject] = []
    var issueLabels: [JSONObject] = []
    for number in stride(from: 1, through: issues, by: 1) {
      let project = 1 + random.below(projectCount)
      issueRows.append(issue(number, project: project))
      for place in 0..<random.below(5) {
        comments.append(comment(place, ofIssue: number))
      }
      var used: Set<Int> = []
      for _ in 0..<random.below(4) {
        let label = random.below(Self.labelNames.count)
        guard used.insert(label).inserted else { continue }
        issueLabels.append([
          "issue_id": .string("i\(number)"), "label_id": .string("l\(project)-\(label)"),
        ])
      }
    }
    return SeedRows(tables: [
      ("user", users), ("project", projects), ("issue", issueRows), ("comment", comments),
      ("label", labels), ("issue_label", issueLabels),
    ])
  }

  // MARK: -

  private mutating func user(_ number: Int) -> JSONObject {
    let name = Self.userNames[(number - 1) % Self.userNames.count]
    return [
      "id": .string("u\(number)"), "name": .string(name),
      "email": .string("u\(number)@example.com"),
      "role": .string(number == 1 ? "admin" : "member"), "active": .bool(random.below(10) > 0),
      "settings": .object(["theme": .string(random.below(2) == 0 ? "dark" : "light")]),
      "joined_on": .number(start + Double(number) * 86_400_000),
    ]
  }

  private mutating func project(_ number: Int) -> JSONObject {
    [
      "id": .string("p\(number)"),
      "name": .string(Self.projectNames[(number - 1) % Self.projectNames.count]),
      "owner_id": .string("u\(1 + random.below(userCount))"),
      "budget": .number(Double(random.below(100_000)) + 0.5), "archived": .bool(false),
      "tags": .array([.string("core")]), "created_at": .number(start + Double(number) * 3_600_000),
    ]
  }

  private func makeLabels(ofProject project: Int) -> [JSONObject] {
    Self.labelNames.enumerated().map { place, name in
      [
        "id": .string("l\(project)-\(place)"), "project_id": .string("p\(project)"),
        "name": .string(name), "color": .string(Self.colors[place % Self.colors.count]),
      ]
    }
  }

  private mutating func issue(_ number: Int, project: Int) -> JSONObject {
    let status = Self.statuses[random.below(Self.statuses.count)]
    let createdAt = start + Double(number) * 60_000
    return [
      "id": .string("i\(number)"), "project_id": .string("p\(project)"),
      "title": .string("\(word(Self.verbs)) \(word(Self.adjectives)) \(word(Self.nouns))"),
      "description": random.below(4) == 0 ? .null : .string(sentence()),
      "status": .string(status), "priority": .number(Double(random.below(6))),
      "estimate": random.below(3) == 0 ? .null : .number(Double(random.below(80)) / 4),
      "votes": .number(Double(random.below(200))), "is_private": .bool(random.below(20) == 0),
      "creator_id": .string("u\(1 + random.below(userCount))"),
      "assignee_id": random.below(3) == 0 ? .null : .string("u\(1 + random.below(userCount))"),
      "metadata": .object(["source": .string("generated"), "batch": .number(Double(number / 100))]),
      "created_at": .number(createdAt),
      "closed_at": status == "closed" ? .number(createdAt + 86_400_000) : .null,
    ]
  }

  private mutating func comment(_ place: Int, ofIssue issue: Int) -> JSONObject {
    [
      "id": .string("c\(issue)-\(place)"), "issue_id": .string("i\(issue)"),
      "author_id": .string("u\(1 + random.below(userCount))"), "body": .string(sentence()),
      "reactions": .object([:]),
      "created_at": .number(start + Double(issue) * 60_000 + Double(place + 1) * 1000),
    ]
  }

  private mutating func sentence() -> String {
    let words = (0..<(4 + random.below(8))).map { _ in word(Self.nouns) }
    return words.joined(separator: " ") + "."
  }

  private mutating func word(_ list: [String]) -> String { list[random.below(list.count)] }

  private static let userNames = [
    "Ada", "Björn", "Chloé", "Dmitri", "Esra", "Farid", "Gloria", "Hiro", "Ingrid", "João",
  ]
  private static let projectNames = [
    "Apollo", "Borealis", "Cascade", "Delta", "Ember", "Fjord", "Glacier", "Harbor",
  ]
  private static let labelNames = ["bug", "feature", "docs", "infra", "design", "urgent"]
  private static let colors = ["#ff0000", "#00aa00", "#0000ff", "#888888"]
  private static let statuses = ["open", "open", "in_progress", "closed"]
  private static let verbs = ["Fix", "Add", "Rework", "Measure", "Remove", "Document"]
  private static let adjectives = ["flaky", "slow", "missing", "confusing", "new", "old"]
  private static let nouns = [
    "login", "export", "sync", "filter", "list", "menu", "cache", "report", "editor", "search",
  ]
}

/// Random numbers that are the same on every machine: SplitMix64.
public struct SeedRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(_ seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to, not including, `limit`, which must be positive.
  public mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
