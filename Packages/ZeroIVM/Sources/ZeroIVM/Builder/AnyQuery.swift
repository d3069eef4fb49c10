public import ZeroProtocol

/// The name and arguments by which a server knows a query.
public struct CustomQueryID: Sendable, Equatable {
  /// The name, such as `issues.open`.
  public let name: String
  /// None, or one.
  public let args: [JSONValue]

  /// A name that the server knows, with no argument or one.
  public init(name: String, args: [JSONValue]) {
    self.name = name
    self.args = args
  }
}

/// A query built from names, for tools and for what is generated; apps use `Query`.
///
/// An immutable value: every method returns another query. Names of tables and relationships are
/// checked; those of columns are not, as in the reference, and a column that does not exist reads
/// as null.
public struct AnyQuery: Sendable {
  /// What names are looked up in.
  public let schema: ZeroSchema
  /// The table whose rows the query gives.
  public let table: TableDescriptor
  /// What is asked for.
  public private(set) var ast: AST
  /// What the result looks like.
  public private(set) var format: Format
  /// Who builds the query.
  public let system: QuerySystem
  /// The name it was made under, if any. Queries nested in it have the same.
  public private(set) var customQueryID: CustomQueryID?
  /// The relationship through a junction table that this query is inside of.
  let junction: String?

  /// The query for all rows of a table.
  /// - Throws: `unknownTable`.
  public init(
    _ schema: ZeroSchema, table: String, system: QuerySystem = .client
  ) throws(QueryBuildError) {
    self.init(
      schema, try Self.find(table, in: schema), AST(table: table), Format(), system, nil,
      junction: nil)
  }

  private init(
    _ schema: ZeroSchema, _ table: TableDescriptor, _ ast: AST, _ format: Format,
    _ system: QuerySystem, _ customQueryID: CustomQueryID?, junction: String?
  ) {
    self.schema = schema
    self.table = table
    self.ast = ast
    self.format = format
    self.system = system
    self.customQueryID = customQueryID
    self.junction = junction
  }

  /// Adds the condition that `column` equals `value`. For null that is never so; see `IS`.
  public func `where`(_ column: String, _ value: Value) -> AnyQuery {
    self.where(column, .equal, value)
  }

  /// Adds a comparison. An absent value counts as null.
  public func `where`(_ column: String, _ op: SimpleOperator, _ value: Value) -> AnyQuery {
    self.where(ConditionBuilder(self).cmp(column, op, value))
  }

  /// Adds a condition.
  public func `where`(_ condition: Condition) -> AnyQuery {
    changing { $0.ast.add(condition) }
  }

  /// Adds the condition that `build` makes.
  public func `where`(
    _ build: (ConditionBuilder) throws -> Condition
  ) throws -> AnyQuery {
    self.where(try build(ConditionBuilder(self)))
  }

  /// Adds the condition that `relation` leads to rows of the query that `build` makes.
  ///
  /// - Parameters:
  ///   - flip: whether to start from those rows; nil says nothing.
  ///   - scalar: whether it leads to one row at most, which a server may look up beforehand.
  /// - Throws: `unknownRelationship`, and what `build` throws.
  public func whereExists(
    _ relation: String, flip: Bool? = nil, scalar: Bool? = nil,
    _ build: (AnyQuery) throws -> AnyQuery = { $0 }
  ) throws -> AnyQuery {
    self.where(
      try ConditionBuilder(self).exists(relation, flip: flip, scalar: scalar, build))
  }

  /// Adds the rows that `relation` leads to as a nested result, shaped by `build`.
  ///
  /// Asking twice for one relationship makes two nested results in the query, of which the last
  /// one is shown.
  /// - Throws: `reservedRelationship`, `unknownRelationship`, and what `build` throws.
  public func related(
    _ relation: String, _ build: (AnyQuery) throws -> AnyQuery = { $0 }
  ) throws -> AnyQuery {
    try QueryRules.requireUnreserved(relation, of: table.name)
    let relation = try self.relation(relation)
    let far = try build(
      try self.far(
        relation, alias: relation.name, Format(singular: relation.cardinality == .one)))
    return changing {
      $0.ast.related =
        ($0.ast.related ?? []) + [QueryRules.related(relation, far.ast, system: system)]
      $0.format[relation.name] = far.format
    }
  }

  /// Appends a column to the ordering. A column may be repeated.
  /// - Throws: `orderByInJunction`.
  public func orderBy(
    _ column: String, _ direction: Direction = .asc
  ) throws(QueryBuildError) -> AnyQuery {
    try QueryRules.order(by: column, table: table.name, junction: junction)
    return changing { $0.ast.orderBy = ($0.ast.orderBy ?? []) + [OrderPart(column, direction)] }
  }

  /// Limits the number of rows, instead of any limit before.
  /// - Throws: `negativeLimit`, `invalidLimit`, `limitInJunction`.
  public func limit(_ limit: Double) throws(QueryBuildError) -> AnyQuery {
    let limit = try QueryRules.limit(limit, table: table.name, junction: junction)
    return changing { $0.ast.limit = limit }
  }

  /// Limits the number of rows, instead of any limit before.
  /// - Throws: as ``limit(_:)-(Double)``.
  public func limit(_ limit: Int) throws(QueryBuildError) -> AnyQuery {
    try self.limit(Double(limit))
  }

  /// Asks for the first row alone, which the result then is instead of a list.
  public func one() -> AnyQuery {
    changing {
      $0.ast.limit = 1
      $0.format.singular = true
    }
  }

  /// Starts behind `row` in the order of the query, or at it. Columns that `row` lacks count as
  /// null.
  public func start(_ row: JSONObject, inclusive: Bool = false) -> AnyQuery {
    changing { $0.ast.start = Start(row: row, exclusive: !inclusive) }
  }

  /// The same query under a name that the server knows.
  public func named(_ name: String, args: [JSONValue]) -> AnyQuery {
    changing { $0.customQueryID = CustomQueryID(name: name, args: args) }
  }

  /// The hash of the query's normalized AST.
  /// - Throws: `ASTError` for a query with unbound parameters.
  public func hash() throws(ASTError) -> String { try ast.hash() }

  // MARK: -

  private func changing(_ change: (inout AnyQuery) -> Void) -> AnyQuery {
    var copy = self
    change(&copy)
    return copy
  }

  func relation(_ name: String) throws(QueryBuildError) -> RelationDescriptor {
    guard let relation = table.relation(name) else {
      throw QueryBuildError(
        .unknownRelationship, table: table.name, name: name,
        "the table has no relationship of that name")
    }
    try QueryRules.require(relation, of: table.name)
    return relation
  }

  /// The query on the last table of a relation of this query's table, before anything is added.
  func far(
    _ relation: RelationDescriptor, alias: String, _ format: Format
  ) throws(QueryBuildError) -> AnyQuery {
    let name = relation.hops[relation.hops.count - 1].table
    return AnyQuery(
      schema, try Self.find(name, in: schema), AST(table: name, alias: alias), format, system,
      customQueryID, junction: relation.hops.count == 2 ? relation.name : nil)
  }

  private static func find(
    _ table: String, in schema: ZeroSchema
  ) throws(QueryBuildError) -> TableDescriptor {
    guard let descriptor = schema.table(table) else {
      throw QueryBuildError(.unknownTable, table: table, "the schema has no table of that name")
    }
    return descriptor
  }
}
