import ZeroIVM
import ZeroProtocol

/// Runs cases that have to fail at a given place in a given way.
enum ErrorCases {
  static let fields: Set<String> = [
    "id", "note", "schema", "data", "tables", "rows", "queries", "steps", "error", "notExists",
  ]

  static func run(_ vector: VectorCase, _ fixtures: EngineFixtures) throws {
    let test = try EngineCase(vector, fixtures)
    let expected = try vector.object("error")
    try expected.allow(["at", "kind"], "error")
    let kind = try expected.require("kind").string("kind")
    let branch = try test.branch(allowsNotExists: vector.object["notExists"] == .bool(true))
    var views: [QueryView] = []
    defer { views.removeAll() }

    if try expected.require("at") == .string("open") {
      try expectFailure(kind) {
        for query in test.queries { views.append(try branch.materialize(query.ast, query.format)) }
      }
      return
    }
    let at = try expected.require("at").object("at")
    let (step, push) = (try at.require("step").int("step"), try at.require("push").int("push"))
    for query in test.queries { views.append(try branch.materialize(query.ast, query.format)) }
    for (stepNumber, value) in try vector.array("steps").enumerated() {
      let pushes = try value.object("step").require("push").array("push")
      for (pushNumber, value) in pushes.enumerated() {
        let change = try test.change(value)
        if (stepNumber, pushNumber) == (step, push) {
          return try expectFailure(kind) { try branch.push(change) }
        }
        try branch.push(change)
      }
      branch.commit()
    }
    throw VectorFailure("there is no step \(step) with push \(push)")
  }

  static func expectFailure(_ kind: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as EngineError {
      return try expectEqual(error.vectorKind, kind, "kind of error")
    }
    throw VectorFailure("expected an error of kind \(kind)")
  }
}
