extension AST {
  /// Checks and takes a query given as JSON.
  ///
  /// - Parameters:
  ///   - unknownMembers: whether a member that this version does not know is an error. Kept ones
  ///     print again, save those of groups and correlations.
  ///   - path: where `json` stands in what was received; errors start their path with it.
  /// - Throws: `wrongType`, `missingMember`, `invalidValue`, `invalidLength`, `unknownMember`, or
  ///   `tooDeep` for more than 100 queries and groups inside each other.
  public init(
    json: JSONValue, unknownMembers: UnknownMembers = .refused, at path: JSONPath = []
  ) throws(JSONError) {
    var decoder = JSONTreeDecoder(unknownMembers: unknownMembers, at: path)
    self = try decoder.query(json)
  }
}

extension Condition {
  /// Checks and takes a condition given as JSON; see `AST.init(json:unknownMembers:at:)`.
  public init(
    json: JSONValue, unknownMembers: UnknownMembers = .refused, at path: JSONPath = []
  ) throws(JSONError) {
    var decoder = JSONTreeDecoder(unknownMembers: unknownMembers, at: path)
    self = try decoder.condition(json)
  }
}

extension JSONTreeDecoder {
  // What calls itself does little else and takes no closures: without optimization, each value in such
  // a function takes stack on every level.

  mutating func query(_ json: JSONValue) throws(JSONError) -> AST {
    let object = try self.object(json)
    var query = try queryHead(object)
    if object["where"] != nil { query.where = try nestedCondition(object) }
    if let related = object["related"] { query.related = try subqueries(related) }
    try readQueryTail(object, &query)
    return query
  }

  private mutating func nestedCondition(_ object: JSONObject) throws(JSONError) -> Condition {
    let value = try enterMember("where", of: object)
    try enterLevel()
    let condition = try condition(value)
    leaveLevel()
    leave()
    return condition
  }

  private mutating func subqueries(
    _ json: JSONValue
  ) throws(JSONError) -> [CorrelatedSubquery] {
    enter(.key("related"))
    guard case .array(let elements) = json else { throw mismatch("an array", json) }
    var subqueries: [CorrelatedSubquery] = []
    subqueries.reserveCapacity(elements.count)
    for index in elements.indices {
      enter(.index(index))
      subqueries.append(try subquery(elements[index]))
      leave()
    }
    leave()
    return subqueries
  }

  private mutating func queryHead(_ object: JSONObject) throws(JSONError) -> AST {
    var query = AST(table: "")
    query.schema = try optional("schema", of: object) { (decoder, value) throws(JSONError) in
      try decoder.string(value)
    }
    query.table = try member("table", of: object) { (decoder, value) throws(JSONError) in
      try decoder.string(value)
    }
    query.alias = try optional("alias", of: object) { (decoder, value) throws(JSONError) in
      try decoder.string(value)
    }
    return query
  }

  private mutating func readQueryTail(
    _ object: JSONObject, _ query: inout AST
  ) throws(JSONError) {
    query.start = try optional("start", of: object) { (decoder, value) throws(JSONError) in
      try decoder.start(value)
    }
    query.limit = try optional("limit", of: object) { (decoder, value) throws(JSONError) in
      guard case .number(let limit) = value else { throw decoder.mismatch("a number", value) }
      return limit
    }
    query.orderBy = try optional("orderBy", of: object) { (decoder, value) throws(JSONError) in
      try decoder.array(value) { (decoder, value) throws(JSONError) in
        try decoder.orderPart(value)
      }
    }
    try refuseUnknown(object, known: AST.usualNames)
    query.spelling = .of(object, usual: AST.usualNames)
  }

  mutating func condition(_ json: JSONValue) throws(JSONError) -> Condition {
    let object = try self.object(json)
    switch try literal("type", of: object, ConditionType.self) {
    case .simple: return .simple(try simple(object))
    case .and: return .and(try conditions(object))
    case .or: return .or(try conditions(object))
    case .correlatedSubquery: return .correlatedSubquery(try exists(object))
    }
  }

