import Testing
import ZeroIVM
import ZeroProtocol

@Suite("Typed queries")
struct QueryTests {
  @Test("the schema of the tables is valid and hashes as in JavaScript")
  func schema() throws {
    try ZeroSchema.tracker.validate()
    #expect(ZeroSchema.tracker.clientSchema.hash == "3cpg5l8ya8yi9")
  }

  private static let me = "ann"

  /// Queries with the hash that the JavaScript builder gives for the same query.
  private static let parity: [(name: String, hash: String, actual: @Sendable () throws -> String)] =
    [
      (
        "enumeration", "1q0kvw3396dkp",
        { try zql.issue.where(\.status, .open).hash() }
      ),
      (
        "and over or", "1880oqgre6rz5",
        {
          try zql.issue.where { $0.priority >= 2 && ($0.assignee == me || $0.assignee == nil) }
            .hash()
        }
      ),
      (
        "negation", "1xespelru07kx",
        {
          try zql.issue.where {
            !($0.title.ilike("%bug%") && $0.status.in([.open, .closed]))
              || $0.created < 5.5 && $0.done == false || $0.priority != 3
          }.hash()
        }
      ),
      (
        "exists", "z5zjiwsc1ve5",
        {
          try zql.issue
            .whereExists(\.comments) { $0.where(\.body, .like, "a%").where(\.n, .gt, 3) }
            .whereExists(\.owner, flip: true).hash()
        }
      ),
      (
        "exists in expressions", "35ctax4buim4a",
        {
          try zql.issue.where {
            $0.comments.exists { $0.where(\.authorID, me) } || !$0.commenters.exists()
          }.hash()
        }
      ),
      (
        "through a junction", "3221p7z2le5hj",
        {
          try zql.issue.related(\.commenters) { $0.where(\.name, "x") }
            .whereExists(\.commenters, flip: false).hash()
        }
      ),
      (
        "nested results", "2qzm3ii2skovf",
        {
          try zql.issue
            .related(\.comments) { $0.related(\.author).orderBy(\.n, .desc).limit(10) }
            .related(\.owner) { $0.one() }.orderBy(\.created, .desc).limit(50).hash()
        }
      ),
      (
        "start", "3e3wh87ssdqy",
        {
          let row = Comment(issueID: "i", n: 7, authorID: "a", body: "é\u{1}")
          return try zql.comment.orderBy(\.n).start(after: row).hash()
        }
      ),
      (
        "not in, one", "8qfuxdfdpy3k",
        { try zql.user.where(\.id, .notIn, ["a", "b"]).one().hash() }
      ),
      (
        "scalar", "3u2l6hmslttog",
        {
          try zql.comment.whereExists(\.author, scalar: true) { $0.where(\.name, "ann") }.hash()
        }
      ),
      (
        "inconsistent order", "xrcincdfqgmv",
        {
          try zql.issue.where {
            ($0.owner.exists() && ($0.title == "q" || $0.title == "p")) && $0.done == true
              && $0.comments.exists()
          }.hash()
        }
      ),
      (
        "empty list", "z00xycbhpzp7",
        { try zql.issue.where(\.priority, .in, []).hash() }
      ),
    ]

  @Test("typed queries hash as those of the JavaScript builder", arguments: parity.indices)
  func hashes(_ place: Int) throws {
    let (name, hash, actual) = Self.parity[place]
    #expect(try actual() == hash, "\(name)")
  }

  @Test("typed and untyped queries are the same")
  func untyped() throws {
    let typed = zql.issue.where(\.status, .ne, .open).related(\.commenters).one()
    let untyped = try AnyQuery(.tracker, table: "issue").where("status", .notEqual, .string("open"))
      .related("commenters").one()
    #expect(typed.ast == untyped.ast)
    #expect(typed.format == untyped.format)
  }

  @Test("comparing with nil asks for null, unless the operator was given")
  func null() throws {
    let none: String? = nil
    #expect(zql.issue.where(\.assignee, none).ast.where == .simple(column: "assignee", .is, .null))
    #expect(
      zql.issue.where { $0.assignee != none }.ast.where
        == .simple(column: "assignee", .isNot, .null))
    #expect(
      zql.issue.where(\.assignee, .eq, none).ast.where
        == .simple(column: "assignee", .equal, .null))
  }

  @Test("nil in a list is left out, since it matches nothing")
  func nullInList() {
    let list = Condition.simple(
      column: "assignee", .in, .json(.array([.string("a"), .string("b")])))
    #expect(zql.issue.where { $0.assignee.in(["a", nil, "b"]) }.ast.where == list)
  }

  @Test("what the compiler cannot refuse is an error with table and name")
  func errors() throws {
    let negative = zql.issue.limit(-1)
    #expect(negative.buildError?.code == .negativeLimit)
    #expect(negative.buildError?.table == "issue")
    #expect(zql.issue.limit(1 << 31).buildError?.code == .invalidLimit)
    let ordered = zql.issue.related(\.commenters) { $0.orderBy(\.name) }
    #expect(ordered.buildError?.code == .orderByInJunction)
    #expect(ordered.buildError?.table == "user")
    #expect(ordered.buildError?.name == "name")
    let limited = zql.issue.where { $0.commenters.exists { $0.limit(1) } && $0.done == true }
    #expect(limited.buildError?.code == .limitInJunction)
    #expect(limited.buildError?.name == "commenters")
    #expect(throws: QueryBuildError.self) { try limited.checked() }
    #expect(throws: QueryBuildError.self) { try limited.hash() }
  }

  @Test("the first error stays")
  func firstError() {
    #expect(zql.issue.limit(-1).limit(1 << 31).one().buildError?.code == .negativeLimit)
  }

  @Test("behind a junction, one is allowed and nested relations start afresh")
  func junction() throws {
    let query = zql.issue.related(\.commenters) {
      $0.related(\.issues) { $0.orderBy(\.created).limit(3) }.one()
    }
    #expect(query.buildError == nil)
    #expect(query.format["commenters"]?.singular == true)
    #expect(query.format["commenters"]?["issues"]?.singular == false)
  }

  @Test("a relation to one row is singular without a limit")
  func singular() {
    let query = zql.issue.related(\.owner)
    #expect(query.format["owner"]?.singular == true)
    #expect(query.ast.related?.first?.subquery.limit == nil)
  }

  #if DEBUG
    @Test("asking twice for one relation is an error in debug builds")
    func repeatedRelation() {
      let query = zql.issue.related(\.owner).related(\.comments).related(\.owner) { $0.one() }
      #expect(query.buildError?.code == .repeatedRelationship)
      #expect(query.buildError?.name == "owner")
      let apart = zql.issue.related(\.comments) { $0.related(\.author) }.related(\.owner)
      #expect(apart.buildError == nil)
    }
  #endif

  @Test("wildcards in text can be made to match themselves")
  func escapes() {
    #expect(escapeLike("50%_\\") == #"50\%\_\"#)
    #expect(
      zql.issue.where(\.title, .like, "%" + escapeLike("a_b") + "%").ast.where
        == .simple(column: "title", .like, .string(#"%a\_b%"#)))
  }

  @Test("a query shows itself as JSON when it is debugged")
  func debugDescription() {
    let query = zql.issue.where(\.done, false).limit(3)
    #expect(query.debugDescription.contains(#""table":"issue""#))
    #expect(query.debugDescription.contains(#""limit":3"#))
  }

  @Test("the name of a query stays with it")
  func named() {
    let query = zql.issue.named("issues.all", args: []).where(\.done, false).one()
    #expect(query.customQueryID == CustomQueryID(name: "issues.all", args: []))
  }
}
