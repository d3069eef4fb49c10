@_spi(Engine) import ZeroClient
import ZeroIVM
import ZeroProtocol

/// The named queries that scenarios use.
struct ScenarioQueries {
  let schema: ZeroSchema
  let context: JSONValue?

  /// A query of the registry, or one that the step spells out.
  func query(_ step: JSONValue) throws -> AnyQuery {
    let fields = try Fields(step)
    if fields.object["name"] != nil {
      try fields.allow(["name", "args"])
      return try named(try fields.string("name"), fields.object["args"])
    }
    return try adHoc(fields, AnyQuery(schema, table: try fields.string("table")))
  }

  // MARK: -

  private func adHoc(_ fields: Fields, _ start: AnyQuery) throws -> AnyQuery {
    try fields.allow(["table", "where", "whereExists", "related", "orderBy", "limit", "one"])
    var query = start
    for condition in try list(fields, "where") {
      guard case .array(let parts) = condition, parts.count == 3,
        case .string(let column) = parts[0],
        case .string(let word) = parts[1], let operation = SimpleOperator(rawValue: word)
      else { throw VectorFailure("where \(condition.jsonString)") }
      query = query.where(column, operation, Value(parts[2]))
    }
    for related in try list(fields, "whereExists") {
      let (name, below) = try nested(related)
      query = try query.whereExists(name) { try below($0) }
    }
    for related in try list(fields, "related") {
      let (name, below) = try nested(related)
      query = try query.related(name) { try below($0) }
    }
    for part in try list(fields, "orderBy") {
      guard case .array(let parts) = part, parts.count == 2, case .string(let column) = parts[0],
        case .string(let word) = parts[1], let direction = Direction(rawValue: word)
      else { throw VectorFailure("orderBy \(part.jsonString)") }
      query = try query.orderBy(column, direction)
    }
    if let limit = try fields.optionalNumber("limit") { query = try query.limit(limit) }
    if try fields.optionalBool("one") == true { query = query.one() }
    return query
  }

  private func list(_ fields: Fields, _ name: String) throws -> [JSONValue] {
    fields.object[name] == nil ? [] : try fields.array(name)
  }

  private func nested(
    _ json: JSONValue
  ) throws -> (name: String, below: (AnyQuery) throws -> AnyQuery) {
    let fields = try Fields(json)
    try fields.allow(["relationship", "query"])
    return (
      try fields.string("relationship"),
      { query in
        guard let below = fields.object["query"] else { return query }
        return try adHoc(try Fields(below), query)
      }
    )
  }

  private func named(_ name: String, _ args: JSONValue?) throws -> AnyQuery {
    let query = try build(name, args)
    return query.named(name, args: args.map { [$0] } ?? [])
  }

  private func build(_ name: String, _ args: JSONValue?) throws -> AnyQuery {
    func table(_ name: String) throws -> AnyQuery { try AnyQuery(schema, table: name) }
    func argument(_ name: String) throws -> Value { Value(try Fields(args).json(name)) }
    switch name {
    case "issue.all": return try table("issue").orderBy("created")
    case "issue.byID": return try table("issue").where("id", argument("id")).one()
    case "issue.byStatus":
      return try table("issue").where("status", argument("status")).orderBy("created")
    case "issue.recent":
      return try table("issue").orderBy("created", .desc).limit(try Fields(args).number("limit"))
    case "issue.withComments":
      return try table("issue").orderBy("id").related("comments") { try $0.orderBy("created") }
    case "issue.detail":
      return try table("issue").where("id", argument("id")).related("owner")
        .related("comments") { try $0.orderBy("created").related("author") }.related("labels").one()
    case "issue.commented": return try table("issue").orderBy("id").whereExists("comments")
    case "issue.ownedBy":
      let owner = try argument("name")
      return try table("issue").orderBy("id").whereExists("owner") { $0.where("name", owner) }
    case "issue.labeled":
      let label = try argument("label")
      return try table("issue").orderBy("id").whereExists("labels") { $0.where("name", label) }
    case "issue.mine":
      let user = Self.user(context).map { Value($0) } ?? .absent
      return try table("issue").where("ownerID", user).orderBy("created")
    case "issue.unassigned": return try table("issue").where("ownerID", .is, .null).orderBy("id")
    case "issue.page": return try table("issue").orderBy("created").limit(try pageLimit(args))
    case "user.all": return try table("user").orderBy("name")
    case "user.withIssues":
      return try table("user").orderBy("id").related("issues") { try $0.orderBy("created") }
    case "comment.forIssue":
      return try table("comment").where("issueID", argument("issueID")).orderBy("created")
    case "label.all": return try table("label").orderBy("name")
    case "counter.all": return try table("counter").orderBy("id")
    case "counter.byID": return try table("counter").where("id", argument("id")).one()
    default: throw VectorFailure("query \(name) is not in the registry")
    }
  }

