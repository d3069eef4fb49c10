import ZeroIVM
import ZeroProtocol

extension VectorRunner {
  static let builder = VectorRunner(
    fields: [
      "table", "chain", "ast", "format", "completed", "normalizedJSON", "hash", "serverJSON",
      "serverThrows", "throws",
    ],
    prepare: { file in
      let schema = try fixtureSchema(file)
      let toServer = NameMapper(schema, .clientToServer)
      return { test in
        let chain = QueryChain(try test.value("chain"))
        let table = try test.string("table")
        if test.has("throws") {
          do {
            let query = try chain.applied(to: try AnyQuery(schema, table: table))
            throw VectorFailure("expected an error, got \(query.ast.jsonValue.jsonString)")
          } catch is QueryBuildError {
            return
          } catch is DoesNotCompile {
            return
          }
        }
        let query = try chain.applied(to: try AnyQuery(schema, table: table))
        try expectEqual(query.ast.jsonValue, try test.json("ast"), "ast")
        try expectEqual(json(query.format), try test.json("format"), "format")
        if test.has("completed") {
          let completed = try query.ast.completingOrdering { schema.table($0)?.primaryKey }
          try expectEqual(completed.jsonValue, try test.json("completed"), "completed")
        }
        let normalized = text(try query.ast.normalized().jsonText)
        try expectEqual(normalized, try test.string("normalizedJSON"), "normalizedJSON")
        try expectEqual(try query.hash(), try test.string("hash"), "hash")
        if test.has("serverThrows") {
          try expectThrows("mapping") { try query.ast.normalized().mapped(by: toServer) }
          return
        }
        let expected = try test.string("serverJSON")
        try expectEqual(
          text(try query.ast.normalized().mapped(by: toServer).jsonText),
          expected == "=" ? normalized : expected, "serverJSON")
      }
    })

  static let conditionCmp = VectorRunner(
    fields: ["args", "condition", "keyOrder"],
    prepare: { _ in
      let table = TableDescriptor("t", columns: [], primaryKey: [])
      let query = try AnyQuery(ZeroSchema(tables: [table]), table: "t")
      return { test in
        guard case .array(let arguments) = try test.value("args") else {
          throw VectorFailure("args is no array")
        }
        guard case .simple(let condition)? = try comparison(query, arguments).ast.where else {
          throw VectorFailure("no comparison")
        }
        let json = Condition.simple(condition).jsonValue
        try expectEqual(json, try test.json("condition"), "condition")
        guard case .object(let object) = json else { throw VectorFailure("no object") }
        try expectEqual(
          object.members.map(\.key), try strings(try test.json("keyOrder")), "keyOrder")
      }
    })

  // MARK: -

  /// A comparison made with two or three arguments; their number counts, not what they are.
  fileprivate static func comparison(
    _ query: AnyQuery, _ arguments: [VectorValue]
  ) throws -> AnyQuery {
    switch arguments.count {
    case 2: return query.where(try arguments[0].text(), try arguments[1].columnValue())
    case 3:
      guard let op = SimpleOperator(rawValue: try arguments[1].text()) else {
        throw VectorValue.Inexpressible("an operator that does not exist")
      }
      return query.where(try arguments[0].text(), op, try arguments[2].columnValue())
    default: throw DoesNotCompile()
    }
  }

  private static func json(_ format: Format) -> JSONValue {
    .object([
      "singular": .bool(format.singular),
      "relationships": .object(
        JSONObject(format.relationships.map { ($0.name, json($0.format)) })),
    ])
  }
}

/// A call with more or fewer arguments than any overload has, which the compiler refuses.
private struct DoesNotCompile: Error {}

/// A list of steps that build a query, as vectors write them.
struct QueryChain {
  private let steps: VectorValue

  init(_ steps: VectorValue) { self.steps = steps }

  /// - Throws: `QueryBuildError`, or ``VectorFailure`` for a step that is not understood.
  func applied(to query: AnyQuery) throws -> AnyQuery {
    guard case .array(let steps) = steps else { throw VectorFailure("a chain is no array") }
    return try steps.reduce(query) { query, step in
      guard case .array(let parts) = step, let name = parts.first else {
        throw VectorFailure("a step is no array")
      }
      return try apply(try name.text(), Array(parts.dropFirst()), to: query)
    }
  }

  // MARK: -

