import ZeroClient
import ZeroIVM
import ZeroProtocol

// Tables in the form in which they are generated from a schema.

enum IssueStatus: String, Codable, CaseIterable, ZeroEnum { case open, closed }

struct IssueMeta: ZeroJSON, Equatable {
  var tags: [String]

  init(tags: [String]) { self.tags = tags }

  init?(json: JSONValue) {
    guard case .object(let object) = json, case .array(let elements)? = object["tags"] else {
      return nil
    }
    var tags: [String] = []
    for element in elements {
      guard case .string(let tag) = element else { return nil }
      tags.append(tag)
    }
    self.tags = tags
  }

  var json: JSONValue { .object(["tags": .array(tags.map { .string($0) })]) }
}

struct Issue: ZeroTable, Identifiable {
  var id: String
  var title: String
  var priority: Double
  var status: IssueStatus
  var assignee: String?
  var created: Double
  var done: Bool
  var meta: IssueMeta?
  @Indirect var owner: User?
  var comments: [Comment]?
  var commenters: [User]?

  init(
    id: String, title: String, priority: Double, status: IssueStatus, assignee: String? = nil,
    created: Double, done: Bool, meta: IssueMeta? = nil
  ) {
    self.id = id
    self.title = title
    self.priority = priority
    self.status = status
    self.assignee = assignee
    self.created = created
    self.done = done
    self.meta = meta
  }

  init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    title = try reader.value(1)
    priority = try reader.value(2)
    status = try reader.value(3)
    assignee = try reader.value(4)
    created = try reader.value(5)
    done = try reader.value(6)
    meta = try reader.value(7)
    owner = try reader.one(0)
    comments = try reader.many(1)
    commenters = try reader.many(2)
  }

  func encode() -> ContiguousArray<Value> {
    [
      id.zero, title.zero, priority.zero, status.zero, assignee.zero, created.zero, done.zero,
      meta.zero,
    ]
  }

  struct Columns: Sendable {
    let id = Column<Issue, String>(0)
    let title = Column<Issue, String>(1)
    let priority = Column<Issue, Double>(2)
    let status = Column<Issue, IssueStatus>(3)
    let assignee = Column<Issue, String?>(4)
    let created = Column<Issue, Double>(5)
    let done = Column<Issue, Bool>(6)
    let meta = Column<Issue, IssueMeta?>(7)
  }

  struct Relations: Sendable {
    let owner = Relation<Issue, User, ToOne>(0)
    let comments = Relation<Issue, Comment, ToMany>(1)
    let commenters = Relation<Issue, User, ToMany>(2)
  }

  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "issue", server: "issues",
    columns: [
      .init("id", .string), .init("title", .string), .init("priority", .number),
      .init("status", .string), .init("assignee", server: "assignee_id", .string, optional: true),
      .init("created", server: "created_at", .number), .init("done", .boolean),
      .init("meta", .json, optional: true),
    ],
    primaryKey: ["id"],
    relations: [
      .init("owner", .one, Hop(["assignee"], "user", ["id"])),
      .init("comments", .many, Hop(["id"], "comment", ["issueID"])),
      .init(
        "commenters", .many, Hop(["id"], "comment", ["issueID"]),
        Hop(["authorID"], "user", ["id"])),
    ])

  struct Changes: RowChanges {
    var values = ChangeSet()

    init(id: String) { values.set(0, id.zero) }

    var title: String {
      get { values.get(1) }
      set { values.set(1, newValue.zero) }
    }
    var assignee: String? {
      get { values.get(4) }
      set { values.set(4, newValue.zero) }
    }
    var done: Bool {
      get { values.get(6) }
      set { values.set(6, newValue.zero) }
    }
  }
}

struct Comment: ZeroTable {
  var issueID: String
  var n: Int
  var authorID: String
  var body: String
  @Indirect var author: User?
  @Indirect var issue: Issue?

  init(issueID: String, n: Int, authorID: String, body: String) {
    self.issueID = issueID
    self.n = n
    self.authorID = authorID
    self.body = body
  }

  init(_ reader: RowReader) throws(RowDecodingError) {
    issueID = try reader.value(0)
    n = try reader.value(1)
    authorID = try reader.value(2)
    body = try reader.value(3)
    author = try reader.one(0)
    issue = try reader.one(1)
  }

  func encode() -> ContiguousArray<Value> { [issueID.zero, n.zero, authorID.zero, body.zero] }

  struct Columns: Sendable {
    let issueID = Column<Comment, String>(0)
    let n = Column<Comment, Int>(1)
    let authorID = Column<Comment, String>(2)
    let body = Column<Comment, String>(3)
  }

  struct Relations: Sendable {
    let author = Relation<Comment, User, ToOne>(0)
    let issue = Relation<Comment, Issue, ToOne>(1)
  }

  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "comment",
    columns: [
      .init("issueID", server: "issue_id", .string), .init("n", .number),
      .init("authorID", server: "author_id", .string), .init("body", .string),
    ],
    primaryKey: ["issueID", "n"],
    relations: [
      .init("author", .one, Hop(["authorID"], "user", ["id"])),
      .init("issue", .one, Hop(["issueID"], "issue", ["id"])),
    ])
}

struct User: ZeroTable, Identifiable {
  var id: String
  var name: String
  var issues: [Issue]?

  init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  init(_ reader: RowReader) throws(RowDecodingError) {
    id = try reader.value(0)
    name = try reader.value(1)
    issues = try reader.many(0)
  }

  func encode() -> ContiguousArray<Value> { [id.zero, name.zero] }

  struct Columns: Sendable {
    let id = Column<User, String>(0)
    let name = Column<User, String>(1)
  }

  struct Relations: Sendable { let issues = Relation<User, Issue, ToMany>(0) }

  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "user", columns: [.init("id", .string), .init("name", .string)], primaryKey: ["id"],
    uniqueKeys: [["name"]],
    relations: [.init("issues", .many, Hop(["id"], "issue", ["assignee"]))])
}

extension ZeroSchema {
  static let app = ZeroSchema(tables: [User.table, Issue.table, Comment.table])
}

enum zql {
  static var user: Query<User, [User]> { .all }
  static var issue: Query<Issue, [Issue]> { .all }
  static var comment: Query<Comment, [Comment]> { .all }
}

extension TransactionMutate {
  var issue: TableMutator<Issue> { table() }
  var comment: TableMutator<Comment> { table() }
  var user: TableMutator<User> { table() }
}

extension TableMutator where T == Issue {
  func update(id: String, _ set: (inout Issue.Changes) throws -> Void) throws {
    var changes = Issue.Changes(id: id)
    try set(&changes)
    try update(changes)
  }
}
