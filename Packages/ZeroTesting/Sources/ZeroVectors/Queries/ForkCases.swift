import ZeroIVM
import ZeroProtocol

/// Runs cases with named branches.
final class ForkCases {
  static let fields: Set<String> = BatchCases.fields

  private let test: EngineCase
  private var branches: [String: Branch]
  /// The differences that lead from the content of a base to that of a head.
  private var steps: [String: (base: String, changes: [SourceChange])] = [:]
  private var views: [Int: QueryView] = [:]
  private var events: [JSONValue] = []

  private init(_ vector: VectorCase, _ fixtures: EngineFixtures) throws {
    test = try EngineCase(vector, fixtures)
    branches = ["main": try test.branch(head: "h0")]
  }

  static func run(_ vector: VectorCase, _ fixtures: EngineFixtures) throws {
    let run = try ForkCases(vector, fixtures)
    for (number, action) in try vector.array("actions").enumerated() {
      let action = try action.object("action")
      try run.run(action, "action \(number), \(try action.require("do").jsonString)")
    }
  }

  // MARK: -

  private func run(_ action: JSONObject, _ what: String) throws {
    try action.allow(
      [
        "do", "note", "from", "as", "base", "changes", "head", "branch", "push", "expected",
        "diffs", "query", "listen", "view", "table", "rows", "events", "error",
      ], "action")
    events = []
    do {
      try perform(action, what)
      if let kind = action["error"] {
        throw VectorFailure("\(what): expected error \(kind.jsonString)")
      }
    } catch let error as EngineError {
      try expectEqual(
        .string(error.vectorKind), action["error"] ?? .null, "\(what): error \(error)")
    }
    try expectEqual(.array(events), action["events"] ?? .array([]), "\(what): events")
  }

  private func perform(_ action: JSONObject, _ what: String) throws {
    func text(_ field: String) throws -> String { try action.require(field).string(field) }
    func branch(_ field: String = "branch") throws -> Branch {
      let name = try text(field)
      guard let branch = branches[name] else { throw VectorFailure("no branch \(name)") }
      return branch
    }
    func query() throws -> Int { try action.require("query").int("query") }
    switch try text("do") {
    case "fork": branches[try text("as")] = try branch("from").fork()
    case "store":
      let changes = try action.require("changes").array("changes").map { try test.change($0) }
      steps[try text("as")] = (try text("base"), changes)
    case "forkToHead":
      let (from, head) = (try branch("from"), try text("head"))
      let fork = try from.fork()
      if from.head != head {
        try fork.advance(from: from.head, to: head, try difference(from, head))
      }
      branches[try text("as")] = fork
    case "push":
      for push in try action.require("push").array("push") {
        try branch().push(try test.change(push))
      }
    case "commit": try branch().commit()
    case "advance":
      let branch = try branch()
      defer { branch.commit() }
      try branch.advance(
        from: try text("expected"), to: try text("head"), try test.differences(action))
    case "open":
      let (place, branch) = (try query(), try branch())
      let view = try branch.materialize(test.queries[place].ast, test.queries[place].format)
      views[place] = view
      try expectEqual(test.json(view.data), try action.require("view"), "\(what): view")
      if action["listen"] == .bool(true) {
        var isFirst = true
        try view.addListener { [unowned self] data, _, _ in
          if !isFirst { events.append(.array([.number(Double(place)), test.json(data)])) }
          isFirst = false
        }
      }
    case "run":
      let query = test.queries[try query()]
      let data = try branch().run(query.ast, query.format)
      try expectEqual(test.json(data), try action.require("view"), "\(what): result")
    case "view":
      guard let view = views[try query()] else { throw VectorFailure("\(what): not open") }
      try expectEqual(test.json(view.data), try action.require("view"), "\(what): view")
    case "rows":
      let rows = try branch().rows(of: try text("table"))
      try expectEqual(
        .array(rows.map { test.name(of: $0) }), try action.require("rows"), "\(what): rows")
    case let name: throw VectorFailure("action \(name) is not understood")
    }
  }

  /// The content of a head, by table and primary key.
  private func content(_ head: String) throws -> [String: [Row]] {
    guard head != "h0" else {
      return try Dictionary(
        uniqueKeysWithValues: test.initialRows().map { ($0.table, $0.rows) })
    }
    guard let step = steps[head] else { throw VectorFailure("no head \(head)") }
    let branch = Branch(schema: test.schema)
    for (table, rows) in try content(step.base) { try branch.load(table, ContiguousArray(rows)) }
    for change in step.changes { try branch.push(change) }
    return try Dictionary(
      uniqueKeysWithValues: test.schema.tables.map {
        ($0.name, Array(try branch.rows(of: $0.name)))
      })
  }

  /// The net changes from what a branch holds to the content of a head.
  private func difference(_ branch: Branch, _ head: String) throws -> [SourceChange] {
    let target = Branch(schema: test.schema)
    for (table, rows) in try content(head) { try target.load(table, ContiguousArray(rows)) }
    var changes: [SourceChange] = []
    for table in test.schema.tables {
      for row in try branch.rows(of: table.name) where try target.row(withKeyOf: row) == nil {
        changes.append(.remove(row))
      }
      for row in try target.rows(of: table.name) {
        guard let old = try branch.row(withKeyOf: row) else {
          changes.append(.add(row))
          continue
        }
        if old != row { changes.append(.edit(old: old, new: row)) }
      }
    }
    return changes
  }
}
