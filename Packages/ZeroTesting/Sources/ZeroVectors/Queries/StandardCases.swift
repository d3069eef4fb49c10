@_spi(Engine) import ZeroIVM
import ZeroProtocol

/// Runs cases that open queries, push changes and compare what comes of it.
struct StandardCases {
  static let fields: Set<String> = [
    "id", "note", "seed", "schema", "data", "tables", "notExists", "rows", "queries", "hydrate",
    "steps", "final",
  ]

  private let test: EngineCase
  private let branch: Branch
  private var open: [OpenQuery?]
  /// Whether the file is recorded without reference counts and listener calls.
  private let isBrief: Bool

  /// A query with one pipeline that is recorded and one that has a view.
  private final class OpenQuery {
    let query: EngineCase.Query
    let recorder: ChangeRecorder
    let view: QueryView
    var notified = 0
    var shown: JSONValue
    var counts: [JSONValue]

    init(_ query: EngineCase.Query, _ branch: Branch, _ test: EngineCase) throws {
      self.query = query
      recorder = try ChangeRecorder(branch, query.ast)
      _ = try recorder.nodes()
      view = try branch.materialize(query.ast, query.format)
      shown = test.json(view.data)
      counts = test.counts(view.data)
      try view.addListener { [weak self] _, _, _ in self?.notified += 1 }
      notified = 0
    }

    func close() {
      recorder.destroy()
      view.destroy()
    }
  }

  private init(_ vector: VectorCase, _ fixtures: EngineFixtures, isBrief: Bool) throws {
    self.isBrief = isBrief
    test = try EngineCase(vector, fixtures)
    let allowsNotExists = vector.object["notExists"] == .bool(true)
    branch = try test.branch(allowsNotExists: allowsNotExists)
    open = Array(repeating: nil, count: test.queries.count)
  }

  static func run(_ vector: VectorCase, _ fixtures: EngineFixtures, isBrief: Bool) throws {
    var run = try StandardCases(vector, fixtures, isBrief: isBrief)
    let hydrate = try vector.array("hydrate")
    for (place, entry) in hydrate.enumerated() where entry != .null {
      try run.open(place, try entry.object("hydrate"), "hydrate \(place)")
    }
    for (number, step) in try vector.array("steps").enumerated() {
      try run.step(try step.object("step"), "step \(number)")
    }
    for (place, expected) in try vector.array("final").enumerated() {
      guard let query = run.open[place] else {
        guard expected == .null else { throw VectorFailure("query \(place) is closed at the end") }
        continue
      }
      try expectEqual(
        run.test.json(try query.recorder.nodes()), droppingConditionRows(expected) ?? .null,
        "final nodes of query \(place)")
    }
  }

  // MARK: -

  private mutating func open(_ place: Int, _ expected: JSONObject, _ what: String) throws {
    try expected.allow(["query", "nodes", "view", "rc"], "opened query")
    let query = try OpenQuery(test.queries[place], branch, test)
    open[place] = query
    try expectEqual(
      test.json(try query.recorder.nodes()),
      droppingConditionRows(try expected.require("nodes")) ?? .null, "\(what): nodes")
    try expectEqual(query.shown, try expected.require("view"), "\(what): view")
    try expectEqual(.array(query.counts), expected["rc"] ?? .array([]), "\(what): counts")
  }

  private mutating func step(_ step: JSONObject, _ what: String) throws {
    try step.allow(["note", "close", "open", "push", "out"], "step")
    for place in try step["close"]?.array("close") ?? [] {
      let place = try place.int("close")
      open[place]?.close()
      open[place] = nil
    }
    for entry in try step["open"]?.array("open") ?? [] {
      let entry = try entry.object("open")
      try open(try entry.require("query").int("query"), entry, "\(what), opening")
    }
    for push in try step.require("push").array("push") {
      try branch.push(try test.change(push))
      if let broken = branch.brokenInvariant() { throw VectorFailure("\(what): \(broken)") }
    }
    let errors = branch.commit()
    guard errors.isEmpty else { throw VectorFailure("\(what): listeners failed") }
    for (place, expected) in try step.require("out").array("out").enumerated() {
      try check(place, expected, "\(what), query \(place)")
    }
  }

  private func check(_ place: Int, _ expected: JSONValue, _ what: String) throws {
    guard let query = open[place] else {
      guard expected == .null else { throw VectorFailure("\(what) is closed") }
      return
    }
    let expected = try expected.object("out")
    try expected.allow(["changes", "view", "notified", "rc"], "out")
    let view = test.json(query.view.data)
    try expectEqual(view, expected["view"] ?? query.shown, "\(what): view")
    query.shown = view
    let fresh = try branch.run(query.query.ast, query.query.format)
    try expectEqual(test.json(fresh), view, "\(what): the same query opened afresh")
    let changes = query.recorder.changes.compactMap { test.json($0) }
    query.recorder.changes = []
    try expectEqual(
      .array(changes), droppingConditionRows(try expected.require("changes")) ?? .null,
      "\(what): changes")
    let counts = test.counts(query.view.data)
    if !isBrief {
      try expectEqual(.array(counts), expected["rc"] ?? .array(query.counts), "\(what): counts")
      try expectEqual(
        query.notified, try expected["notified"]?.int("notified") ?? 0, "\(what): notified")
    }
    query.counts = counts
    query.notified = 0
  }
}
