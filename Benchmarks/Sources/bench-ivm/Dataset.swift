import ZeroIVM
import ZeroProtocol

/// Projects, issues and their comments: `n` issues, 2n comments, n / 100 projects.
struct Dataset {
  let projects: ContiguousArray<Row>
  var issues: ContiguousArray<Row>
  var comments: ContiguousArray<Row>

  static let project = TableDescriptor(
    "project", columns: [ColumnDescriptor("id", .string), ColumnDescriptor("name", .string)],
    primaryKey: ["id"])
  static let issue = TableDescriptor(
    "issue",
    columns: [
      ColumnDescriptor("id", .string), ColumnDescriptor("projectID", .string),
      ColumnDescriptor("ownerID", .string), ColumnDescriptor("title", .string),
      ColumnDescriptor("body", .string), ColumnDescriptor("open", .boolean),
      ColumnDescriptor("priority", .number), ColumnDescriptor("createdAt", .number),
      ColumnDescriptor("estimate", .number, optional: true),
    ], primaryKey: ["id"])
  static let comment = TableDescriptor(
    "comment",
    columns: [
      ColumnDescriptor("id", .string), ColumnDescriptor("issueID", .string),
      ColumnDescriptor("authorID", .string), ColumnDescriptor("body", .string),
      ColumnDescriptor("createdAt", .number),
    ], primaryKey: ["id"])
  static let schema = ZeroSchema(tables: [project, issue, comment])

  init(issues count: Int, withComments: Bool = true) {
    let maker = RowMaker(issues: count)
    projects = ContiguousArray((0..<maker.projects).map { maker.project($0) })
    issues = ContiguousArray((0..<count).map { maker.issue($0) })
    comments = withComments ? ContiguousArray((0..<2 * count).map { maker.comment($0) }) : []
  }

  /// A branch with these rows.
  func branch() throws -> Branch {
    let branch = Branch(schema: Self.schema)
    try branch.load("project", projects)
    try branch.load("issue", issues)
    try branch.load("comment", comments)
    return branch
  }
}

/// Makes the rows of the data set, and versions of them.
final class RowMaker {
  let count: Int
  let projects: Int
  var random = SplitMix(seed: 42)
  private var builder = RowBuilder()

  init(issues count: Int) {
    self.count = count
    projects = max(1, count / 100)
  }

  func project(_ i: Int) -> Row {
    builder.begin(Dataset.project.layout)
    builder.set(0, Self.id("p", i))
    builder.set(1, "Project \(i)")
    return builder.finish()
  }

  func issue(_ i: Int) -> Row {
    builder.begin(Dataset.issue.layout)
    builder.set(0, Self.id("i", i))
    builder.set(1, Self.id("p", random.below(projects)))
    builder.set(2, "u\(random.below(100))")
    builder.set(3, "Issue number \(i) with a title of ordinary length")
    builder.set(
      4, "Body of \(i): lorem ipsum lorem ipsum lorem ipsum lorem ipsum ")
    builder.set(5, random.below(2) == 0)
    builder.set(6, Double(random.below(5)))
    builder.set(7, Double(1_700_000_000_000 + random.below(1_000_000_000)))
    if random.below(2) == 0 {
      builder.set(8, null: ())
    } else {
      builder.set(8, Double(random.below(20)))
    }
    return builder.finish()
  }

  func comment(_ i: Int) -> Row {
    builder.begin(Dataset.comment.layout)
    builder.set(0, Self.id("c", i))
    builder.set(1, Self.id("i", random.below(count)))
    builder.set(2, "u\(random.below(100))")
    builder.set(3, "Comment \(i)")
    builder.set(4, Double(1_700_000_000_000 + random.below(1_000_000_000)))
    return builder.finish()
  }

  /// A row with one column changed.
  func changing(_ row: Row, _ column: Int, _ value: Value) -> Row {
    builder.begin(row.layout)
    for place in row.layout.columns.indices where place != column { builder.set(place, from: row) }
    builder.set(column, value)
    return builder.finish()
  }

  static func id(_ letter: String, _ i: Int) -> String {
    let digits = String(i)
    return letter + String(repeating: "0", count: max(0, 8 - digits.utf8.count)) + digits
  }
}

/// SplitMix64.
struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(bound))
  }
}