  // MARK: -

  private enum ConditionType: String, CaseIterable { case simple, and, or, correlatedSubquery }

  private enum PositionType: String, CaseIterable { case literal, column, `static` }

  private enum RightPositionType: String, CaseIterable { case `static`, literal }

  private mutating func simple(_ object: JSONObject) throws(JSONError) -> SimpleCondition {
    let op = try literal("op", of: object, SimpleOperator.self)
    let left = try member("left", of: object) { (decoder, value) throws(JSONError) in
      try decoder.position(value)
    }
    let right = try member("right", of: object) { (decoder, value) throws(JSONError) in
      try decoder.rightPosition(value)
    }
    try refuseUnknown(object, known: SimpleCondition.usualNames)
    var condition = SimpleCondition(left: left, op, right: right)
    condition.spelling = .of(object, usual: SimpleCondition.usualNames)
    return condition
  }

  private mutating func conditions(_ object: JSONObject) throws(JSONError) -> [Condition] {
    let value = try enterMember("conditions", of: object)
    try enterLevel()
    guard case .array(let elements) = value else { throw mismatch("an array", value) }
    var conditions: [Condition] = []
    conditions.reserveCapacity(elements.count)
    for index in elements.indices {
      enter(.index(index))
      conditions.append(try condition(elements[index]))
      leave()
    }
    leaveLevel()
    leave()
    try refuseUnknown(object, known: ["type", "conditions"])
    return conditions
  }

  private mutating func exists(
    _ object: JSONObject
  ) throws(JSONError) -> CorrelatedSubqueryCondition {
    let value = try enterMember("related", of: object)
    let related = try subquery(value)
    leave()
    return try exists(object, related)
  }

  private mutating func exists(
    _ object: JSONObject, _ related: CorrelatedSubquery
  ) throws(JSONError) -> CorrelatedSubqueryCondition {
    let op = try literal("op", of: object, ExistsOperator.self)
    let flip = try optional("flip", of: object) { (decoder, value) throws(JSONError) in
      try decoder.bool(value)
    }
    let scalar = try optional("scalar", of: object) { (decoder, value) throws(JSONError) in
      try decoder.bool(value)
    }
    try refuseUnknown(object, known: CorrelatedSubqueryCondition.usualNames)
    var condition = CorrelatedSubqueryCondition(
      related: related, op: op, flip: flip, scalar: scalar)
    condition.spelling = .of(object, usual: CorrelatedSubqueryCondition.usualNames)
    return condition
  }

  private mutating func position(_ json: JSONValue) throws(JSONError) -> ValuePosition {
    let object = try self.object(json)
    return try position(object, try literal("type", of: object, PositionType.self))
  }

  private mutating func rightPosition(_ json: JSONValue) throws(JSONError) -> ValuePosition {
    let object = try self.object(json)
    return switch try literal("type", of: object, RightPositionType.self) {
    case .literal: try position(object, .literal)
    case .static: try position(object, .static)
    }
  }

  private mutating func position(
    _ object: JSONObject, _ type: PositionType
  ) throws(JSONError) -> ValuePosition {
    var position: ValuePosition
    let usual: [String]
    switch type {
    case .column:
      usual = ["type", "name"]
      position = .column(
        try member("name", of: object) { (decoder, value) throws(JSONError) in
          try decoder.string(value)
        })
    case .literal:
      usual = ["type", "value"]
      position = .literal(
        try member("value", of: object) { (decoder, value) throws(JSONError) in
          try decoder.literalValue(value)
        })
    case .static:
      usual = ["type", "anchor", "field"]
      let anchor = try literal("anchor", of: object, ParameterAnchor.self)
      position = .parameter(
        try member("field", of: object) { (decoder, value) throws(JSONError) in
          try decoder.parameter(anchor, value)
        })
    }
    try refuseUnknown(object, known: usual)
    position.spelling = .of(object, usual: usual)
    return position
  }