  /// The user of a client's context.
  static func user(_ context: JSONValue?) -> JSONValue? {
    guard case .object(let object)? = context else { return nil }
    return object["userID"]
  }

  private func pageLimit(_ args: JSONValue?) throws -> Double {
    guard case .object(let object)? = args, let limit = object["limit"] else { return 2 }
    guard case .number(let number) = limit else {
      throw InputValidationError("query issue.page", issues: [.init("limit must be a number")])
    }
    return number
  }
}

/// The mutators that scenarios use.
enum ScenarioMutators {
  typealias Body = @MainActor @Sendable (MutatorTransaction, Fields) throws -> Void

  /// - Parameters:
  ///   - set: `default`, `fewer` or `none`.
  ///   - trace: called when a body starts.
  @MainActor static func definitions(
    _ set: String, schema: ZeroSchema, context: JSONValue?,
    trace: @escaping @MainActor @Sendable (String, MutatorTransaction) -> Void
  ) throws -> [MutatorDefinition]? {
    let all = bodies(schema, context)
    let validators = ["issue.createChecked": checkTitle]
    let names = all.keys.sorted()
    let chosen: [String]
    switch set {
    case "default": chosen = names
    case "fewer": chosen = names.filter { !$0.hasPrefix("counter.") }
    case "none": return nil
    default: throw VectorFailure("mutators \(set) are not understood")
    }
    return chosen.map { name in
      let (body, validate) = (all[name], validators[name])
      return MutatorDefinition(name) { tx, args in
        let given = try Fields(args == nil || args == .null ? .object([:]) : args)
        let checked = try validate?(given) ?? given
        trace(name, tx)
        try body?(tx, checked)
      }
    }
  }

  // MARK: -

  @MainActor private static func one(
    _ tx: MutatorTransaction, _ schema: ZeroSchema, _ table: String, _ id: JSONValue
  ) throws -> JSONObject? {
    let row = try tx.run(try AnyQuery(schema, table: table).where("id", Value(id)).one())
    guard case .object(let object) = row else { return nil }
    return object
  }

  private static func text(_ value: JSONValue?) -> String {
    guard case .string(let text)? = value else { return value?.jsonString ?? "undefined" }
    return text
  }

