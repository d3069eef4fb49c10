import ZeroIVM
import ZeroProtocol

/// Runs transactions over several views and their listeners.
final class BatchCases {
  static let fields: Set<String> = [
    "id", "note", "schema", "data", "tables", "rowsFrom", "rows", "queries", "actions",
  ]

  private let test: EngineCase
  private let branch: Branch
  private var views: [QueryView?]
  private var removers: [String: () -> Void] = [:]
  private var events: [JSONValue] = []
  private var logged = 0

  private init(_ vector: VectorCase, _ fixtures: EngineFixtures) throws {
    test = try EngineCase(vector, fixtures)
    branch = try test.branch(head: "h0")
    views = Array(repeating: nil, count: test.queries.count)
  }

  static func run(_ vector: VectorCase, _ fixtures: EngineFixtures) throws {
    let run = try BatchCases(vector, fixtures)
    for (number, action) in try vector.array("actions").enumerated() {
      let action = try action.object("action")
      try run.run(action, "action \(number), \(try action.require("do").jsonString)")
    }
  }

  // MARK: -

  private func run(_ action: JSONObject, _ what: String) throws {
    try action.allow(
      [
        "do", "note", "query", "view", "listener", "throwsAfter", "expected", "head", "diffs",
        "push", "events", "views", "error", "logged",
      ], "action")
    events = []
    logged = 0
    do {
      try perform(action, what)
      if let kind = action["error"] {
        throw VectorFailure("\(what): expected error \(kind.jsonString)")
      }
    } catch let error as EngineError {
      let expected = action["error"] ?? .null
      try expectEqual(.string(error.vectorKind), expected, "\(what): error \(error)")
    }
    try expectEqual(.array(events), action["events"] ?? .array([]), "\(what): events")
    try expectEqual(logged, try action["logged"]?.int("logged") ?? 0, "\(what): logged errors")
    if let expected = action["views"] {
      let shown = views.map { $0.map { test.json($0.data) } ?? .null }
      try expectEqual(.array(shown), expected, "\(what): views")
    }
  }

  private func perform(_ action: JSONObject, _ what: String) throws {
    func query() throws -> Int { try action.require("query").int("query") }
    func view() throws -> QueryView {
      guard let view = views[try query()] else { throw VectorFailure("\(what): not open") }
      return view
    }
    switch try action.require("do").string("do") {
    case "open":
      let query = test.queries[try query()]
      let view = try branch.materialize(query.ast, query.format)
      views[try self.place(action)] = view
      try expectEqual(test.json(view.data), try action.require("view"), "\(what): view")
    case "close": try view().destroy()
    case "listen": try listen(try view(), action)
    case "unlisten": removers[try action.require("listener").string("listener")]?()
    case "read":
      try expectEqual(test.json(try view().data), try action.require("view"), "\(what): view")
    case "got": if try view().complete() != nil { logged += 1 }
    case "failed": if try view().fail(VectorFailure("refused")) != nil { logged += 1 }
    case "push":
      try push(action)
      commit()
    case "pushOnly": try push(action)
    case "commit": commit()
    case "poke":
      defer { commit() }
      try branch.advance(
        from: try action.require("expected").string("expected"),
        to: try action.require("head").string("head"), try test.differences(action))
    case let name: throw VectorFailure("action \(name) is not understood")
    }
  }

  private func place(_ action: JSONObject) throws -> Int {
    try action.require("query").int("query")
  }

  private func listen(_ view: QueryView, _ action: JSONObject) throws {
    let name = try action.require("listener").string("listener")
    let limit = try action["throwsAfter"]?.int("throwsAfter") ?? .max
    var calls = 0
    removers[name] = try view.addListener { [unowned self] data, type, _ in
      events.append(.array([.string(name), .string(type.rawValue), test.json(data)]))
      calls += 1
      if calls > limit { throw VectorFailure("listener \(name) fails on purpose") }
    }
  }

  private func push(_ action: JSONObject) throws {
    for push in try action.require("push").array("push") {
      try branch.push(try test.change(push))
    }
  }

  private func commit() { logged += branch.commit().count }
}

extension EngineCase {
  /// The row differences of an action; others are of no concern to the engine.
  func differences(_ action: JSONObject) throws -> [SourceChange] {
    try action.require("diffs").array("diffs").compactMap { json in
      let parts = try json.array("difference")
      guard try parts[1].string("key").hasPrefix("e/") else { return nil }
      return try change(json)
    }
  }
}