  private mutating func literalValue(_ json: JSONValue) throws(JSONError) -> Value {
    switch json {
    case .null, .bool, .number, .string: break
    case .object: throw mismatch("a string, a number, a boolean, null or an array", json)
    case .array:
      _ = try array(json) { (decoder, value) throws(JSONError) in
        switch value {
        case .bool, .number, .string: return value
        case .null, .array, .object:
          throw decoder.mismatch("a string, a number or a boolean", value)
        }
      }
    }
    return Value(json)
  }

  private mutating func parameter(
    _ anchor: ParameterAnchor, _ json: JSONValue
  ) throws(JSONError) -> StaticParameter {
    switch json {
    case .string(let field): return StaticParameter(anchor: anchor, field: field)
    case .array: return StaticParameter(anchor: anchor, path: try strings(json))
    default: throw mismatch("a string or an array", json)
    }
  }

  private mutating func subquery(_ json: JSONValue) throws(JSONError) -> CorrelatedSubquery {
    let object = try self.object(json)
    let (correlation, hidden) = try subqueryHead(object)
    let value = try enterMember("subquery", of: object)
    try enterLevel()
    let query = try query(value)
    leaveLevel()
    leave()
    return try subquery(object, correlation, query, hidden: hidden)
  }

  private mutating func subqueryHead(
    _ object: JSONObject
  ) throws(JSONError) -> (Correlation, hidden: Bool?) {
    let correlation = try member("correlation", of: object) { (decoder, value) throws(JSONError) in
      try decoder.correlation(value)
    }
    let hidden = try optional("hidden", of: object) { (decoder, value) throws(JSONError) in
      try decoder.bool(value)
    }
    return (correlation, hidden)
  }

  private mutating func subquery(
    _ object: JSONObject, _ correlation: Correlation, _ query: AST, hidden: Bool?
  ) throws(JSONError) -> CorrelatedSubquery {
    let system =
      object["system"] == nil ? nil : try literal("system", of: object, QuerySystem.self)
    try refuseUnknown(object, known: CorrelatedSubquery.usualNames)
    var subquery = CorrelatedSubquery(
      system: system, correlation: correlation, subquery: query, hidden: hidden)
    subquery.spelling = .of(object, usual: CorrelatedSubquery.usualNames)
    return subquery
  }

  private mutating func correlation(_ json: JSONValue) throws(JSONError) -> Correlation {
    let object = try self.object(json)
    func columns(_ decoder: inout JSONTreeDecoder, _ value: JSONValue) throws(JSONError) -> [String]
    {
      let columns = try decoder.strings(value)
      guard !columns.isEmpty else {
        throw decoder.error(.invalidLength, "expected at least one column")
      }
      return columns
    }
    let parent = try member("parentField", of: object, columns)
    let child = try member("childField", of: object, columns)
    try refuseUnknown(object, known: ["parentField", "childField"])
    return Correlation(parentField: parent, childField: child)
  }

  private mutating func start(_ json: JSONValue) throws(JSONError) -> Start {
    let object = try self.object(json)
    let row = try member("row", of: object) { (decoder, value) throws(JSONError) in
      try decoder.object(value)
    }
    let exclusive = try member("exclusive", of: object) { (decoder, value) throws(JSONError) in
      try decoder.bool(value)
    }
    try refuseUnknown(object, known: Start.usualNames)
    var start = Start(row: row, exclusive: exclusive)
    start.spelling = .of(object, usual: Start.usualNames)
    return start
  }

  private mutating func orderPart(_ json: JSONValue) throws(JSONError) -> OrderPart {
    guard case .array(let pair) = json else { throw mismatch("an array", json) }
    guard pair.count == 2 else {
      throw error(.invalidLength, "expected a column and a direction, got \(pair.count) elements")
    }
    let column = try inside(.index(0)) { (decoder) throws(JSONError) in
      try decoder.string(pair[0])
    }
    let direction = try inside(.index(1)) { (decoder) throws(JSONError) in
      try decoder.literal(pair[1], Direction.self)
    }
    return OrderPart(column, direction)
  }
}
