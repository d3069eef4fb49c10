@_spi(Engine) import ZeroClient
import ZeroIVM
import ZeroProtocol

/// The application that the recorded clients ran: its schema, its named queries and its mutators.
struct TranscriptApp: Sendable {
  let schema: ZeroSchema

  /// - Parameter json: the schema as the reference holds it.
  init(_ json: JSONObject) throws {
    let relationships = try Fields(json["relationships"])
    schema = ZeroSchema(
      tables: try Fields(json["tables"]).object.members.map { name, json in
        let table = try Fields(json)
        return TableDescriptor(
          name, server: try table.optionalString("serverName"),
          columns: try Fields(table.json("columns")).object.members.map { name, json in
            let column = try Fields(json)
            guard let type = ColumnType(rawValue: try column.string("type")) else {
              throw VectorFailure("column \(name) has an unknown type")
            }
            return ColumnDescriptor(
              name, server: try column.optionalString("serverName"), type,
              optional: try column.optionalBool("optional") ?? false)
          },
          primaryKey: try table.strings("primaryKey"),
          relations: try Fields(relationships.object[name] ?? .object([:])).object.members.map {
            name, hops in try Self.relation(name, hops)
          })
      })
  }

  /// The named query, as the client runs it on its own rows.
  func query(_ name: String, _ args: [JSONValue], userID: String?) throws -> AnyQuery {
    try build(name, args.first, userID).named(name, args: args)
  }

  static let mutators: [MutatorDefinition] = [
    definition("issue.create") { tx, args in
      var row = args.object
      row["status"] = .string("open")
      row["priority"] = args.object["priority"] ?? .number(0)
      row["votes"] = .number(0)
      row["isPrivate"] = args.object["isPrivate"] ?? .bool(false)
      try tx.table("issue").insert(row)
    },
    definition("issue.setStatus") { tx, args in
      var row = args.object
      row["closedAt"] = args.object["closedAt"] ?? .null
      try tx.table("issue").update(row)
    },
    definition("issue.rename") { tx, args in try tx.table("issue").update(args.object) },
    definition("issue.delete") { tx, args in try tx.table("issue").delete(args.object) },
    definition("issue.addLabel") { tx, args in try tx.table("issueLabel").upsert(args.object) },
    definition("issue.removeLabel") { tx, args in try tx.table("issueLabel").delete(args.object) },
    definition("comment.add") { tx, args in
      var row = args.object
      row["reactions"] = .object([:])
      try tx.table("comment").insert(row)
    },
  ]

  // MARK: -

  private static func relation(_ name: String, _ json: JSONValue) throws -> RelationDescriptor {
    guard case .array(let hops) = json, let last = hops.last,
      let cardinality = Cardinality(rawValue: try Fields(last).string("cardinality"))
    else { throw VectorFailure("relationship \(name) is not understood") }
    return RelationDescriptor(
      name, cardinality,
      hops: try hops.map { json in
        let hop = try Fields(json)
        return Hop(
          try hop.strings("sourceField"), try hop.string("destSchema"),
          try hop.strings("destField"))
      })
  }

  private static func definition(
    _ name: String,
    _ body: @escaping @MainActor @Sendable (MutatorTransaction, Fields) throws -> Void
  ) -> MutatorDefinition {
    MutatorDefinition(name) { tx, args in try body(tx, try Fields(args)) }
  }

  private func build(_ name: String, _ args: JSONValue?, _ userID: String?) throws -> AnyQuery {
    func table(_ name: String) throws -> AnyQuery { try AnyQuery(schema, table: name) }
    func argument(_ name: String) throws -> Value { Value(try Fields(args).json(name)) }
    switch name {
    case "allUsers": return try table("user").orderBy("name")
    case "projects":
      let archived = try args.flatMap { try Fields($0).optionalBool("archived") } ?? false
      return try table("project").where("archived", .bool(archived))
    case "issuesByProject":
      return try table("issue").where("projectId", argument("projectId"))
        .related("creator").related("labels").orderBy("createdAt", .desc)
        .limit(Fields(args).optionalNumber("limit") ?? 100)
    case "issueDetail":
      return try table("issue").where("id", argument("id"))
        .related("comments") { try $0.orderBy("createdAt").related("author") }
        .related("assignee").one()
    case "visibleIssues":
      return try table("issue").where { issue in
        issue.or(
          issue.cmp("isPrivate", .bool(false)), issue.cmp("creatorId", .string(userID ?? "")))
      }.orderBy("id")
    case "issuesWithComments": return try table("issue").whereExists("comments").orderBy("id")
    case "labels": return try table("label")
    case "forbidden": return try table("user").where("role", .string("admin"))
    // A name that the server does not know either; the recorded client defined it for that.
    case "doesNotExist": return try table("label").limit(1)
    default: throw VectorFailure("query \(name) is not one of the application")
    }
  }
}
