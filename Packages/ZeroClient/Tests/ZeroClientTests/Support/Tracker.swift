import ZeroClient
import ZeroIVM
import ZeroProtocol

/// A table of issues, as generated code would write it.
struct Ticket: ZeroTable, Identifiable {
  var id: String
  var title: String
  var votes: Double
  var owner: String?
  var comments: [Comment]?

  init(id: String, title: String, votes: Double = 0, owner: String? = nil) {
    self.id = id
    self.title = title
    self.votes = votes
    self.owner = owner
  }

  init(_ r: RowReader) throws(RowDecodingError) {
    id = try r.value(0)
    title = try r.value(1)
    votes = try r.value(2)
    owner = try r.value(3)
    comments = try r.many(0)
  }

  func encode() -> ContiguousArray<Value> { [id.zero, title.zero, votes.zero, owner.zero] }

  struct Columns: Sendable {
    let id = Column<Ticket, String>(0)
    let title = Column<Ticket, String>(1)
    let votes = Column<Ticket, Double>(2)
    let owner = Column<Ticket, String?>(3)
  }
  struct Relations: Sendable {
    let comments = Relation<Ticket, Comment, ToMany>(0)
  }
  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "issue", server: "issues",
    columns: [
      ColumnDescriptor("id", .string), ColumnDescriptor("title", .string),
      ColumnDescriptor("votes", .number),
      ColumnDescriptor("owner", server: "owner_id", .string, optional: true),
    ],
    primaryKey: ["id"],
    relations: [RelationDescriptor("comments", .many, Hop(["id"], "comment", ["issueID"]))])

  struct Changes: RowChanges {
    var values = ChangeSet()
    init(id: String) { values.set(0, id.zero) }
    var title: String {
      get { values.get(1) }
      set { values.set(1, newValue.zero) }
    }
    var votes: Double {
      get { values.get(2) }
      set { values.set(2, newValue.zero) }
    }
  }
}

struct Comment: ZeroTable {
  var issueID: String
  var number: Double
  var body: String

  init(issueID: String, number: Double, body: String) {
    self.issueID = issueID
    self.number = number
    self.body = body
  }

  init(_ r: RowReader) throws(RowDecodingError) {
    issueID = try r.value(0)
    number = try r.value(1)
    body = try r.value(2)
  }

  func encode() -> ContiguousArray<Value> { [issueID.zero, number.zero, body.zero] }

  struct Columns: Sendable {
    let issueID = Column<Comment, String>(0)
    let number = Column<Comment, Double>(1)
    let body = Column<Comment, String>(2)
  }
  struct Relations: Sendable {}
  static let columns = Columns()
  static let relations = Relations()
  static let table = TableDescriptor(
    "comment",
    columns: [
      ColumnDescriptor("issueID", server: "issue_id", .string), ColumnDescriptor("number", .number),
      ColumnDescriptor("body", .string),
    ],
    primaryKey: ["issueID", "number"])
}

extension ZeroSchema {
  static let tracker = ZeroSchema(tables: [Ticket.table, Comment.table])
}

enum zql {
  static var issue: Query<Ticket, [Ticket]> { .all }
  static var comment: Query<Comment, [Comment]> { .all }
}

extension TransactionMutate {
  var issue: TableMutator<Ticket> { table() }
  var comment: TableMutator<Comment> { table() }
}

extension TableMutator where T == Ticket {
  func update(id: String, _ set: (inout Ticket.Changes) throws -> Void) throws {
    var changes = Ticket.Changes(id: id)
    try set(&changes)
    try update(changes)
  }
}

struct Rename: Codable, Sendable {
  var id: String
  var title: String
}

struct Vote: Codable, Sendable {
  var id: String
  var by: Double
}

/// Who is logged in.
struct Session: Sendable { var user: String }

enum Queries {
  static let all = defineQuery("issue.all") { (_: Session) in zql.issue.orderBy(\.title) }
  static let byID = defineQuery("issue.byID") { (id: String, _: Session) in
    zql.issue.where(\.id, id).related(\.comments).one()
  }
  static let titled = defineQuery(
    "issue.titled",
    validate: { (title: String) in if title.isEmpty { throw ValidationIssues("title is empty") } }
  ) { (title: String, _: Session) in zql.issue.where(\.title, title) }
}

enum Mutators {
  static let create = defineMutator("issue.create") { (tx, args: Rename, session: Session) in
    try tx.mutate.issue.insert(Ticket(id: args.id, title: args.title, owner: session.user))
  }
  static let rename = defineMutator("issue.rename") { (tx, args: Rename, _: Session) in
    try tx.mutate.issue.update(id: args.id) { $0.title = args.title }
  }
  static let vote = defineMutator("issue.vote") { (tx, args: Vote, _: Session) in
    guard let issue = try tx.run(zql.issue.where(\.id, args.id).one()) else {
      throw ApplicationError("no issue \(args.id)", details: .string(args.id))
    }
    try tx.mutate.issue.update(id: args.id) { $0.votes = issue.votes + args.by }
  }
  /// Writes, then fails on every run but the first.
  static let failsLater = defineMutator("issue.failsLater") { (tx, id: String, _: Session) in
    try tx.mutate.issue.insert(Ticket(id: id, title: "predicted"))
    if tx.reason == .rebase { throw ApplicationError("not again") }
  }
  static let notify: ServerMutator<String, Session> = defineMutator.serverOnly(
    "issue.notify", args: String.self)

  static var all: [any AnyMutator<Session>] { [create, rename, vote, failsLater, notify] }
}