  private func apply(
    _ step: String, _ arguments: [VectorValue], to query: AnyQuery
  ) throws -> AnyQuery {
    switch (step, arguments.count) {
    case ("where", _): return try VectorRunner.comparison(query, arguments)
    case ("whereExpr", 1):
      return try query.where { builder in try condition(arguments[0], builder) }
    case ("whereExists", 1...3):
      let options = try Options(arguments.count > 2 ? arguments[2] : nil)
      return try query.whereExists(
        try arguments[0].text(), flip: options.flip, scalar: options.scalar
      ) { try Self.chain(arguments, 1).applied(to: $0) }
    case ("related", 1...2):
      return try query.related(try arguments[0].text()) {
        try Self.chain(arguments, 1).applied(to: $0)
      }
    case ("orderBy", 2):
      guard let direction = Direction(rawValue: try arguments[1].text()) else {
        throw VectorValue.Inexpressible("a direction that does not exist")
      }
      return try query.orderBy(try arguments[0].text(), direction)
    case ("limit", 1):
      guard case .number(let limit) = arguments[0] else { throw VectorFailure("no limit") }
      return try query.limit(limit)
    case ("one", 0): return query.one()
    case ("start", 1...2):
      guard case .object(let row)? = try arguments[0].json() else { throw VectorFailure("no row") }
      let options = try Options(arguments.count > 1 ? arguments[1] : nil)
      return query.start(row, inclusive: options.inclusive ?? false)
    default: throw VectorFailure("unknown step \(step) with \(arguments.count) arguments")
    }
  }

  /// The chain at `place`; an empty one if there is none.
  private static func chain(_ arguments: [VectorValue], _ place: Int) -> QueryChain {
    guard place < arguments.count else { return QueryChain(.array([])) }
    if case .null = arguments[place] { return QueryChain(.array([])) }
    return QueryChain(arguments[place])
  }

  private func condition(_ value: VectorValue, _ builder: ConditionBuilder) throws -> Condition {
    guard let condition = try optionalCondition(value, builder) else {
      throw VectorFailure("an undefined condition")
    }
    return condition
  }

  /// Nil for an argument that is undefined.
  private func optionalCondition(
    _ value: VectorValue, _ builder: ConditionBuilder
  ) throws -> Condition? {
    guard case .array(let parts) = value, let name = parts.first else {
      throw VectorFailure("an expression is no array")
    }
    let arguments = Array(parts.dropFirst())
    switch (try name.text(), arguments.count) {
    case ("undefined", 0): return nil
    case ("cmp", 2): return builder.cmp(try arguments[0].text(), try arguments[1].columnValue())
    case ("cmp", 3):
      return builder.cmp(
        try arguments[0].text(), try operation(arguments[1]), try arguments[2].columnValue())
    case ("cmpLit", 3):
      return builder.cmpLit(
        .literal(try arguments[0].columnValue()), try operation(arguments[1]),
        .literal(try arguments[2].columnValue()))
    case ("and", _):
      return .conjunction(try arguments.compactMap { try optionalCondition($0, builder) })
    case ("or", _):
      return .disjunction(try arguments.compactMap { try optionalCondition($0, builder) })
    case ("not", 1): return builder.not(try condition(arguments[0], builder))
    case ("exists", 1...3):
      let options = try Options(arguments.count > 2 ? arguments[2] : nil)
      return try builder.exists(
        try arguments[0].text(), flip: options.flip, scalar: options.scalar
      ) { try Self.chain(arguments, 1).applied(to: $0) }
    default: throw VectorFailure("unknown expression \(try name.text())")
    }
  }

  private func operation(_ value: VectorValue) throws -> SimpleOperator {
    guard let op = SimpleOperator(rawValue: try value.text()) else {
      throw VectorValue.Inexpressible("an operator that does not exist")
    }
    return op
  }

  /// The options of an exists or a start.
  private struct Options {
    var flip: Bool?
    var scalar: Bool?
    var inclusive: Bool?

    init(_ value: VectorValue?) throws {
      guard let value else { return }
      guard case .object(let members) = value else { throw VectorFailure("options are no object") }
      for (name, value) in members {
        guard case .bool(let flag) = value else { throw VectorFailure("option \(name) is no flag") }
        switch name {
        case "flip": flip = flag
        case "scalar": scalar = flag
        case "inclusive": inclusive = flag
        default: throw VectorFailure("unknown option \(name)")
        }
      }
    }
  }
}
