import ZeroIVM
import ZeroProtocol

/// The named queries of the workloads.
enum BenchQueries {
  static func list(_ priority: Int, _ limit: Int) throws -> AnyQuery {
    try table("issue").where("open", .bool(true)).where("priority", .number(Double(priority)))
      .orderBy("modified", .desc).limit(limit)
      .named("list", args: [.number(Double(priority)), .number(Double(limit))])
  }

  static func withComments(_ creator: Int) throws -> AnyQuery {
    let id = IssueData.id("u", creator)
    return try table("issue").where("creatorID", .string(id)).orderBy("created", .desc).limit(20)
      .related("comments") { try $0.orderBy("created", .desc).limit(10) }
      .named("withComments", args: [.string(id)])
  }

  static func labeled(_ name: String) throws -> AnyQuery {
    try table("issue").whereExists("issueLabels") { $0.where("name", .string(name)) }
      .orderBy("modified", .desc).limit(50).named("labeled", args: [.string(name)])
  }

  static func byID(_ issue: Int) throws -> AnyQuery {
    let id = IssueData.id("i", issue)
    return try table("issue").where("id", .string(id)).one().named("byID", args: [.string(id)])
  }

  static func page() throws -> AnyQuery {
    try table("issue").orderBy("modified", .desc).limit(50)
      .related("comments") { try $0.orderBy("created", .desc).limit(10) }.named("page", args: [])
  }

  static func all() throws -> AnyQuery { try table("issue").named("all", args: []) }

  /// View number `v` of the mix.
  static func mixed(_ v: Int, _ data: IssueData) throws -> AnyQuery {
    let k = v / 4
    return switch v % 4 {
    case 0: try list(k % 5, max(1, 50 - k / 5))
    case 1: try withComments(k % data.userCount)
    case 2: try labeled("name-\(k % 20)")
    default: try byID(997 * k % data.issueCount)
    }
  }

  private static func table(_ name: String) throws -> AnyQuery {
    try AnyQuery(IssueData.schema, table: name)
  }
}