  private static func bodies(_ schema: ZeroSchema, _ context: JSONValue?) -> [String: Body] {
    var bodies: [String: Body] = [:]
    func with(_ first: JSONObject, _ rest: JSONObject) -> JSONObject {
      var all = first
      for (key, value) in rest.members { all[key] = value }
      return all
    }
    bodies["issue.create"] = { tx, a in
      try tx.table("issue").insert(with(["status": .string("open")], a.object))
    }
    bodies["issue.createTraced"] = { tx, a in
      try tx.table("issue").insert([
        "id": a.json("id"), "created": a.object["created"] ?? .null, "status": .string("open"),
        "title": .string("\(tx.reason.rawValue) \(tx.mutationID) client"),
      ])
    }
    bodies["issue.createMine"] = { tx, a in
      let owner = ScenarioQueries.user(context) ?? .null
      try tx.table("issue").insert(with(a.object, ["status": .string("open"), "ownerID": owner]))
    }
    bodies["issue.createChecked"] = bodies["issue.create"]
    bodies["issue.upsert"] = { tx, a in try tx.table("issue").upsert(a.object) }
    for (name, column) in [
      ("issue.setTitle", "title"), ("issue.setStatus", "status"), ("issue.setOwner", "ownerID"),
    ] {
      bodies[name] = { tx, a in try tx.table("issue").update(picked(a, "id", column)) }
    }
    bodies["issue.remove"] = { tx, a in try tx.table("issue").delete(["id": a.json("id")]) }
    bodies["issue.appendTitle"] = { tx, a in
      guard let row = try one(tx, schema, "issue", try a.json("id")) else { return }
      try tx.table("issue").update([
        "id": a.json("id"), "title": .string(text(row["title"]) + text(a.object["suffix"])),
      ])
    }
    bodies["issue.renameOrFail"] = { tx, a in
      guard try one(tx, schema, "issue", try a.json("id")) != nil else {
        throw ApplicationError("issue \(text(a.object["id"])) does not exist")
      }
      try tx.table("issue").update(picked(a, "id", "title"))
    }
    bodies["issue.closeAll"] = { tx, _ in
      let open = try AnyQuery(schema, table: "issue").where("status", .string("open"))
        .orderBy("id")
      guard case .array(let rows) = try tx.run(open) else { return }
      for row in rows {
        try tx.table("issue").update([
          "id": try Fields(row).json("id"), "status": .string("closed"),
        ])
      }
    }
    bodies["comment.add"] = { tx, a in try tx.table("comment").insert(a.object) }
    bodies["comment.remove"] = { tx, a in try tx.table("comment").delete(["id": a.json("id")]) }
    bodies["label.attach"] = { tx, a in
      try tx.table("issueLabel").insert([
        "issueID": a.json("issueID"), "labelID": a.json("labelID"),
      ])
    }
    bodies["label.detach"] = { tx, a in
      try tx.table("issueLabel").delete([
        "issueID": a.json("issueID"), "labelID": a.json("labelID"),
      ])
    }
    bodies["counter.add"] = { tx, a in
      let by = try a.number("by")
      if let row = try one(tx, schema, "counter", try a.json("id")) {
        let value = try Fields(.object(row)).number("value")
        try tx.table("counter").update(["id": a.json("id"), "value": .number(value + by)])
      } else {
        try tx.table("counter").insert(["id": a.json("id"), "value": .number(by)])
      }
    }
    bodies["counter.set"] = { tx, a in
      try tx.table("counter").upsert(picked(a, "id", "value"))
    }
    bodies["server.only"] = { _, _ in }
    bodies["fail.plain"] = { _, a in throw ApplicationError(text(a.object["message"])) }
    bodies["fail.app"] = { _, a in
      throw ApplicationError(text(a.object["message"]), details: a.object["details"])
    }
    bodies["fail.afterWrite"] = { tx, a in
      try tx.table("issue").insert([
        "id": a.json("id"), "title": .string("never seen"), "status": .string("open"),
        "created": .number(0),
      ])
      throw ApplicationError("after write")
    }
    bodies["fail.onRebase"] = { tx, a in
      try tx.table("issue").insert([
        "id": a.json("id"), "title": .string(tx.reason.rawValue), "status": .string("open"),
        "created": a.object["created"] ?? .null,
      ])
      if tx.reason == .rebase { throw ApplicationError("refused on rebase") }
    }
    return bodies
  }

  /// The members of these names that are there.
  private static func picked(_ a: Fields, _ names: String...) -> JSONObject {
    JSONObject(names.compactMap { name in a.object[name].map { (name, $0) } })
  }

  /// Trims the title, and refuses one of which nothing is left.
  private static func checkTitle(_ a: Fields) throws -> Fields {
    guard case .string(let title)? = a.object["title"], let trimmed = trimmed(title) else {
      throw InputValidationError(
        "mutator issue.createChecked", issues: [.init("title must not be empty", path: ["title"])])
    }
    var checked = a.object
    checked["title"] = .string(trimmed)
    return try Fields(.object(checked))
  }

  /// Without what JavaScript takes for white space at the ends; nil if nothing is left.
  private static func trimmed(_ text: String) -> String? {
    func isSpace(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value == 0xFEFF || scalar.properties.isWhitespace && scalar.value != 0x85
    }
    let scalars = text.unicodeScalars
    guard let first = scalars.firstIndex(where: { !isSpace($0) }),
      let last = scalars.lastIndex(where: { !isSpace($0) })
    else { return nil }
    return String(scalars[first...last])
  }
}
